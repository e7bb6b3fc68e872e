// The games of a run: what a resume finds of the generation that it goes on with.
#include "train/run/run_games.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/file_tools.h"
#include "train/config.h"

namespace makzero::train {
namespace {

class RunGamesTest : public models::FolderTest {
 protected:
  // The store of a run whose window is smaller than a generation, with three games a shard.
  RunGames open(const std::string& small_share) {
    config_ = *override_config(*preset_config("quick", "makyek"), {{"self_play.small_share", small_share},
                                                                   {"replay.minimum_window", "8"},
                                                                   {"replay.games_per_shard", "3"}});
    RunGames games(config_, RunPaths(folder_), false);
    games.update_window();
    return games;
  }

  // Adds games of four rows each.
  static void add(RunGames* games, int count, std::int64_t generation, const std::string& small_network) {
    for (int i = 0; i < count; ++i) {
      GameRecord game;
      game.set_generation(generation);
      game.set_small_network(small_network);
      for (int ply = 0; ply < 4; ++ply) game.add_plies()->set_full_search(true);
      games->add(std::move(game));
    }
  }

  static int count_of(const RunGames& games, std::int64_t generation) {
    int count = 0;
    games.for_each_of(generation, [&](const GameRecord&) { ++count; });
    return count;
  }

  Config config_;
};

TEST_F(RunGamesTest, AllGamesOfAGenerationAreFoundAlsoThoseThatTheWindowHasForgotten) {
  {
    RunGames games = open("0.5");
    add(&games, 5, 1, "");
    add(&games, 20, 2, "");
  }
  const RunGames games = open("0.5");
  EXPECT_LT(games.window_rows(), 80);
  EXPECT_EQ(count_of(games, 2), 20);
}

TEST_F(RunGamesTest, ThoseOfTheNextGenerationBehindThemHideNone) {
  {
    RunGames games = open("0.5");
    for (const std::int64_t generation : {1, 2, 3}) add(&games, 8, generation, "small");
  }
  EXPECT_EQ(count_of(open("0.5"), 2), 8);
}

TEST_F(RunGamesTest, AGameOfASmallNetworkIsKeptWhereNonePlays) {
  {
    RunGames games = open("0");
    add(&games, 1, 1, "small");
  }
  const RunGames games = open("0");
  EXPECT_EQ(games.games(), 1);
  EXPECT_EQ(games.tower_rows(), 0);
}

}  // namespace
}  // namespace makzero::train
