// Distillation: leaves of runs become a small network, and a small network's own games become leaves.
#include "train/distill/distill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "game/catalog.h"
#include "game/rule_features.h"
#include "mcts/material_evaluator.h"
#include "mcts/rng.h"
#include "nn/runtime.h"
#include "tests/support/file_tools.h"
#include "tests/support/small_network.h"
#include "train/distill/leaf_set.h"
#include "train/distill/small_self_play.h"
#include "train/run_folder.h"
#include "train/self_play/leaf_log.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

constexpr std::uint64_t kRoom = 100'000'000;

// Leaves of random games; their values are those of the mover's lead in hundredths of a man.
void log_games(const fs::path& run, const std::string& ruleset, int leaves,
               const std::function<mcts::MoverValue(int lead)>& value) {
  const game::GamePtr game = *game::make_game(ruleset);
  LeafLog log(RunPaths(run).leaves(), kRoom);
  log.begin("0123456789ab", 1);
  mcts::Rng rng(1);
  std::vector<Leaf> made;
  while (static_cast<int>(made.size()) < leaves) {
    game::Position position = game->initial();
    game::MoveList legal;
    for (int ply = 0; ply < 150; ++ply) {
      game->legal_moves(position, &legal);
      if (game->outcome(position, !legal.empty(), 1).over()) break;
      game->apply(legal[static_cast<int>(rng.below(legal.size()))], &position);
      const int lead = material_lead(game->info(), position, position.to_move);
      if (const auto leaf = make_leaf(game->info(), position, 1, value(lead))) made.push_back(*leaf);
    }
  }
  log.add(ruleset, made);
  log.flush();
}

// Leaves that say how the material stands.
void log_material(const fs::path& run, const std::string& ruleset, int leaves) {
  log_games(run, ruleset, leaves, [](int lead) {
    const float win = 1 / (1 + std::exp(-static_cast<float>(lead) / 400));
    return mcts::MoverValue{win, 0, 1 - win};
  });
}

class DistillTest : public models::FolderTest {
 protected:
  static void SetUpTestSuite() { nn::configure_process(); }

  DistillRequest request(std::int64_t steps) const {
    return {.game = "makruk", .runs = {folder_ / "run"}, .steps = steps, .batch = 256};
  }

  static void ignore(const DistillProgress&) {}
};

TEST_F(DistillTest, ANetworkLearnsWhatTheLeavesSayAndPlaysByIt) {
  log_material(folder_ / "run", "makruk", 6000);
  const DistillResult short_fit = distill(request(10), ignore, {}),
                      result = distill(request(1000), ignore, {});
  EXPECT_EQ(result.network.game, "makruk");
  EXPECT_EQ(result.network.source, "0123456789ab");
  EXPECT_GT(result.held_out, 20u);
  EXPECT_LT(result.held_out_loss - result.entropy, 0.5 * (short_fit.held_out_loss - short_fit.entropy));
  EXPECT_LT(result.held_out_loss - result.entropy, 0.02);

  // The quantised network says it too: a rook more is worth 1.25 logits, learnt from positions that lack
  // less.
  const game::GamePtr makruk = *game::make_game("makruk");
  game::Position ahead = makruk->initial(), even = ahead;
  const game::Bitboard rook = game::bit(56);
  ahead.side[1] &= ~rook;
  for (game::Bitboard& kind : ahead.kind) kind &= ~rook;
  const mcts::SmallEvaluator evaluator(makruk->info(), result.network);
  mcts::SmallAccumulator sums;
  evaluator.refresh(even, &sums);
  const int level = evaluator.evaluate(even, sums).value;
  evaluator.refresh(ahead, &sums);
  EXPECT_GT(evaluator.evaluate(ahead, sums).value - level, 400);
}

TEST_F(DistillTest, EqualSeedsGiveEqualNetworks) {
  log_material(folder_ / "run", "makruk", 2000);
  EXPECT_EQ(distill(request(20), ignore, {}).network, distill(request(20), ignore, {}).network);
}

TEST_F(DistillTest, LeavesOfOtherGamesAreLeftOutAndRulesetsOfTheGameAreIn) {
  log_material(folder_ / "run", "rek", 500);
  log_material(folder_ / "run", "makruk:count.snn=44", 700);
  const std::vector<fs::path> runs = {folder_ / "run"};
  const LeafSet leaves("makruk", runs, 1 << 20);
  EXPECT_GE(leaves.size() + leaves.held_out(), 700u);
  EXPECT_LT(leaves.size() + leaves.held_out(), 1000u);
  mcts::Rng rng(1);
  nn::SmallBatch batch;
  leaves.sample(16, &rng, &batch);
  const auto names = game::rule_feature_names("chess");
  const auto at = std::find(names.begin(), names.end(), "count.snn=44") - names.begin();
  ASSERT_EQ(batch.rows, 16);
  for (int row = 0; row < batch.rows; ++row) EXPECT_EQ(batch.rules[row * names.size() + at], 1);
}

TEST_F(DistillTest, DrawsAreWorthMoreToWhoHasTakenMore) {
  log_games(folder_ / "run", "rek", 3000, [](int) { return mcts::MoverValue{0.2f, 0.8f, 0}; });
  log_games(folder_ / "run", "makruk", 3000, [](int) { return mcts::MoverValue{0.2f, 0.8f, 0}; });
  const std::vector<fs::path> runs = {folder_ / "run"};
  const auto targets = [&](const char* game) {
    mcts::Rng rng(1);
    nn::SmallBatch batch;
    LeafSet(game, runs, 1 << 20).sample(1000, &rng, &batch);
    std::set<int> percent;
    for (const float target : batch.targets) percent.insert(static_cast<int>(std::lround(100 * target)));
    return percent;
  };
  EXPECT_EQ(targets("rek"), std::set<int>({40, 60, 80}));
  EXPECT_EQ(targets("makruk"), std::set<int>({60}));
}

TEST_F(DistillTest, WhatIsMissingIsNamed) {
  EXPECT_THAT(models::error_of([&] { distill(request(1), ignore, {}); }), HasSubstr("no leaves of makruk"));
  DistillRequest unknown = request(1);
  unknown.game = "makrok";
  EXPECT_THAT(models::error_of([&] { distill(unknown, ignore, {}); }), HasSubstr("makruk"));
}

TEST_F(DistillTest, AStopWritesNothing) {
  log_material(folder_ / "run", "makruk", 2000);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THAT(models::error_of([&] { distill(request(5), ignore, stop.get_token()); }), HasSubstr("stopped"));
}

TEST_F(DistillTest, ASmallNetworksGamesAreQuietLeavesOfItsGame) {
  SmallSelfPlayRequest request{.game = "rek",
                               .network = testing::random_small_network((*game::make_game("rek"))->info(), 1),
                               .run = folder_ / "labelled",
                               .positions = 4000,
                               .nodes = 100,
                               .threads = 2};
  const SmallSelfPlayProgress done = play_small(request, [](const auto&) {}, {});
  EXPECT_GE(done.positions, 4000);
  EXPECT_GT(done.games, 1);
  std::int64_t read = 0;
  std::set<std::string> rulesets;
  for (const LeafShard& shard : list_leaf_shards(folder_ / "labelled/leaves")) {
    read_leaves(shard.path, [&](const LeafBlock& block) {
      const game::GamePtr rules = *game::make_game(block.ruleset);
      rulesets.insert(block.ruleset);
      EXPECT_EQ(game::game_of(block.ruleset), "rek");
      for (const Leaf& leaf : block.leaves) {
        ASSERT_TRUE(game::unpack(rules->info(), leaf.position));
        EXPECT_EQ(leaf.draw, 0);
        ++read;
      }
    });
  }
  EXPECT_EQ(read, done.positions);
  EXPECT_GT(rulesets.size(), 1u);  // Rules are sampled.
  const std::vector<fs::path> runs = {folder_ / "labelled"};
  EXPECT_GT(LeafSet("rek", runs, 1 << 20).size(), 300u);
}

TEST_F(DistillTest, ANamedRulesetIsThatOfAllGames) {
  const SmallSelfPlayRequest request{
      .game = "makyek-low",
      .network = testing::random_small_network((*game::make_game("makyek"))->info(), 1),
      .run = folder_ / "labelled",
      .positions = 1000,
      .nodes = 100};
  EXPECT_GT(play_small(request, [](const auto&) {}, {}).games, 1);
  for (const LeafShard& shard : list_leaf_shards(folder_ / "labelled/leaves"))
    read_leaves(shard.path, [](const LeafBlock& block) { EXPECT_EQ(block.ruleset, "makyek-low"); });
  const std::vector<fs::path> runs = {folder_ / "labelled"};
  EXPECT_GT(LeafSet("makyek", runs, 1 << 20).size(), 300u);
}

}  // namespace
}  // namespace makzero::train
