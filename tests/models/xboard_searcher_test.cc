// Tests of XBoard engines as players: good answers are played, all others end the match with the game so far.
#include "models/player/xboard_searcher.h"

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
#include "models/player/move_time.h"
#include "tests/support/engine_answer.h"

namespace makzero::models {
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

TEST(XboardSearcherTest, PlaysTheAnswerOfTheEngine) {
  const game::GamePtr game = *game::make_game("makyek");
  XboardSearcher player(*game, fake_engine("b3b4"));
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
  TimeBalance balance(per_move, milliseconds(1));
  ClockControl control;
  constexpr int kMoves = 300;
  double sum = 0;
  for (int move = 0; move < kMoves; ++move) {
    const milliseconds shown = control.clock_for(balance.next());
    const double used = static_cast<double>(shown.count()) * shares[move % shares.size()];
    const std::chrono::nanoseconds time(static_cast<std::int64_t>(1e6 * used));
    control.add(shown, time);
    balance.add(time);
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

TEST(XboardSearcherTest, AStartOtherThanTheInitialPositionNeedsThatFeature) {
  const game::GamePtr game = *game::make_game("makyek");
  const game::Position start = *parse_position(*game, "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMM1 w");
  const std::string sent = ::testing::TempDir() + "makzero_sent_to_xboard_" + std::to_string(getpid());
  {
    XboardSearcher able(*game, fake_engine("b3b4 " + sent + " 1"));
    EXPECT_EQ(answer_of(&able, *game, &start), "b3b4");
  }  // It writes its last line there.
  std::stringstream lines;
  lines << std::ifstream(sent).rdbuf();
  EXPECT_THAT(lines.str(), HasSubstr("setboard " + position_text(*game, start) + "\na3a4"));
  std::filesystem::remove(sent);

  XboardSearcher unable(*game, fake_engine("b3b4"));
  EXPECT_THROW(answer_of(&unable, *game, &start), models::Error);
}

TEST(XboardSearcherTest, AnIllegalAnswerIsReportedWithTheGameSoFar) {
  EXPECT_THAT(
      failure_of<XboardSearcher>(fake_engine("b3b9")),
      AllOf(HasSubstr("played 'b3b9'"), HasSubstr("the game so far: position startpos moves a3a4 h6h5")));
}

TEST(XboardSearcherTest, GivingUpIsNoMove) {
  EXPECT_THAT(failure_of<XboardSearcher>(fake_engine("resigns")), HasSubstr("played 'resign'"));
}

TEST(XboardSearcherTest, AnEngineThatRefusesAMoveOfOursIsReported) {
  EXPECT_THAT(failure_of<XboardSearcher>(fake_engine("refuses")),
              AllOf(HasSubstr("says 'Illegal move: a3a4'"), HasSubstr("a3a4 h6h5")));
}

TEST(XboardSearcherTest, ASilentEngineIsGivenUp) {
  XboardSettings settings = fake_engine("silent");
  settings.timeout = milliseconds(200);
  EXPECT_THAT(failure_of<XboardSearcher>(settings),
              AllOf(HasSubstr("not answered for 200 ms"), HasSubstr("a3a4 h6h5")));
}

TEST(XboardSearcherTest, AnEngineThatEndsIsReported) {
  EXPECT_THAT(failure_of<XboardSearcher>(fake_engine("dies")),
              AllOf(HasSubstr("ended"), HasSubstr("a3a4 h6h5")));
}

TEST(XboardSearcherTest, AGameThatTheEngineDoesNotKnowIsReported) {
  XboardSettings settings = fake_engine("b3b4");
  settings.variant = "maky";
  EXPECT_THAT(failure_of<XboardSearcher>(settings), HasSubstr("does not play maky"));
}

}  // namespace
}  // namespace makzero::models
