// Batches against a slow reference, under symmetries, and the split of the games.
#include "train/learning/batch_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include "mcts/endings/solver.h"
#include "mcts/small_network.h"
#include "models/endings_file.h"
#include "tests/support/featured_game.h"
#include "tests/support/file_tools.h"
#include "tests/support/record_tools.h"
#include "train/learning/small_rows.h"

namespace makzero::train {
namespace {

class BatchMakerTest : public models::FolderTest {
 protected:
  // A store with these games.
  ReplayStore& store_of(std::vector<GameRecord> games) {
    store_.emplace(folder_, 100);
    for (GameRecord& game : games) store_->add(std::move(game));
    return *store_;
  }

  // The batch of one ply of the only game.
  nn::TrainBatch row_of(const game::Game& game, const GameRecord& record, int ply, BatchOptions options,
                        std::uint64_t seed = 1) {
    const ReplayStore& store = store_of({record});
    pool_.emplace(std::vector{make(game.info().ruleset)}, RulesetConfig());
    BatchMaker maker(&*pool_, options);
    maker.set_inputs({.planes = nn::default_planes(game.info())});
    maker.update(store.window());
    mcts::Rng rng(seed);
    nn::TrainBatch batch;
    maker.add({{store.window()[0].get(), ply}}, &rng, &batch);
    return batch;
  }

  std::optional<ReplayStore> store_;
  std::optional<GamePool> pool_;
};

// Which pieces of the position at `ply` are on the board at the end, by carrying a number per piece through
// the game.
std::map<game::Square, bool> survival_reference(const game::Game& game, const GameRecord& record, int ply) {
  game::Position position =
      record.start().empty() ? game.initial() : *game::parse_position(game, record.start());
  std::map<game::Square, game::Square> origin_of;  // Where the piece on a square stood at `ply`.
  for (int i = 0; i < record.plies_size(); ++i) {
    if (i == ply)
      for (game::Square square = 0; square < 64; ++square)
        if (game::contains(position.occupied(), square)) origin_of[square] = square;
    const game::Move move = game::Move::from_bits(static_cast<std::uint16_t>(record.plies(i).move()));
    game.apply(move, &position);
    if (i < ply) continue;
    const auto moved = origin_of.find(move.origin());
    if (moved != origin_of.end()) {
      origin_of[move.destination()] = moved->second;
      origin_of.erase(move.origin());
    }
    std::erase_if(origin_of,
                  [&](const auto& piece) { return !game::contains(position.occupied(), piece.first); });
  }
  std::map<game::Square, bool> survives;
  for (const auto& [now, then] : origin_of) survives[then] = true;
  return survives;
}

// The row of a ply without symmetries, computed the long way.
void expect_reference_row(const game::Game& game, const GameRecord& record, int ply,
                          const nn::TrainBatch& batch) {
  const nn::Encoder encoder(nn::default_planes(game.info()));
  game::Position position =
      record.start().empty() ? game.initial() : *game::parse_position(game, record.start());
  game::History history(position);
  for (int i = 0; i < ply; ++i) {
    game.apply(game::Move::from_bits(static_cast<std::uint16_t>(record.plies(i).move())), &position);
    history.push(position);
  }
  const game::Color mover = position.to_move;
  std::vector<float> planes(encoder.plane_count() * 64);
  encoder.encode(game, position, history.occurrences(), planes.data());
  EXPECT_EQ(batch.planes, planes);

  game::MoveList legal;
  game.legal_moves(position, &legal);
  ASSERT_EQ(batch.move_index.size(), static_cast<size_t>(legal.size()));
  std::vector<float> policy;
  decode_policy(record.plies(ply).policy(), &policy);
  for (int i = 0; i < legal.size(); ++i)
    EXPECT_EQ(batch.move_index[i], nn::policy_index(game.info(), legal[i], mover));
  EXPECT_EQ(batch.targets[nn::Head::kPolicy].values, policy);

  const auto reason = static_cast<game::Reason>(record.reason());
  const bool cut = reason == game::Reason::kMaterialAtPlyCap || reason == game::Reason::kCut;
  const nn::Target& moves_left = batch.targets[nn::Head::kMovesLeft];
  EXPECT_EQ(moves_left.mask[0], cut ? 0 : 1);
  if (!cut) {
    EXPECT_EQ(moves_left.values[0], static_cast<float>(record.plies_size() - ply));
  }
  const nn::Target& replied = batch.targets[nn::Head::kReply];
  if (ply + 1 < record.plies_size()) {
    const auto reply = game::Move::from_bits(static_cast<std::uint16_t>(record.plies(ply + 1).move()));
    EXPECT_EQ(replied.mask[0], 1);
    EXPECT_EQ(replied.values[0], nn::policy_index(game.info(), reply, mover));
  } else {
    EXPECT_EQ(replied.mask[0], 0);
  }

  auto survives = survival_reference(game, record, ply);
  const auto& [survival, survival_mask] = batch.targets[nn::Head::kSurvival];
  for (game::Square square = 0; square < 64; ++square) {
    const game::Square seen = nn::mover_view(game.info(), square, mover);
    const bool known = !cut || !survives[square];  // Of a cut game only what had fallen.
    EXPECT_EQ(survival_mask[seen], game::contains(position.own(), square) && known ? 1 : 0);
    EXPECT_EQ(survival_mask[64 + seen], game::contains(position.enemy(), square) && known ? 1 : 0);
    EXPECT_EQ(survival[seen] + survival[64 + seen], survives[square] ? 1 : 0) << ply << " " << square;
  }
}

TEST_F(BatchMakerTest, EveryRowOfPlayedGamesEqualsTheSlowReference) {
  for (const char* ruleset : {"makyek", "makruk"}) {
    const game::GamePtr game = make(ruleset);
    const Config config = quick_config(
        ruleset,
        {{"self_play.max_game_length", "60"}, {"self_play.simulations", "4"}, {"opening.odds_share", "1"}});
    std::vector<GameRecord> games = play_games(*game, config, 2, 7);
    EXPECT_TRUE(was_cut(games.front()));
    // One that the rules end, too: how many moves are left is known of such alone.
    games.push_back(game->info().family == "chess"
                        ? record_of(*game, "7k/8/6K1/8/8/4P3/8/R7 w - - 0 1", {"a1a2", "h8g8", "a2a8"})
                        : record_of(*game, "8/8/8/8/2m5/4m3/8/M2M4 b", {"e3e4", "d1d4"}));
    EXPECT_FALSE(was_cut(games.back()));
    for (const GameRecord& record : games) {
      for (int ply = static_cast<int>(record.opening_plies()); ply < record.plies_size(); ++ply) {
        SCOPED_TRACE(std::string(ruleset) + " ply " + std::to_string(ply));
        expect_reference_row(*game, record, ply, row_of(*game, record, ply, {.symmetries = false}));
        if (HasFailure()) return;
        std::filesystem::remove_all(folder_);
      }
    }
  }
}

TEST_F(BatchMakerTest, EveryRowHasTheRulesOfItsGame) {
  const game::GamePtr makyek = make("makyek"), jump = make("makyek:jump=on,repetition=4");
  std::vector<GameRecord> games = {record_of(*makyek, "", {"a3a4"}), record_of(*jump, "", {"a3a4"})};
  games[1].set_number(1);
  const ReplayStore& store = store_of(std::move(games));
  GamePool pool({makyek}, {});
  BatchMaker maker(&pool, {});
  maker.set_inputs({.planes = {"own M", "board"}, .rule_features = {"jump", "repetition", "game=makyek"}});
  maker.update(store.window());
  mcts::Rng rng(1);
  nn::TrainBatch batch;
  maker.add({{store.window()[0].get(), 0}, {store.window()[1].get(), 0}}, &rng, &batch);
  EXPECT_EQ(batch.planes.size(), 2U * 2 * 64);
  EXPECT_EQ(batch.rule_features, (std::vector<float>{0, 2 / 3.0f, 1, 1, 0.5f, 1}));
}

TEST_F(BatchMakerTest, GamesHaveEqualSharesHoweverManyRowsTheyHave) {
  const game::GamePtr makyek = make("makyek"), rek = make("rek");
  std::vector<GameRecord> games;
  for (std::uint64_t number = 0; number < 10; ++number) {
    games.push_back(number == 0 ? record_of(*rek, "", {"a3a4"}) : record_of(*makyek, "", {"a3a4", "a6a5"}));
    games.back().set_number(number);
  }
  const ReplayStore& store = store_of(std::move(games));
  GamePool pool({makyek, rek}, {});
  BatchMaker maker(&pool, {.validation_share = 0});
  maker.update(store.window());
  mcts::Rng rng(5);
  int of_rek = 0;
  for (const Sample& sample : maker.sample(Split::kLearning, 100, &rng))
    of_rek += sample.game->ruleset() == "rek";
  EXPECT_EQ(of_rek, 50);
}

// A game of two plies by alpha-beta: the first is its best move, the second drawn by lot.
GameRecord small_record(const game::Game& game, std::uint64_t number) {
  GameRecord record = record_of(game, "", {"a3a4", "a6a5"});
  for (PlyRecord& ply : *record.mutable_plies()) {
    ply.clear_policy();
    ply.set_full_search(false);
    ply.set_white(0);
    ply.set_black(0);
    ply.set_depth(3);
    ply.set_score(mcts::score_of_result(0.8).value);
  }
  record.mutable_plies(1)->set_drawn_by_lot(true);
  record.set_small_network("634b61");
  record.set_number(number);
  return record;
}

TEST_F(BatchMakerTest, ARowOfAlphaBetaHasItsValueAndALittleOfItsBestMove) {
  const game::GamePtr game = make("makyek");
  const GameRecord record = small_record(*game, 0);
  const nn::TrainBatch best = row_of(*game, record, 0, {.q_ratio = 1, .symmetries = false});
  EXPECT_EQ(best.targets[nn::Head::kPolicy].mask[0], 0.25f);
  const std::vector<float>& policy = best.targets[nn::Head::kPolicy].values;
  EXPECT_EQ(std::accumulate(policy.begin(), policy.end(), 0.0f), 1);
  const auto entry = std::ranges::find(policy, 1.0f) - policy.begin();
  const auto move = *game::parse_move(*game, game->initial(), "a3a4");
  EXPECT_EQ(best.move_index[entry], nn::policy_index(game->info(), move, game::Color::kWhite));
  const std::vector<float>& value = best.targets[nn::Head::kValue].values;
  EXPECT_NEAR(value[0], 0.6, 1e-3);  // As far as 0.8 is from 0.5.
  EXPECT_NEAR(value[1], 0.4, 1e-3);
  EXPECT_EQ(value[2], 0);

  const nn::TrainBatch lot = row_of(*game, record, 1, {.q_ratio = 1, .symmetries = false});
  EXPECT_EQ(lot.targets[nn::Head::kPolicy].mask[0], 0);
  EXPECT_EQ(lot.move_begin.back(), 0);
  EXPECT_NEAR(lot.targets[nn::Head::kValue].values[2], 0.6, 1e-3);
}

TEST_F(BatchMakerTest, GamesOfSmallNetworksHaveTheirShareOfTheRows) {
  const game::GamePtr game = make("makyek");
  std::vector<std::unique_ptr<GameRecord>> towers, small;
  for (std::uint64_t number = 0; number < 5; ++number) {
    towers.push_back(std::make_unique<GameRecord>(record_of(*game, "", {"a3a4"})));
    towers.back()->set_number(number);
    small.push_back(std::make_unique<GameRecord>(small_record(*game, number)));  // Of the same numbers.
  }
  GamePool pool({game}, {});
  const auto small_rows = [&](float share, const auto& window, const auto& small_window, Split split) {
    BatchMaker maker(&pool,
                     {.validation_share = split == Split::kLearning ? 0.0 : 1.0, .small_row_share = share});
    maker.update(window, small_window);
    mcts::Rng rng(5);
    double rows = 0;
    for (const Sample& sample : maker.sample(split, 1000, &rng))
      rows += !sample.game->small_network().empty();
    return rows / 1000;
  };
  const std::vector<std::unique_ptr<GameRecord>> none;
  EXPECT_NEAR(small_rows(0.3f, towers, small, Split::kLearning), 0.3, 0.05);
  EXPECT_EQ(small_rows(0, towers, small, Split::kLearning), 0);
  EXPECT_EQ(small_rows(0.3f, none, small, Split::kLearning), 1);
  EXPECT_EQ(small_rows(0.3f, towers, none, Split::kLearning), 0);
  EXPECT_EQ(small_rows(0.3f, towers, small, Split::kValidation), 0);
  EXPECT_EQ(small_rows(0.3f, towers, small, Split::kSmallValidation), 1);
}

TEST_F(BatchMakerTest, ValuesAreTheMoversAndMixedAsAsked) {
  const game::GamePtr game = make("makyek");
  // White takes the last two men on its first move; the searches saw a small lead.
  const GameRecord record = record_of(*game, "8/8/8/8/2m5/4m3/8/M2M4 b", {"e3e4", "d1d4"}, {0.2f, 0.2f});
  ASSERT_EQ(record.result(), static_cast<std::uint32_t>(game::Result::kWhiteWins));
  const nn::TrainBatch black = row_of(*game, record, 0, {.q_ratio = 0.25f, .symmetries = false});
  const std::vector<float>& wdl = black.targets[nn::Head::kValue].values;
  EXPECT_NEAR(wdl[0] - wdl[2], -(0.75f + 0.25f * 0.2f), 1e-6);
  EXPECT_NEAR(wdl[0] + wdl[1] + wdl[2], 1, 1e-6);
}

// Under all symmetries: what the policy, the survival targets and the planes say about a square must stay
// together.
TEST_F(BatchMakerTest, SymmetriesMoveAllTargetsTogether) {
  const game::GamePtr game = make("makyek:max_plies=3");  // Whole games: all survivors are known.
  const nn::Encoder encoder(nn::default_planes(game->info()));
  const auto plane = [&](const std::string& name) {
    return std::find(encoder.planes().begin(), encoder.planes().end(), name) - encoder.planes().begin();
  };
  GameRecord record = record_of(*game, "7m/8/8/8/2m1m3/8/8/M2M4 w", {"d1d4", "h8h7", "a1a2"});
  // All of the policy is on the capture.
  game::MoveList legal;
  game->legal_moves(*game::parse_position(*game, record.start()), &legal);
  std::vector<mcts::RootMove> moves(legal.size());
  for (int i = 0; i < legal.size(); ++i)
    moves[i].policy =
        game::move_text(*game, *game::parse_position(*game, record.start()), legal[i]) == "d1d4";
  record.mutable_plies(0)->set_policy(encode_policy(moves));

  std::map<std::int64_t, int> seen;  // Policy indices of the capture.
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::filesystem::remove_all(folder_);
    const nn::TrainBatch batch = row_of(*game, record, 0, {}, seed);
    const std::vector<float>& policy = batch.targets[nn::Head::kPolicy].values;
    const auto best = std::max_element(policy.begin(), policy.end()) - policy.begin();
    const auto& [survival, survival_mask] = batch.targets[nn::Head::kSurvival];
    const std::int64_t index = batch.move_index[best];
    ++seen[index];
    const auto origin = index / 64, destination = index % 64;
    EXPECT_EQ(batch.planes[plane("own M") * 64 + origin], 1);
    EXPECT_EQ(batch.planes[plane("own destinations") * 64 + destination], 1);
    for (int square = 0; square < 64; ++square) {
      EXPECT_EQ(survival_mask[square], batch.planes[plane("own M") * 64 + square]);
      EXPECT_EQ(survival_mask[64 + square], batch.planes[plane("enemy M") * 64 + square]);
      EXPECT_EQ(survival[square], survival_mask[square]);
      // Of the enemy's men exactly those survive that cannot be taken.
      EXPECT_EQ(survival[64 + square],
                survival_mask[64 + square] - batch.planes[plane("own targets") * 64 + square]);
    }
  }
  EXPECT_EQ(seen.size(), 8u);
}

TEST_F(BatchMakerTest, ARecordWithAFaultIsLeftOutAndNamedOnce) {
  const game::GamePtr game = make("makyek");
  std::vector<GameRecord> records(5, record_of(*game, "", {"a3a4", "a6a5"}));
  for (int i = 0; i < 5; ++i) records[i].set_number(i);
  records[0].mutable_plies(0)->set_move(0);
  records[1].set_ruleset("no such rules");
  records[3].mutable_plies(1)->set_policy(std::string(records[3].plies(1).policy().size(), '\0'));
  records[4].mutable_plies(1)->set_white(std::nanf(""));
  GamePool pool({game}, {});
  BatchMaker maker(&pool, {.validation_share = 0});
  const ReplayStore& store = store_of(records);
  maker.update(store.window());
  ASSERT_EQ(maker.faults().size(), 4u);
  EXPECT_THAT(maker.faults()[0], testing::HasSubstr("game 0, ply 0: the move is not legal"));
  EXPECT_THAT(maker.faults()[1], testing::HasSubstr("ruleset 'no such rules'"));
  EXPECT_THAT(maker.faults()[2], testing::HasSubstr("game 3: ply 1: a policy without weight"));
  EXPECT_THAT(maker.faults()[3], testing::HasSubstr("game 4: ply 1: values nan"));
  mcts::Rng rng(1);
  for (const Sample& sample : maker.sample(Split::kLearning, 20, &rng)) EXPECT_EQ(sample.game->number(), 2u);
  maker.update(store.window());
  EXPECT_TRUE(maker.faults().empty()) << "what is known is not said again";
}

TEST_F(BatchMakerTest, TheSplitsShareNoGameAndNeverChange) {
  const game::GamePtr game = make("makyek");
  std::vector<GameRecord> games;
  for (int i = 0; i < 60; ++i) {
    games.push_back(record_of(*game, "", {"a3a4", "a6a5"}));
    games.back().set_number(static_cast<std::uint64_t>(i));
  }
  const ReplayStore& store = store_of(std::move(games));
  GamePool pool({game}, {});
  BatchMaker maker(&pool, {.validation_share = 0.25});
  maker.update(store.window());
  mcts::Rng rng(5);
  for (const Split split : {Split::kLearning, Split::kValidation}) {
    const std::vector<Sample> drawn = maker.sample(split, 200, &rng);
    ASSERT_EQ(drawn.size(), 200u);
    for (const Sample& sample : drawn) EXPECT_EQ(split_of(sample.game->number(), 0.25), split);
  }
}

TEST_F(BatchMakerTest, RowsAreSampledAsOftenAsTheyWeigh) {
  const game::GamePtr game = make("makyek");
  GameRecord record = record_of(*game, "", {"a3a4", "a6a5"});
  for (int ply = 0; ply < 2; ++ply) record.mutable_plies(ply)->set_full_search(true);
  record.mutable_plies(0)->set_surprise(3);
  record.mutable_plies(1)->set_surprise(1);
  const ReplayStore& store = store_of({record});
  GamePool pool({game}, {});
  BatchMaker maker(&pool, {.values = {.policy_surprise_weight = 1}, .validation_share = 0});
  maker.update(store.window());
  mcts::Rng rng(5);
  int first = 0;
  for (const Sample& sample : maker.sample(Split::kLearning, 4000, &rng)) first += sample.ply == 0;
  EXPECT_NEAR(first, 3000, 150);
}

TEST_F(BatchMakerTest, AnEmptySplitGivesNoRows) {
  const game::GamePtr game = make("makyek");
  const ReplayStore& store = store_of({record_of(*game, "", {"a3a4"})});
  GamePool pool({game}, {});
  BatchMaker maker(&pool, {.validation_share = 0});
  maker.update(store.window());
  mcts::Rng rng(5);
  EXPECT_TRUE(maker.sample(Split::kValidation, 10, &rng).empty());
}

TEST(SplitTest, AboutTheAskedShareOfGamesIsHeldOut) {
  int held_out = 0;
  for (std::uint64_t number = 0; number < 10000; ++number)
    held_out += split_of(number, 0.05) == Split::kValidation;
  EXPECT_NEAR(held_out, 500, 80);
}

// White wins by 7 plies, of which these are the first two.
constexpr const char* kWonEnding = "7/7/7/7/1M5/1m1M3/7 w";

class ExactEndingsTest : public BatchMakerTest {
 protected:
  ExactEndingsTest() {
    setenv("MAKZERO_ENDINGS", (folder_ / "endings").c_str(), 1);
    const game::GamePtr gala = make("gala");
    const mcts::Material men = mcts::ending_materials(*gala).front();
    models::write_ending(gala->info(), mcts::solve_ending(*gala, mcts::Endings(*gala), men));
  }
  ~ExactEndingsTest() override { setenv("MAKZERO_ENDINGS", "", 1); }

  // Targets of win, draw and loss at a ply.
  std::vector<float> value_at(int ply, bool exact) {
    const game::GamePtr gala = make("gala");
    nn::TrainBatch batch = row_of(*gala, record_of(*gala, kWonEnding, {"d2c2", "b2b1"}), ply,
                                  {.q_ratio = 0.5f, .exact_endings = exact});
    const float* value = batch.target(nn::Head::kValue, 0);
    return {value, value + 3};
  }
};

TEST_F(ExactEndingsTest, KnownPositionsHaveTheirValueWhereTheKeySaysSo) {
  EXPECT_EQ(value_at(0, true), (std::vector<float>{1, 0, 0}));
  EXPECT_EQ(value_at(1, true), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(value_at(0, false), (std::vector<float>{0, 1, 0}));
}

TEST_F(ExactEndingsTest, OfSmallNetworksToo) {
  const game::GamePtr gala = make("gala");
  GamePool pool({gala}, RulesetConfig());
  const GameRecord record = record_of(*gala, kWonEnding, {"d2c2", "b2b1"});
  const auto targets = [&](const mcts::Endings* endings) {
    std::vector<float> targets;
    for (const QuietPosition& each : quiet_positions(*gala, record, 0.5f, endings))
      targets.push_back(each.target);
    return targets;
  };
  EXPECT_EQ(targets(pool.endings_of("gala")), (std::vector<float>{1, 0}));
  EXPECT_EQ(targets(nullptr), (std::vector<float>{0.25f, 0.75f})) << "a draw; Black has taken more";
  EXPECT_EQ(pool.endings_of("makyek"), nullptr);
}

}  // namespace
}  // namespace makzero::train
