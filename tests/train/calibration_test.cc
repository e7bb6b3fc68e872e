#include "train/rating/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/outcome.h"
#include "models/framed_file.h"
#include "tests/support/file_tools.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

GameRecord game_of(game::Result result, game::Reason reason, const std::vector<float>& values) {
  GameRecord record;
  record.set_result(static_cast<std::uint32_t>(result));
  record.set_reason(static_cast<std::uint32_t>(reason));
  for (const float value : values) {
    PlyRecord* ply = record.add_plies();
    ply->set_policy("x");
    ply->set_white(std::max(0.0f, value));
    ply->set_black(std::max(0.0f, -value));
  }
  return record;
}

TEST(CalibrationTest, BinsHoldWhatWasPredictedAndWhatCame) {
  Calibration calibration;
  calibration.add(game_of(game::Result::kWhiteWins, game::Reason::kNoPieces, {0.9f, 0.95f}));
  calibration.add(game_of(game::Result::kDraw, game::Reason::kRepetition, {0.92f, -1}));
  const std::vector<CalibrationBin> bins = calibration.bins();
  ASSERT_EQ(bins.size(), 2u);
  EXPECT_EQ(bins[0].positions, 1);
  EXPECT_DOUBLE_EQ(bins[0].predicted, 0);
  EXPECT_DOUBLE_EQ(bins[0].scored, 0.5);
  EXPECT_EQ(bins[1].positions, 3);
  EXPECT_NEAR(bins[1].predicted, (0.95 + 0.975 + 0.96) / 3, 1e-6);
  EXPECT_NEAR(bins[1].scored, 2.5 / 3, 1e-12);
}

TEST(CalibrationTest, AdjudicatedGamesAndUnsearchedPliesSayNothing) {
  Calibration calibration;
  calibration.add(game_of(game::Result::kWhiteWins, game::Reason::kMaterialAtPlyCap, {0.5f}));
  GameRecord opening = game_of(game::Result::kWhiteWins, game::Reason::kNoPieces, {0.5f});
  opening.mutable_plies(0)->clear_policy();
  calibration.add(opening);
  EXPECT_TRUE(calibration.bins().empty());
}

TEST(CalibrationTest, InGalaBlackBegins) {
  Calibration calibration;
  GameRecord game = game_of(game::Result::kDraw, game::Reason::kRepetition, {0.2f});
  game.set_ruleset("gala");
  calibration.add(game);  // Black to move was given 0.4 and scored 0.5.
  EXPECT_NEAR(calibration.mover_bias(), -0.1, 1e-6);
}

TEST(CalibrationTest, MoverBiasIsWhatTheSideToMoveWasExpectedToScoreBeyondWhatItDid) {
  Calibration calibration;
  EXPECT_EQ(calibration.mover_bias(), 0);
  // White scores 0.5: White to move was given 0.6 and 0.7, Black 0.6.
  calibration.add(game_of(game::Result::kDraw, game::Reason::kRepetition, {0.2f, -0.2f, 0.4f}));
  EXPECT_NEAR(calibration.mover_bias(), (0.1 + 0.1 + 0.2) / 3, 1e-6);
  GameRecord black_first = game_of(game::Result::kBlackWins, game::Reason::kNoPieces, {0.2f});
  black_first.set_start("mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM b");
  calibration.add(black_first);  // Black won and was given 0.4.
  EXPECT_NEAR(calibration.mover_bias(), (0.4 - 0.6) / 4, 1e-6);
}

using CalibrationFilesTest = models::FolderTest;

TEST_F(CalibrationFilesTest, OnlyTheNewestShardsAreRead) {
  const RunPaths run(folder_);
  std::filesystem::create_directories(run.replay());
  for (const int number : {0, 1, 2}) {
    models::FrameAppender shard(run.replay() / ("00000" + std::to_string(number) + ".mzg"),
                                models::FileKind::kGames);
    shard.add(game_of(game::Result::kDraw, game::Reason::kRepetition, std::vector<float>(number + 1, 0.0f))
                  .SerializeAsString());
  }
  EXPECT_EQ(calibration_of(folder_, 2).bins().at(0).positions, 5);
  EXPECT_TRUE(calibration_of(folder_ / "nothing", 2).bins().empty());
}

TEST(ForecastTest, ALineOverDoublingsGoesOn) {
  const std::vector<CurvePoint> curve = {{1000, -500}, {2000, 0}, {4000, 50}, {8000, 100}};
  const auto line = forecast(curve);
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->elo_per_doubling, 50, 1e-9);
  EXPECT_NEAR(line->effort_for_100, 24000, 1e-6);
}

TEST(ForecastTest, ARiseWithinTheErrorsOfThePointsIsNone) {
  const auto curve = [](double error) {
    return std::vector<CurvePoint>{
        {1000, -500, error}, {2000, 0, error}, {4000, 50, error}, {8000, 100, error}};
  };
  EXPECT_FALSE(forecast(curve(40)));
  const auto line = forecast(curve(10));
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->low, 50 - 1.96 * 10 * std::sqrt(2), 1e-6);
  EXPECT_NEAR(line->high, 50 + 1.96 * 10 * std::sqrt(2), 1e-6);
}

TEST(ForecastTest, TooFewPointsAndFallingCurvesHaveNone) {
  EXPECT_FALSE(forecast(std::vector<CurvePoint>{{1, 0}, {2, 50}, {4, 100}}));
  EXPECT_FALSE(forecast(std::vector<CurvePoint>{{1, 0}, {2, 50}, {4, 100}, {8, 90}}));
}

}  // namespace
}  // namespace makzero::train
