// Runs that make small networks, with a tower and without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "models/model.h"
#include "models/small_network_file.h"
#include "models/store.h"
#include "tests/support/file_tools.h"
#include "tests/support/record_tools.h"
#include "tests/support/tiny_run.h"
#include "train/replay/game_replay.h"
#include "train/replay/record_check.h"
#include "train/replay/replay_store.h"
#include "train/run/fit.h"
#include "train/run/fsck.h"
#include "train/run/ledger.h"
#include "train/run/start_training.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using testing::HasSubstr;

class TwoNetworksTest : public models::FolderTest {
 protected:
  TrainRequest request(const std::string& game, const char* small_share) const {
    TrainRequest request;
    request.game = game;
    request.run = folder_ / "run";
    request.seed = 3;
    request.overrides = tiny_run();
    for (const auto& [key, value] : Overrides{{"rating.time_share", "0"},
                                              {"self_play.small_share", small_share},
                                              {"self_play.small_nodes", "20"},
                                              {"self_play.mixed_share", "0.1"},
                                              {"learning.small_row_share", "0.25"},
                                              {"learning.small_from_tower", "true"},
                                              {"learning.small_rows_per_generation", "300"},
                                              {"learning.small_replay_ratio", "40"}})
      request.overrides.emplace_back(key, value);
    return request;
  }

  // Trains until the run has this many generations; its newest checkpoint.
  static models::Model train_to(TrainRequest request, std::int64_t generation) {
    request.overrides.emplace_back("generations", std::to_string(generation));
    run_training(request, {});
    const auto latest = models::CheckpointStore(RunPaths(request.run).checkpoints()).latest();
    EXPECT_EQ(latest->generation, generation);
    return models::read_model(latest->path);
  }

  static std::vector<nn::SmallLearnerState> states_of(const std::filesystem::path& run) {
    std::vector<nn::SmallLearnerState> states;
    models::read_learner_state(RunPaths(run).learner(), nullptr, &states);
    return states;
  }

  static std::vector<std::unique_ptr<GameRecord>> small_games(const std::filesystem::path& run) {
    std::vector<std::unique_ptr<GameRecord>> games;
    for (const Shard& shard : list_shards(RunPaths(run).small_replay())) {
      models::Recovery recovery;
      for (auto& game : read_shard(shard.path, &recovery)) games.push_back(std::move(game));
    }
    return games;
  }
};

TEST_F(TwoNetworksTest, ARunWithoutATowerMakesASmallNetwork) {
  const TrainRequest wanted = request("makruk", "1");
  const models::Model made = train_to(wanted, 2);
  EXPECT_TRUE(made.tower_id().empty());
  ASSERT_EQ(made.small_networks.size(), 1u);
  EXPECT_EQ(made.small_networks.front().game, "makruk");
  EXPECT_EQ(made.id(), models::small_network_id(made.small_networks.front()));
  EXPECT_EQ(made.manifest.generation(), 2);

  // Generation 0 counts material; the networks that play are those of the checkpoints. A game is played to
  // its end by the one that began it.
  const models::CheckpointStore checkpoints(RunPaths(wanted.run).checkpoints());
  const auto id_of = [&](std::int64_t generation) {
    return models::read_model(checkpoints.path(generation)).id();
  };
  std::int64_t rows = 0;
  for (const auto& game : small_games(wanted.run)) {
    EXPECT_THAT(
        game->small_network(),
        testing::AnyOf(id_of(game->generation()), id_of(std::max<std::int64_t>(0, game->generation() - 1))));
    rows += count_rows(*game);
  }
  EXPECT_EQ(models::read_model(checkpoints.path(0)).small_networks.front(),
            mcts::material_small_network(make("makruk")->info()));
  EXPECT_EQ(made.manifest.rows(), rows);
  EXPECT_GE(rows, 600);
  const std::string metrics = models::read_text_file(RunPaths(wanted.run).metrics());
  EXPECT_THAT(metrics, HasSubstr("\"small/loss\""));
  EXPECT_TRUE(ledger_faults(wanted.run, LedgerDepth::kEveryByte).empty());
}

TEST_F(TwoNetworksTest, ItGoesOnWithWeightsAndOptimiser) {
  const TrainRequest wanted = request("makruk", "1");
  train_to(wanted, 1);
  const auto before = states_of(wanted.run);
  ASSERT_EQ(before.size(), 1u);
  EXPECT_GT(before.front().steps, 0);
  train_to(wanted, 2);
  EXPECT_GT(states_of(wanted.run).front().steps, before.front().steps);

  // Without the learner's state the newest network is gone on with.
  const models::CheckpointStore checkpoints(RunPaths(wanted.run).checkpoints());
  const std::string newest = models::read_model(checkpoints.latest()->path).id();
  std::filesystem::remove(RunPaths(wanted.run).learner());
  train_to(wanted, 2);
  EXPECT_EQ(models::read_model(checkpoints.latest()->path).id(), newest);
  train_to(wanted, 3);
  EXPECT_TRUE(std::ranges::any_of(small_games(wanted.run), [&](const auto& game) {
    return game->small_network() == newest;
  })) << "not by material again";
}

TEST_F(TwoNetworksTest, ASmallNetworkIsFittedToTheStoredGamesAndTheRunLeftAlone) {
  const TrainRequest wanted = request("makruk", "1");
  train_to(wanted, 1);
  const auto learner = models::read_text_file(RunPaths(wanted.run).learner());
  std::ostringstream shown;
  Display display(&shown, false);
  FitRequest fitted{.run = wanted.run, .steps = 30, .network = folder_ / "fitted" / "small.mzc"};
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_THAT(models::error_of([&] { fit_small(fitted, &display, stopped.get_token()); }),
              HasSubstr("nothing was written"));
  EXPECT_FALSE(std::filesystem::exists(fitted.network));

  const SmallFitResult by_result = [&] {
    FitRequest other = fitted;
    other.changes = {{"learning.small_lambda", "1"}};
    return fit_small(other, &display, {});
  }();
  const SmallFitResult result = fit_small(fitted, &display, {});
  EXPECT_EQ(result.losses.steps, 30);
  EXPECT_LT(result.losses.learning, std::log(2.0)) << "knows more than that all results are equal";
  EXPECT_NE(by_result.losses.entropy, result.losses.entropy) << "other targets";
  const models::Model made = models::read_model(fitted.network);
  ASSERT_EQ(made.small_networks.size(), 1u);
  EXPECT_EQ(made.small_networks.front().game, "makruk");
  EXPECT_TRUE(made.tower_id().empty());
  EXPECT_EQ(models::read_text_file(RunPaths(wanted.run).learner()), learner);

  EXPECT_THAT(models::error_of([&] { fit(fitted, &display, {}); }), HasSubstr("the run trains no tower"));

  FitRequest none{.run = folder_ / "tower", .changes = {{"learning.small_from_tower", "false"}}};
  TrainRequest tower = request("makyek", "0");
  tower.run = none.run;
  train_to(tower, 1);
  EXPECT_THAT(models::error_of([&] { fit_small(none, &display, {}); }), HasSubstr("holds no games"));
}

TEST_F(TwoNetworksTest, OneRunMakesBothAndRepeatsThemBitByBit) {
  const auto deterministic = [this](const char* name) {
    TrainRequest wanted = request("makyek", "0.5");
    wanted.run = folder_ / name;
    wanted.overrides.emplace_back("deterministic", "true");
    const models::Model made = train_to(wanted, 2);
    EXPECT_FALSE(made.tower_id().empty());
    EXPECT_EQ(made.small_networks.size(), 1u);
    std::int64_t tower = 0, small = 0;
    ReplayStore store(RunPaths(wanted.run).replay(), 20);
    for (const auto& game : store.window()) {
      EXPECT_TRUE(game->small_network().empty());
      tower += count_rows(*game);
    }
    for (const auto& game : small_games(wanted.run)) small += count_rows(*game);
    // Half of the plies, but for those of the games that were not finished.
    EXPECT_GT(small, tower / 3);
    EXPECT_LT(small, 2 * tower);
    return made.id();
  };
  EXPECT_EQ(deterministic("one"), deterministic("other"));
}

TEST_F(TwoNetworksTest, TheFirstGamesMayBeThoseOfTheSmallNetworkAlone) {
  TrainRequest wanted = request("makyek", "0.5");
  wanted.overrides.emplace_back("self_play.bootstrap_evaluator", "ALPHA_BETA");
  train_to(wanted, 1);
  EXPECT_TRUE(list_shards(RunPaths(wanted.run).replay()).empty());
  const models::Model made = train_to(wanted, 2);
  EXPECT_EQ(made.small_networks.size(), 1u);
  EXPECT_GT(made.manifest.steps(), 7);  // The tower has learnt in both generations.
  EXPECT_FALSE(list_shards(RunPaths(wanted.run).replay()).empty());

  // Where the tower learns from none of them the tree search plays, as by MATERIAL.
  for (const auto& [key, value] :
       Overrides{{"self_play.small_share", "0"}, {"learning.small_row_share", "0"}}) {
    TrainRequest other = wanted;
    other.run = folder_ / key;
    other.overrides.emplace_back(key, value);
    train_to(other, 1);
    EXPECT_FALSE(list_shards(RunPaths(other.run).replay()).empty()) << key;
  }
}

// One side's plies are searched by the tree, the other's by alpha-beta, and both networks learn from them.
TEST_F(TwoNetworksTest, TheTowerMeetsTheSmallNetworkInAShareOfItsGames) {
  TrainRequest wanted = request("makyek", "0.5");
  wanted.overrides.emplace_back("self_play.mixed_share", "1");
  train_to(wanted, 3);
  const ReplayStore store(RunPaths(wanted.run).replay(), 20);
  const game::GamePtr game = *game::make_game("makyek");
  int mixed = 0;
  for (const auto& record : store.window()) {
    EXPECT_NO_THROW(replay_game(*game, *record, {}));
    if (record->small_opponent().empty()) continue;
    ++mixed;
    EXPECT_FALSE(is_small_game(*record));
    EXPECT_EQ(find_field_fault(*record), std::nullopt);
    const auto is_by_tree = [&](int ply) { return record->plies(ply).full_search(); };
    for (int ply = static_cast<int>(record->opening_plies()); ply + 1 < record->plies_size(); ++ply) {
      EXPECT_NE(is_by_tree(ply), is_by_tree(ply + 1)) << record->number() << " " << ply;
      EXPECT_TRUE(is_row(record->plies(ply)));
    }
  }
  EXPECT_GT(mixed, 3);
}

TEST_F(TwoNetworksTest, BothNetworksAreRated) {
  setenv("MAKZERO_ZOO", "", 1);
  TrainRequest wanted = request("makyek", "0.5");
  for (const auto& [key, value] : Overrides{{"rating.time_share", "1"},
                                            {"rating.games", "2"},
                                            {"rating.simulations", "2"},
                                            {"rating.opening_plies", "2"}})
    wanted.overrides.emplace_back(key, value);
  train_to(wanted, 6);
  const std::string log = models::read_text_file(RunPaths(wanted.run).log());
  EXPECT_THAT(log, HasSubstr(" network=tower evaluations="));
  EXPECT_THAT(log, HasSubstr(" network=small evaluations="));
  const std::string metrics = models::read_text_file(RunPaths(wanted.run).metrics());
  EXPECT_THAT(metrics, HasSubstr("\"small/elo\""));
  EXPECT_TRUE(ledger_faults(wanted.run, LedgerDepth::kEveryByte).empty());

  TrainRequest alone = request("makyek", "1");
  alone.run = folder_ / "alone";
  alone.overrides.insert(alone.overrides.end(), {{"rating.time_share", "1"}, {"rating.games", "2"}});
  train_to(alone, 3);
  EXPECT_THAT(models::read_text_file(RunPaths(alone.run).log()), HasSubstr(" network=small evaluations="));
}

TEST_F(TwoNetworksTest, WithoutASmallNetworkTheTowersGamesAreTheSame) {
  const auto games_and_tower = [this](const char* name, const Overrides& more) {
    TrainRequest wanted = request("makyek", "0");
    wanted.run = folder_ / name;
    wanted.overrides.emplace_back("deterministic", "true");
    wanted.overrides.insert(wanted.overrides.end(), more.begin(), more.end());
    const std::string tower = train_to(wanted, 2).tower_id();
    std::string games;
    ReplayStore store(RunPaths(wanted.run).replay(), 20);
    for (const auto& game : store.window()) games += game->SerializeAsString();
    return games + tower;
  };
  EXPECT_EQ(games_and_tower("plain", {}),
            games_and_tower("other", {{"learning.small_row_share", "0.5"}, {"self_play.small_nodes", "99"}}));
}

TEST_F(TwoNetworksTest, ARunOfBeforeBeginsASmallNetwork) {
  TrainRequest wanted = request("makyek", "0");
  const models::Model before = train_to(wanted, 1);
  EXPECT_TRUE(before.small_networks.empty());
  wanted.overrides.emplace_back("self_play.small_share", "0.5");
  const models::Model after = train_to(wanted, 2);
  EXPECT_EQ(after.manifest.parent(), before.id());
  EXPECT_EQ(after.small_networks.size(), 1u);
}

TEST_F(TwoNetworksTest, ASmallNetworkBeginsWithThatOfItsKin) {
  TrainRequest first = request("makruk", "1");
  first.run = folder_ / "first";
  const models::Model makruk = train_to(first, 1);
  TrainRequest second = request("ok", "1");
  second.overrides.emplace_back(
      "from", models::CheckpointStore(RunPaths(first.run).checkpoints()).latest()->path.string());
  train_to(second, 1);
  const models::Model ok =
      models::read_model(models::CheckpointStore(RunPaths(second.run).checkpoints()).path(0));
  ASSERT_EQ(ok.small_networks.size(), 1u);
  EXPECT_EQ(ok.small_networks.front().game, "ok");
  EXPECT_EQ(ok.small_networks.front().features, makruk.small_networks.front().features);
}

TEST_F(TwoNetworksTest, SeveralGamesHaveANetworkEach) {
  const models::Model made = train_to(request("makruk,ok", "1"), 1);
  std::vector<std::string> games;
  for (const mcts::SmallNetwork& network : made.small_networks) games.push_back(network.game);
  EXPECT_THAT(games, testing::UnorderedElementsAre("makruk", "ok"));
}

TEST_F(TwoNetworksTest, WhatIsLostOfItsGamesIsSeen) {
  const TrainRequest wanted = request("makruk", "1");
  train_to(wanted, 1);
  const std::filesystem::path shard = shard_path(RunPaths(wanted.run).small_replay(), 0);
  std::filesystem::resize_file(shard, std::filesystem::file_size(shard) / 2);
  const auto faults = ledger_faults(wanted.run, LedgerDepth::kQuick);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults.front().file, shard);
}

}  // namespace
}  // namespace makzero::train
