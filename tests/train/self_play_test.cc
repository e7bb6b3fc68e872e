// Self-play: caps, adjudication, openings, rows, and workers in lockstep.
#include "train/self_play/self_play.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "models/error.h"
#include "tests/support/deferred_evaluator.h"
#include "tests/support/record_tools.h"
#include "train/replay/game_replay.h"
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
  for (const GameRecord& record : play_games(*game, config, 6, 3)) {
    if (record.reason() != static_cast<std::uint32_t>(game::Reason::kCut)) continue;
    EXPECT_EQ(record.result(), static_cast<std::uint32_t>(game::Result::kDraw));
  }
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

TEST(GamePoolTest, TheGameWithFewerRowsIsPlayedMore) {
  GamePool pool({make("makyek"), make("rek"), make("apit")}, {});
  mcts::Rng rng(1);
  std::vector<int> rows(3);
  for (int i = 0; i < 3000; ++i) {
    const int game = pool.index_of(pool.sample_rules(&rng)->info().ruleset);
    const int length = 10 * (1 + game);  // Games of unequal length.
    for (int row = 0; row < length; ++row) pool.count_row(game);
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
