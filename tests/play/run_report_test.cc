// Tests of forecast and ratings in a run's report.
#include "play/server/run_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "game/outcome.h"
#include "models/file_io.h"
#include "tests/support/file_tools.h"
#include "train/rating/rating.h"
#include "train/run_folder.h"

namespace makzero::play {
namespace {

using nlohmann::json;

constexpr int kGenerations = 4;  // Each of them stronger than the one before it.

class RunReportTest : public models::FolderTest {
 protected:
  void SetUp() override {
    models::write_text_file(train::RunPaths(folder_).status(), R"({"phase":"stopped","ruleset":"makyek"})");
    add_matches(folder_);
  }

  // Of every generation against the random player.
  static void add_matches(const std::filesystem::path& folder) {
    train::RatingStore store(folder);
    std::vector<train::MatchRecord> games;
    for (int generation = 1; generation <= kGenerations; ++generation) {
      for (int i = 0; i < 400; ++i) games.push_back(game_of(generation, i < 220 + 40 * generation));
    }
    store.add(games);
  }

  // The forecast of a run whose generations each have `figures`, doubled with each.
  json forecast_with(const json& figures) {
    std::string lines;
    for (int generation = 1; generation <= kGenerations; ++generation) {
      json row = {{"generation", generation}};
      for (const auto& [name, value] : figures.items()) row[name] = value.get<int>() << generation;
      lines += row.dump() + "\n";
    }
    models::write_text_file(train::RunPaths(folder_).metrics(), lines);
    return run_report(folder_)["forecast"];
  }

 private:
  static train::MatchRecord game_of(int generation, bool is_won) {
    train::MatchRecord game;
    game.set_player_a("generation " + std::to_string(generation));
    game.set_player_b("random");
    game.set_a_is_white(true);
    game.set_generation_a(generation);
    game.set_generation_b(-1);
    game.set_result(static_cast<std::uint32_t>(is_won ? game::Result::kWhiteWins : game::Result::kBlackWins));
    return game;
  }
};

TEST_F(RunReportTest, ATowerIsForecastOverItsEvaluations) {
  EXPECT_EQ(forecast_with({{"evaluations", 1000}, {"processor_seconds", 60}})["effort"], "evaluations");
}

TEST_F(RunReportTest, ARunWithoutATowerIsForecastOverItsProcessorTime) {
  const json forecast = forecast_with({{"evaluations", 0}, {"processor_seconds", 60}});
  EXPECT_EQ(forecast["effort"], "processor_seconds");
  EXPECT_GT(forecast["effortFor100"], 0);
  EXPECT_LT(forecast["effortFor100"], 60 << kGenerations);  // It gained more than that by its last doubling.
}

TEST_F(RunReportTest, AFormerRunWithoutATowerHasNoForecast) {
  EXPECT_TRUE(forecast_with({{"evaluations", 0}}).is_null());
}

TEST_F(RunReportTest, TheSmallNetworkBesideATowerHasRatingsOfItsOwn) {
  EXPECT_TRUE(run_report(folder_)["smallRatings"].empty());
  const std::filesystem::path store = train::RunPaths(folder_).ratings_of("small/makyek");
  std::filesystem::create_directories(store);
  add_matches(store);
  EXPECT_EQ(run_report(folder_)["smallRatings"].size(), kGenerations);
}

TEST_F(RunReportTest, AFileThatNamesNoGenerationIsNoSampleGame) {
  const std::filesystem::path games = train::RunPaths(folder_).games();
  std::filesystem::create_directories(games);
  for (const char* name : {"000002.txt", "best.txt"})
    std::filesystem::copy_file(
        std::filesystem::path(MAKZERO_TEST_DATA "/runs/makyek-2026-10/games/000002.txt"), games / name);
  const json shown = run_report(folder_)["games"];
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0]["generation"], 2);
}

}  // namespace
}  // namespace makzero::play
