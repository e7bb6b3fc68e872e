// Forecast of what a training may fill and of its first network.
#include "train/run/needs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/config.h"

namespace makzero::train {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

nn::Network network_of(std::size_t numbers) {
  return {.architecture = {}, .weights = {{.name = "a", .shape = {}, .data = std::vector<float>(numbers)}}};
}

TEST(NeedsTest, ThePresetForCardsIsBoundedByItsWindowItsShardsAndTheCheckpointsThatStay) {
  const Config config = *preset_config("gpu", "makruk");
  EXPECT_EQ(needs_text(needs_of(config, network_of(3'000'000))),
            "needs up to 4.8 GB of memory for games, up to 80 GB of disk for games and up to 0.5 GB for "
            "checkpoints");
  EXPECT_EQ(needs_of(*override_config(config, {{"self_play.small_share", "0"}}), network_of(1)).games, 40);
}

TEST(NeedsTest, WhatGrowsWithoutLimitIsSaid) {
  Config config = *preset_config("quick", "makyek");
  config.mutable_replay()->set_maximum_window(300'000);
  EXPECT_EQ(needs_text(needs_of(config, network_of(250'000))),
            "needs up to 0.2 GB of memory for games, disk for all games (replay.gigabytes limits it) and 1.0 "
            "MB for "
            "every checkpoint");
}

TEST(NeedsTest, ShortagesNameTheSettingToLower) {
  const RunNeeds needs = {.memory = 2.4, .games = 40, .checkpoint = 0.012, .checkpoints = 0.5};
  EXPECT_THAT(shortages(needs, {.memory = 3, .disk = 41}), IsEmpty());
  EXPECT_THAT(
      shortages(needs, {.memory = 2, .disk = 40}),
      ElementsAre("2.0 GB of memory are free, and the window may take 2.4 GB: lower replay.maximum_window",
                  "40 GB of disk are free, and the run may take 40 GB: lower replay.gigabytes"));
}

TEST(NeedsTest, FreeSpaceIsThatOfTheFoldersDisk) {
  const FreeSpace free = free_space(".");
  EXPECT_GT(free.memory, 0);
  EXPECT_GT(free.disk, 0);
}

TEST(NeedsTest, ACardWithoutBf16LearnsInFp32AndItIsSaid) {
  Config config = *preset_config("gpu", "makruk");
  EXPECT_EQ(precision_note(config, true), "");
  EXPECT_EQ(precision_note(config, false),
            "cuda does not compute in bf16, as cards from Ampere on do: the network learns in fp32");
  config.mutable_learning()->set_mixed_precision(false);
  EXPECT_EQ(precision_note(config, false), "");
  EXPECT_EQ(precision_note(*preset_config("quick", "makruk"), false), "");
}

TEST(NeedsTest, TheFirstNetworkIsForecastByRowsAndThenByTime) {
  LearningConfig config;
  config.set_bootstrap_rows(20'000);
  config.set_replay_ratio(4);
  config.set_batch(256);
  EXPECT_EQ(first_network_text(config),
            "first network after 20000 rows of self-play and 313 steps of learning");
  EXPECT_EQ(first_network_text(config, 250),
            "first network in about 4m10s of self-play and after 313 steps of learning");
}

}  // namespace
}  // namespace makzero::train
