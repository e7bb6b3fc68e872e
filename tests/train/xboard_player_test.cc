// Tests of XBoard engines as players: good answers are played, all others end the match with the game so far.
#include "train/match/xboard_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "models/error.h"
#include "tests/support/engine_answer.h"
#include "train/match/arena.h"

namespace makzero::train {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

XboardSettings fake_engine(const std::string& behaviour) {
  XboardSettings settings;
  settings.command = "sh '" MAKZERO_TEST_DATA "/xboard/fake_engine.sh' " + behaviour;
  return settings;
}

TEST(XboardSettingsTest, ReadsHowToPlayBehindTheLastQuestionMark) {
  const auto settings = parse_xboard_settings("engine?clock=200&depth=4&timeout=3&variant=ouk&Resign=1");
  ASSERT_TRUE(settings) << settings.why();
  EXPECT_EQ(settings->command, "engine");
  EXPECT_EQ(settings->clock, milliseconds(200));
  EXPECT_EQ(settings->depth, 4);
  EXPECT_EQ(settings->timeout, std::chrono::seconds(3));
  EXPECT_EQ(settings->variant, "ouk");
  ASSERT_EQ(settings->options.size(), 1u);
  EXPECT_EQ(settings->options[0], (std::pair<std::string, std::string>("Resign", "1")));
}

TEST(XboardSettingsTest, NamesNumbersThatAreNone) {
  EXPECT_THAT(parse_xboard_settings("engine?clock=soon").why(), HasSubstr("clock='soon'"));
  EXPECT_THAT(parse_xboard_settings("engine?clock=5").why(), HasSubstr("10 ms or more"));
  EXPECT_THAT(parse_xboard_settings("engine?depth=0").why(), HasSubstr("depth='0'"));
  EXPECT_THAT(parse_xboard_settings("").why(), HasSubstr("needs a command"));
}

TEST(XboardPlayerTest, PlaysTheAnswerOfTheEngine) {
  const game::GamePtr game = *game::make_game("makyek");
  XboardPlayer player(*game, fake_engine("b3b4"));
  EXPECT_EQ(answer_of(&player, *game), "b3b4");
  EXPECT_EQ(answer_of(&player, *game), "b3b4");
}

TEST(XboardSettingsTest, AProcessorTimeStandsAlone) {
  EXPECT_EQ(parse_xboard_settings("engine?ms=100")->time, milliseconds(100));
  EXPECT_THAT(parse_xboard_settings("engine?ms=100&clock=50").why(), HasSubstr("stands alone"));
  EXPECT_THAT(parse_xboard_settings("engine?ms=100&depth=3").why(), HasSubstr("stands alone"));
}

// The mean processor time of a program that uses this share of its clock in turn, after many moves.
double mean_time(milliseconds per_move, const std::vector<double>& shares) {
  ClockControl control(per_move);
  constexpr int kMoves = 300;
  double sum = 0;
  for (int move = 0; move < kMoves; ++move) {
    const milliseconds shown = control.next();
    const double used = static_cast<double>(shown.count()) * shares[move % shares.size()];
    control.add(shown, std::chrono::nanoseconds(static_cast<std::int64_t>(1e6 * used)));
    sum += used;
  }
  return sum / kMoves;
}

TEST(XboardClockTest, AProgramThatUsesAShareOfItsClockUsesTheTimePerMove) {
  EXPECT_NEAR(mean_time(milliseconds(100), {1}), 100, 2);
  EXPECT_NEAR(mean_time(milliseconds(100), {0.1}), 100, 2);
  EXPECT_NEAR(mean_time(milliseconds(100), {0.05, 0.3, 0.1, 0.02}), 100, 5);
}

TEST(XboardClockTest, AProgramThatUsesMoreThanItsClockIsShownLess) {
  EXPECT_NEAR(mean_time(milliseconds(100), {3}), 100, 5);
}

TEST(XboardPlayerTest, AStartOtherThanTheInitialPositionNeedsThatFeature) {
  const game::GamePtr game = *game::make_game("makyek");
  const game::Position start = *parse_position(*game, "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMM1 w");
  const std::string sent = ::testing::TempDir() + "makzero_sent_to_xboard_" + std::to_string(getpid());
  XboardPlayer able(*game, fake_engine("b3b4 " + sent + " 1"));
  EXPECT_EQ(answer_of(&able, *game, &start), "b3b4");
  std::stringstream lines;
  lines << std::ifstream(sent).rdbuf();
  EXPECT_THAT(lines.str(), HasSubstr("setboard " + position_text(*game, start) + "\na3a4"));
  std::filesystem::remove(sent);

  XboardPlayer unable(*game, fake_engine("b3b4"));
  EXPECT_THROW(answer_of(&unable, *game, &start), models::Error);
}

TEST(XboardPlayerTest, AnIllegalAnswerIsReportedWithTheGameSoFar) {
  EXPECT_THAT(failure_of<XboardPlayer>(fake_engine("b3b9")),
              AllOf(HasSubstr("played 'b3b9'"), HasSubstr("the game so far: a3a4 h6h5")));
}

TEST(XboardPlayerTest, GivingUpIsNoMove) {
  EXPECT_THAT(failure_of<XboardPlayer>(fake_engine("resigns")), HasSubstr("played 'resign'"));
}

TEST(XboardPlayerTest, AnEngineThatRefusesAMoveOfOursIsReported) {
  EXPECT_THAT(failure_of<XboardPlayer>(fake_engine("refuses")),
              AllOf(HasSubstr("says 'Illegal move: a3a4'"), HasSubstr("a3a4 h6h5")));
}

TEST(XboardPlayerTest, ASilentEngineIsGivenUp) {
  XboardSettings settings = fake_engine("silent");
  settings.timeout = milliseconds(200);
  EXPECT_THAT(failure_of<XboardPlayer>(settings),
              AllOf(HasSubstr("not answered for 200 ms"), HasSubstr("a3a4 h6h5")));
}

TEST(XboardPlayerTest, AnEngineThatEndsIsReported) {
  EXPECT_THAT(failure_of<XboardPlayer>(fake_engine("dies")),
              AllOf(HasSubstr("ended"), HasSubstr("a3a4 h6h5")));
}

TEST(XboardPlayerTest, AGameThatTheEngineDoesNotKnowIsReported) {
  XboardSettings settings = fake_engine("b3b4");
  settings.variant = "maky";
  EXPECT_THAT(failure_of<XboardPlayer>(settings), HasSubstr("does not play maky"));
}

// Fairy-Max ends the match with an error where it disagrees about a move.
TEST(XboardPlayerTest, FairyMaxPlaysWholeGamesOfMakruk) {
  if (!is_installed("fairymax")) GTEST_SKIP() << "not installed: `tests/run.sh install` installs it";
  const game::GamePtr game = *game::make_game("makruk");
  const auto player = [](const char* text) { return *parse_player(text, ""); };
  const MatchResult result = play_match(*game, player("xboard:fairymax?clock=10"), player("alphabeta:1"),
                                        {.games = 6}, [](const MatchProgress&) { return true; });
  EXPECT_EQ(result.score.games, 6);
  EXPECT_GT(result.score.score_by_material(), 0.5);
}

}  // namespace
}  // namespace makzero::train
