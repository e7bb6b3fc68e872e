// Self-play: caps, adjudication, openings, rows, and workers in lockstep.
#include "train/self_play/self_play.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

#include "mcts/material_evaluator.h"
#include "models/error.h"
#include "tests/support/deferred_evaluator.h"
#include "tests/support/record_tools.h"
#include "train/replay/game_replay.h"
#include "train/replay/record_check.h"
#include "train/self_play/fork_pool.h"
#include "train/self_play/opening.h"

namespace makzero::train {
namespace {

class FailingEvaluator : public mcts::Evaluator {
 public:
  void evaluate(std::span<const mcts::EvalRequest>, std::span<mcts::Evaluation>) override {
    throw std::runtime_error("the network broke");
  }
};

Config short_games(const Overrides& more = {}) {
  Overrides overrides = {{"self_play.simulations", "4"},
                         {"self_play.max_game_length", "30"},
                         {"self_play.games_per_thread", "8"},
                         {"opening.odds_share", "0"},
                         {"opening.odds_pieces", "3"}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return quick_config("makyek", overrides);
}

int rows_of(const GameRecord& record) {
  int rows = 0;
  for (const PlyRecord& ply : record.plies()) rows += ply.full_search();
  return rows;
}

// All games that end until `count` are there.
std::vector<GameRecord> run_until(SelfPlay* self_play, size_t count) {
  std::vector<GameRecord> games;
  self_play->run([] { return std::make_unique<mcts::UniformEvaluator>(); },
                 [&](std::vector<GameRecord> finished) {
                   std::move(finished.begin(), finished.end(), std::back_inserter(games));
                   return games.size() < count;
                 });
  return games;
}

TEST(SelfPlayGameTest, EveryRecordFitsTheRules) {
  for (const char* ruleset : {"makyek", "makyek-jump", "makruk"}) {
    const game::GamePtr game = make(ruleset);
    const Config config =
        quick_config(ruleset, {{"self_play.simulations", "4"}, {"opening.reduced_material_share", "0.5"}});
    for (const GameRecord& record : play_games(*game, config, 3, 11))
      EXPECT_NO_THROW(replay_game(*game, record, {}));
  }
}

TEST(SelfPlayTest, SimulationsOfTheSearchesCanBeChanged) {
  const game::GamePtr game = make("makyek");
  // In lockstep: a run ends with the round of its last game, however late the sink's thread wakes up.
  const Config config = short_games({{"deterministic", "true"}});
  std::int64_t requests[2];
  for (const int simulations : {4, 40}) {
    GamePool pool({game}, {});
    SelfPlay self_play(&pool, config, 1, 7, false);
    self_play.set_phase({.simulations = simulations});
    std::int64_t rows = 0;
    for (const GameRecord& record : run_until(&self_play, 8)) rows += rows_of(record);
    // The games in flight have been searched too: never fewer requests than for the finished ones.
    EXPECT_GE(self_play.statistics().evaluations, rows * simulations / 2) << simulations;
    requests[simulations == 40] = self_play.statistics().evaluations;
  }
  EXPECT_GT(requests[1], 4 * requests[0]);
}

TEST(SelfPlayGameTest, TheSameSeedPlaysTheSameGames) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games();
  const auto once = play_games(*game, config, 2, 5), again = play_games(*game, config, 2, 5),
             other = play_games(*game, config, 2, 6);
  EXPECT_EQ(once[1].SerializeAsString(), again[1].SerializeAsString());
  EXPECT_NE(once[1].SerializeAsString(), other[1].SerializeAsString());
}

// The moves of the first game, from its opening on.
std::string first_moves(const std::string& ruleset) {
  const game::GamePtr game = make(ruleset);
  const Overrides short_game = {{"self_play.simulations", "4"}, {"self_play.max_game_length", "30"}};
  const GameRecord record = play_games(*game, quick_config(ruleset, short_game), 1, 5).front();
  std::string text = record.start();
  for (const PlyRecord& ply : record.plies()) text += fmt::format(" {}", ply.move());
  return text;
}

TEST(SelfPlayGameTest, WithoutPolicyOpeningsAndForksTheGamesAreTheGoldenOnes) {
  EXPECT_EQ(
      first_moves("makyek"),
      " 1056 2909 1162 2722 398 1881 1389 2209 2893 3730 902 3949 861 2148 1308 3063 1438 2779 2056 1173 "
      "1494 3697 1812 3819 487 2342 268 3642 211");
  EXPECT_EQ(
      first_moves("makruk"),
      "rn2k3/8/p2pp2p/8/8/1P1PPPPP/8/R1SKMS2 w - - 0 1 32 3892 334 3699 1373 3389 2084 2592 903 3643 1243 "
      "3836 267 3899 708 3957 1113 3836 2341 3444 2404 3898 2337 3325 2169 3379 1503 2852 3706 2787");
}

TEST(SelfPlayGameTest, AtTheCapTheSideWithMoreMaterialWinsWhereThatIsAsked) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games({{"opening.odds_share", "1"}, {"opening.random_plies", "0"}});
  bool adjudicated = false;
  for (const GameRecord& record : play_games(*game, config, 12, 3)) {
    if (record.reason() != static_cast<std::uint32_t>(game::Reason::kMaterialAtPlyCap)) continue;
    adjudicated = true;
    EXPECT_GE(record.plies_size(), 12);  // 0.4 of the greatest length.
    EXPECT_LE(record.plies_size(), 30);
    EXPECT_NE(record.final_material(), 0);
    EXPECT_EQ(record.result(),
              static_cast<std::uint32_t>(record.final_material() > 0 ? game::Result::kWhiteWins
                                                                     : game::Result::kBlackWins));
  }
  EXPECT_TRUE(adjudicated);
}

TEST(SelfPlayGameTest, WithoutAdjudicationTheCapIsADraw) {
  const game::GamePtr game = make("makyek");
  const Config config =
      short_games({{"self_play.adjudicate_by_material", "false"}, {"opening.odds_share", "1"}});
  int cut = 0;
  for (const GameRecord& record : play_games(*game, config, 6, 3)) {
    EXPECT_NE(record.reason(), static_cast<std::uint32_t>(game::Reason::kMaterialAtPlyCap));
    if (record.reason() != static_cast<std::uint32_t>(game::Reason::kCut)) continue;
    ++cut;
    EXPECT_EQ(record.result(), static_cast<std::uint32_t>(game::Result::kDraw));
  }
  EXPECT_GT(cut, 0);
}

TEST(SelfPlayGameTest, LengthsAreSpreadUpToTheLimitOfTheRules) {
  const game::GamePtr game = make("makyek:max_plies=60,no_progress=0,repetition=0");
  std::set<int> lengths;
  int by_rules = 0;
  const Config config = quick_config("makyek", {{"self_play.simulations", "2"}});
  for (const GameRecord& record : play_games(*game, config, 60, 3)) {
    const auto reason = static_cast<game::Reason>(record.reason());
    by_rules += reason == game::Reason::kPlyLimit;
    EXPECT_LE(record.plies_size(), 60);
    if (!was_cut(record)) continue;
    EXPECT_GE(record.plies_size(), 24);
    lengths.insert(record.plies_size());
  }
  EXPECT_GT(lengths.size(), 20u);
  EXPECT_LT(by_rules, 10);
}

TEST(SelfPlayGameTest, EveryPlyNamesTheGenerationThatSearchedIt) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games({{"opening.random_plies", "0"}});
  GamePool pool({game}, {});
  SelfPlayGame self_play(&pool, config, 3);
  std::vector<GameRecord> finished;
  mcts::Lockstep lockstep;
  mcts::UniformEvaluator evaluator;
  for (int leaf = 0; finished.empty(); ++leaf) {
    if (leaf == 20) self_play.set_phase({.simulations = 4, .generation = 7});
    self_play.gather(&lockstep, &finished);
    lockstep.step(&evaluator);
  }
  EXPECT_EQ(finished[0].plies(0).generation(), 0);
  EXPECT_EQ(finished[0].plies(finished[0].plies_size() - 1).generation(), 7);
}

TEST(GamePoolTest, AShareOfTheGamesIsDecidedByMaterialWhereThatIsARule) {
  RulesetConfig config;
  config.set_material_result_share(0.25f);
  GamePool pool({make("makyek"), make("hunt")}, config);
  mcts::Rng rng(1);
  std::map<std::string, int> games;
  for (int i = 0; i < 4000; ++i) ++games[pool.sample_rules(&rng)->info().ruleset];
  EXPECT_EQ(games.size(), 3u);
  EXPECT_NEAR(games["hunt"], 2000, 150);
  EXPECT_NEAR(games["makyek:limit_result=material"], 500, 90);
}

TEST(GamePoolTest, AShareOfTheGamesHasASampledRuleset) {
  RulesetConfig config;
  config.set_sampled(true);
  config.set_sampled_share(0.4f);
  GamePool pool({make("makyek")}, config);
  mcts::Rng rng(1);
  int others = 0;
  for (int i = 0; i < 2000; ++i) others += pool.sample_rules(&rng)->info().ruleset != "makyek";
  EXPECT_NEAR(others, 2000 * 0.4 / 2, 60);
}

TEST(GamePoolTest, TheGameWithFewerRowsIsPlayedMore) {
  GamePool pool({make("makyek"), make("rek"), make("apit")}, {});
  mcts::Rng rng(1);
  std::vector<int> rows(3);
  for (int i = 0; i < 3000; ++i) {
    const int game = pool.index_of(pool.sample_rules(&rng)->info().ruleset);
    const int length = 10 * (1 + game);  // Games of unequal length.
    pool.count_rows(game, length);
    rows[game] += length;
  }
  EXPECT_NEAR(rows[0], rows[1], 0.03 * rows[0]);
  EXPECT_NEAR(rows[0], rows[2], 0.03 * rows[0]);
}

TEST(GamePoolTest, AnUnknownRulesetIsRefused) {
  GamePool pool({make("makyek")}, {});
  EXPECT_EQ(pool.rules_of("makyek"), pool.games()[0]);
  const game::GamePtr held = pool.rules_of("makyek:jump=on");
  EXPECT_EQ(pool.rules_of("makyek:jump=on"), held);
  EXPECT_THROW(pool.rules_of("makyek:jmp=on"), models::Error);
}

TEST(SelfPlayGameTest, RandomPliesAreNoRowsAndHaveNoPolicy) {
  const game::GamePtr game = make("makyek");
  for (const GameRecord& record : play_games(*game, short_games({{"opening.random_plies", "8"}}), 6, 3)) {
    for (int ply = 0; ply < record.plies_size(); ++ply) {
      const bool random = ply < static_cast<int>(record.opening_plies());
      EXPECT_EQ(record.plies(ply).policy().empty(), random);
      EXPECT_EQ(record.plies(ply).full_search(), !random);
    }
  }
}

// Nearly sure of the last legal move.
class LastMoveEvaluator : public mcts::Evaluator {
 public:
  static constexpr float kPrior = 0.9f;

  void evaluate(std::span<const mcts::EvalRequest> requests,
                std::span<mcts::Evaluation> evaluations) override {
    for (size_t i = 0; i < requests.size(); ++i) {
      const auto moves = static_cast<size_t>(requests[i].legal->size());
      evaluations[i].value = {0, 1, 0};
      evaluations[i].priors.assign(moves, (1 - kPrior) / static_cast<float>(moves));
      evaluations[i].priors.back() += kPrior;
      last_ply = requests[i].position->ply;
    }
  }

  int last_ply = -1;  // Of the last request.
};

// The share of the opening plies that play the last legal move.
double last_move_share(const Overrides& more) {
  const game::GamePtr game = make("makruk");
  Overrides overrides = {
      {"opening.random_plies", "8"}, {"opening.reduced_material_share", "0"}, {"opening.endgame_share", "0"}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  LastMoveEvaluator evaluator;
  int plies = 0, last = 0;
  std::set<std::uint32_t> lengths;
  for (const GameRecord& record : play_games(*game, short_games(overrides), 60, 3, &evaluator)) {
    EXPECT_EQ(find_record_fault(*game, record), std::nullopt);
    game::GameState state(*game);
    lengths.insert(record.opening_plies());
    for (std::uint32_t ply = 0; ply < record.opening_plies(); ++ply, ++plies) {
      const game::Move move =
          game::Move::from_bits(static_cast<std::uint16_t>(record.plies(static_cast<int>(ply)).move()));
      EXPECT_FALSE(record.plies(static_cast<int>(ply)).full_search());
      last += move == state.legal()[state.legal().size() - 1];
      state.play(move);
    }
    EXPECT_EQ(rows_of(record), record.plies_size() - static_cast<int>(record.opening_plies()));
  }
  EXPECT_EQ(lengths.size(), 9u);
  return static_cast<double>(last) / plies;
}

TEST(SelfPlayGameTest, PolicyOpeningsFollowTheEvaluatorAtTheirTemperature) {
  EXPECT_LT(last_move_share({}), 0.1);
  EXPECT_NEAR(last_move_share({{"opening.policy_share", "1"}}), 0.9, 0.07);
  EXPECT_NEAR(last_move_share({{"opening.policy_share", "0.5"}}), 0.45, 0.15);
  EXPECT_EQ(last_move_share({{"opening.policy_share", "1"}, {"opening.policy_temperature", "0.05"}}), 1);
  EXPECT_LT(last_move_share({{"opening.policy_share", "1"}, {"opening.policy_temperature", "100"}}), 0.1);
}

TEST(SelfPlayGameTest, AnOpeningPlyTakesOneEvaluation) {
  const game::GamePtr game = make("makruk");
  const Config config = short_games({{"opening.policy_share", "1"},
                                     {"opening.random_plies", "200"},
                                     {"opening.reduced_material_share", "0"},
                                     {"self_play.max_game_length", "1000"},
                                     {"self_play.simulations", "4"}});
  GamePool pool({game}, {});
  SelfPlayGame self_play(&pool, config, 2);
  LastMoveEvaluator evaluator;
  mcts::Lockstep lockstep;
  std::vector<GameRecord> finished;
  game::GameState state(*game);
  for (int ply = 0; ply < 20; ++ply) {
    self_play.gather(&lockstep, &finished);
    ASSERT_EQ(lockstep.size(), 1);
    lockstep.step(&evaluator);
    EXPECT_EQ(evaluator.last_ply, ply);
  }
}

// Among the plies that leave a fork of short_games() a quarter of their greatest length.
int fork_ply(const GameRecord& record) {
  int fork = static_cast<int>(record.opening_plies());
  for (int ply = fork; ply < std::min(22, record.plies_size()); ++ply)
    if (record.plies(ply).surprise() > record.plies(fork).surprise()) fork = ply;
  return fork;
}

// True if a game plays another up to its ply of the greatest surprise, and there another move.
bool forks_from(const GameRecord& record, const GameRecord& source) {
  const int fork = fork_ply(source);
  if (record.start() != source.start() || static_cast<int>(record.opening_plies()) != fork + 1) return false;
  for (int ply = 0; ply < fork; ++ply)
    if (record.plies(ply).move() != source.plies(ply).move()) return false;
  return record.plies(fork).move() != source.plies(fork).move();
}

TEST(SelfPlayGameTest, AForkLeavesAnEarlierGameWhereItsSearchWasMostSurprised) {
  for (const char* ruleset : {"makyek", "makruk", "minrekchanh"}) {
    const game::GamePtr game = make(ruleset);
    const Config config = short_games({{"opening.fork_share", "1"},
                                       {"opening.random_plies", "2"},
                                       {"rulesets.material_result_share", "0"}});
    mcts::MaterialEvaluator evaluator;
    const std::vector<GameRecord> games = play_games(*game, config, 40, 3, &evaluator);
    std::set<size_t> sources;
    for (size_t i = 0; i < games.size(); ++i) {
      EXPECT_EQ(find_record_fault(*game, games[i]), std::nullopt) << ruleset << " " << i;
      EXPECT_EQ(rows_of(games[i]), games[i].plies_size() - static_cast<int>(games[i].opening_plies()));
      size_t source = 0;
      while (source < i && (sources.contains(source) || !forks_from(games[i], games[source]))) ++source;
      if (source < i) sources.insert(source);
      EXPECT_TRUE(source < i || games[i].opening_plies() <= 2) << ruleset << " " << i;
    }
    EXPECT_GT(sources.size(), 20u) << ruleset;
  }
}

TEST(SelfPlayGameTest, AForkHasRoomBehindItsOpening) {
  const game::GamePtr game = make("makyek:no_progress=0,repetition=0");
  const Config config = short_games({{"opening.fork_share", "1"}, {"self_play.max_game_length", "100"}});
  mcts::MaterialEvaluator evaluator;
  int late = 0;
  for (const GameRecord& record : play_games(*game, config, 30, 3, &evaluator)) {
    EXPECT_LE(record.plies_size(), 100);
    late += record.opening_plies() > 40;
    if (!was_cut(record)) continue;
    EXPECT_GE(record.plies_size(),
              static_cast<int>(record.opening_plies()) + (record.opening_plies() > 8 ? 24 : 0));
  }
  EXPECT_GT(late, 5);
}

TEST(SelfPlayGameTest, TheSameSeedSamplesTheSameOpenings) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games({{"opening.policy_share", "0.5"}, {"opening.fork_share", "0.5"}});
  mcts::MaterialEvaluator evaluator;
  const auto once = play_games(*game, config, 12, 5, &evaluator),
             again = play_games(*game, config, 12, 5, &evaluator);
  for (size_t i = 0; i < once.size(); ++i)
    EXPECT_EQ(once[i].SerializeAsString(), again[i].SerializeAsString());
}

TEST(ForkPoolTest, GivesEachForkOnceAndToItsOwnRules) {
  ForkPool pool;
  mcts::Rng rng(1);
  const game::Position start = make("makyek")->initial();
  for (const int plies : {1, 2, 3}) pool.add("makyek", {start, std::vector<game::Move>(plies), 1, {}});
  EXPECT_FALSE(pool.take("makyek:jump=on", &rng));
  std::set<size_t> plies;
  for (int i = 0; i < 3; ++i) plies.insert(pool.take("makyek", &rng)->moves.size());
  EXPECT_EQ(plies, (std::set<size_t>{1, 2, 3}));
  EXPECT_FALSE(pool.take("makyek", &rng));
}

TEST(ForkPoolTest, KeepsTheNewest) {
  ForkPool pool;
  mcts::Rng rng(1);
  const game::Position start = make("makyek")->initial();
  for (size_t plies = 0; plies < ForkPool::kMost + 2; ++plies)
    pool.add("makyek", {start, std::vector<game::Move>(plies), 1, {}});
  size_t taken = 0;
  while (const auto fork = pool.take("makyek", &rng)) {
    EXPECT_GE(fork->moves.size(), 2u);
    ++taken;
  }
  EXPECT_EQ(taken, ForkPool::kMost);
}

TEST(ForkPoolTest, AGameWhoseSearchesMovedNoPolicyHasNoFork) {
  const game::GamePtr game = make("makyek");
  GameRecord record = record_of(*game, "", {"a1a2", "a8a7"});
  EXPECT_FALSE(fork_of(game->initial(), record, 2));
  record.mutable_plies(1)->set_surprise(0.1f);
  const auto fork = fork_of(game->initial(), record, 2);
  ASSERT_TRUE(fork);
  EXPECT_EQ(fork->moves.size(), 1u);
  EXPECT_EQ(fork->avoided, game::Move::from_bits(static_cast<std::uint16_t>(record.plies(1).move())));
  EXPECT_FALSE(fork_of(game->initial(), record, 1)) << "too late in the game";
  record.set_opening_plies(2);
  EXPECT_FALSE(fork_of(game->initial(), record, 2)) << "nothing of it was searched";
}

TEST(OpeningTest, ASampledMoveDoesNotEndTheGame) {
  const game::GamePtr game = make("makruk");
  const auto start = game::parse_position(*game, "k7/8/1K6/8/8/8/8/7R w - - 0 1");
  ASSERT_TRUE(start) << start.why();
  const game::GameState state(*game, *start);
  const auto mate = game::parse_move(*game, *start, "h1h8");
  ASSERT_TRUE(mate) << mate.why();
  mcts::Rng rng(1);
  const auto sample = [&](const std::vector<std::pair<game::Move, float>>& priors) {
    std::vector<mcts::RootMove> moves(priors.size());
    for (size_t i = 0; i < moves.size(); ++i) std::tie(moves[i].move, moves[i].prior) = priors[i];
    return sample_opening_move(state, std::move(moves), 1, &rng);
  };
  const auto other = game::parse_move(*game, *start, "h1h7");
  EXPECT_EQ(sample({{*mate, 1.0f}, {*other, 0.0f}}), *other);
  EXPECT_EQ(sample({{*mate, 1.0f}}), std::nullopt);
  EXPECT_EQ(sample({}), std::nullopt);
}

TEST(OpeningTest, KingsStayOnTheBoard) {
  const game::GamePtr game = make("makruk");
  OpeningConfig config;
  config.set_reduced_material_share(1);
  mcts::Rng rng(3);
  std::set<int> sizes;
  for (int i = 0; i < 50; ++i) {
    const Opening opening = sample_opening(*game, config, &rng);
    EXPECT_EQ(game::size(opening.start.kind[game->info().kinds.find('K')]), 2);
    sizes.insert(game::size(opening.start.occupied()));
  }
  EXPECT_GT(sizes.size(), 5u);
}

TEST(OpeningTest, AnUnbalancedGameBeginsWithALead) {
  const game::GamePtr game = make("makyek");
  OpeningConfig config;
  config.set_odds_share(1);
  config.set_odds_pieces(3);
  mcts::Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const game::Position start = sample_opening(*game, config, &rng).start;
    const int lead = std::abs(game::size(start.side[0]) - game::size(start.side[1]));
    EXPECT_GE(lead, 1);
    EXPECT_LE(lead, 3);
  }
}

TEST(OpeningTest, AnEndingHasFewPiecesFarFromHomeAndNoCount) {
  const game::GamePtr game = make("makruk");
  OpeningConfig config;
  config.set_endgame_share(1);
  config.set_odds_share(0.5f);
  config.set_odds_pieces(30);
  config.set_random_plies(0);
  mcts::Rng rng(3);
  const game::Position home = game->initial();
  int bare_kings = 0, promoted = 0, pieces = 0, at_home = 0;
  for (int i = 0; i < 200; ++i) {
    const game::Position start = sample_opening(*game, config, &rng).start;
    EXPECT_EQ(start.count_limit, 0);
    EXPECT_EQ(start.ply, 0);
    for (const game::Bitboard side : start.side) bare_kings += game::size(side) == 1;
    promoted += game::size(start.kind[game->info().kinds.find('M')]) > 2;
    pieces += game::size(start.occupied());
    for (size_t kind = 0; kind < std::size(start.kind); ++kind)
      at_home += game::size(start.kind[kind] & home.kind[kind]);
  }
  EXPECT_GT(bare_kings, 40);
  EXPECT_GT(promoted, 20);
  EXPECT_LT(pieces, 200 * 16);
  EXPECT_LT(at_home * 2, pieces);
}

TEST(OpeningTest, EveryGameHasEndings) {
  const auto pieces = [](const game::Position& position) {
    return game::size(position.occupied()) + position.hand[0] + position.hand[1];
  };
  for (const std::string& name : game::ruleset_names()) {
    const game::GamePtr game = make(name);
    OpeningConfig config;
    config.set_endgame_share(1);
    mcts::Rng rng(5);
    int fewer = 0;
    for (int i = 0; i < 40; ++i)
      fewer += 3 * pieces(sample_opening(*game, config, &rng).start) < 2 * pieces(game->initial());
    EXPECT_GT(fewer, 10) << name;
  }
}

TEST(SelfPlayTest, TheFirstGamesHaveStaggeredCaps) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games({{"self_play.max_game_length", "80"},
                                     {"self_play.games_per_thread", "4"},
                                     {"opening.reduced_material_share", "0"}});
  GamePool pool({game}, {});
  SelfPlay self_play(&pool, config, 1, 1, true);
  std::set<int> lengths;
  for (const GameRecord& record : run_until(&self_play, 4)) lengths.insert(record.plies_size());
  EXPECT_GE(lengths.size(), 3u);
  EXPECT_TRUE(lengths.contains(24));
}

TEST(SelfPlayTest, GamesInFlightGoOnInTheNextRun) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games({{"deterministic", "true"}});
  GamePool pool({game}, {}), other({game}, {});
  SelfPlay whole(&pool, config, 1, 1, false), interrupted(&other, config, 1, 1, false);
  int rounds = 20;  // Too few for a game of 30 plies and 4 simulations a ply.
  interrupted.run([] { return std::make_unique<mcts::UniformEvaluator>(); },
                  [&](const std::vector<GameRecord>& games) {
                    EXPECT_TRUE(games.empty());
                    return --rounds > 0;
                  });
  EXPECT_GT(interrupted.statistics().evaluations, 0);
  const std::vector<GameRecord> once = run_until(&whole, 8), later = run_until(&interrupted, 8);
  ASSERT_EQ(once.size(), later.size());
  for (size_t i = 0; i < once.size(); ++i)
    EXPECT_EQ(once[i].SerializeAsString(), later[i].SerializeAsString());
  EXPECT_EQ(whole.statistics().evaluations, interrupted.statistics().evaluations);
}

TEST(SelfPlayTest, EveryGameInFlightHasItsRowInTheBatch) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games();
  GamePool pool({game}, {});
  SelfPlay self_play(&pool, config, 2, 1, false);
  EXPECT_EQ(self_play.games_in_flight(), 16);
  run_until(&self_play, 20);
  const SelfPlayStatistics statistics = self_play.statistics();
  EXPECT_EQ(statistics.rows_per_batch(), 8);
  EXPECT_GT(statistics.cpu_seconds, statistics.forward_seconds);
}

TEST(SelfPlayTest, WhatIsEvaluatedElsewhereIsSearchedInTwoGroups) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games({{"deterministic", "true"}, {"self_play.games_per_thread", "9"}});
  GamePool pool({game}, {});
  SelfPlay self_play(&pool, config, 1, 1, false);
  mcts::UniformEvaluator uniform;
  std::vector<int> begun, finished;
  size_t games = 0;
  // Looks at the order of the batches when its owner has finished.
  struct Observed : testing::DeferredEvaluator {
    Observed(mcts::Evaluator* inner, std::vector<int>* begun, std::vector<int>* finished)
        : DeferredEvaluator(inner), begun_(begun), finished_(finished) {}
    ~Observed() override { *begun_ = begun, *finished_ = DeferredEvaluator::finished; }
    std::vector<int>*begun_, *finished_;
  };
  self_play.run([&] { return std::make_unique<Observed>(&uniform, &begun, &finished); },
                [&](const std::vector<GameRecord>& records) { return (games += records.size()) < 6; });
  ASSERT_GE(begun.size(), 4u);
  EXPECT_EQ(finished.size(), begun.size());
  for (size_t i = 0; i < begun.size(); ++i) {
    EXPECT_EQ(begun[i], i % 2 == 0 ? 4 : 5);  // Of nine games.
    EXPECT_EQ(finished[i], static_cast<int>(i + 1));
  }
}

TEST(SelfPlayTest, GroupsPlayTheGamesThatOneGroupPlays) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games({{"deterministic", "true"}});
  const auto play = [&](const EvaluatorFactory& make_evaluator) {
    GamePool pool({game}, {});
    SelfPlay self_play(&pool, config, 1, 1, false);
    std::set<std::string> games;
    self_play.run(make_evaluator, [&](const std::vector<GameRecord>& records) {
      for (const GameRecord& record : records) games.insert(record.SerializeAsString());
      return games.size() < 6;
    });
    return games;
  };
  mcts::UniformEvaluator uniform;
  const auto one = play([] { return std::make_unique<mcts::UniformEvaluator>(); });
  const auto two = play([&] { return std::make_unique<testing::DeferredEvaluator>(&uniform); });
  // The order in which games end may differ.
  EXPECT_GE(std::ranges::count_if(one, [&](const std::string& game) { return two.contains(game); }), 4);
}

TEST(SelfPlayTest, WorkersKeepTheirThreads) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games();
  GamePool pool({game}, {});
  SelfPlay self_play(&pool, config, 2, 1, false);
  std::mutex mutex;
  std::multiset<std::thread::id> threads;
  for (int run = 0; run < 3; ++run) {
    self_play.run(
        [&] {
          const std::lock_guard lock(mutex);
          threads.insert(std::this_thread::get_id());
          return std::make_unique<mcts::UniformEvaluator>();
        },
        [](const auto&) { return false; });
  }
  EXPECT_EQ(threads.size(), 6u);
  EXPECT_EQ(std::set(threads.begin(), threads.end()).size(), 2u);
}

TEST(SelfPlayTest, GamesOfAllThreadsTogetherCanBeGiven) {
  const game::GamePtr game = make("makyek");
  GamePool pool({game}, {});
  EXPECT_EQ(SelfPlay(&pool, short_games({{"self_play.games", "10"}}), 2, 1, false).games_in_flight(), 10);
  EXPECT_EQ(SelfPlay(&pool, short_games({{"self_play.games", "10"}}), 3, 1, false).games_in_flight(), 12);
}

TEST(SelfPlayTest, AFailingCardEndsTheRunWithItsReason) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games();
  GamePool pool({game}, {});
  SelfPlay self_play(&pool, config, 2, 1, false);
  mcts::UniformEvaluator uniform;
  const auto make_failing = [&] {
    auto evaluator = std::make_unique<testing::DeferredEvaluator>(&uniform);
    evaluator->fails = true;
    return evaluator;
  };
  EXPECT_THROW(self_play.run(make_failing, [](const auto&) { return true; }), std::runtime_error);
}

TEST(SelfPlayTest, AFailingWorkerEndsTheRunWithItsReason) {
  const game::GamePtr game = make("makyek");
  const Config config = short_games();
  GamePool pool({game}, {});
  SelfPlay self_play(&pool, config, 2, 1, false);
  EXPECT_THROW(
      self_play.run([] { return std::make_unique<FailingEvaluator>(); }, [](const auto&) { return true; }),
      std::runtime_error);
}

}  // namespace
}  // namespace makzero::train
