// Tests of other programs as players: good answers are played, all others end the match with the game so far.
#include "models/player/uci_searcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "models/error.h"
#include "tests/support/engine_answer.h"

namespace makzero::models {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

UciSettings fake_engine(const std::string& behaviour) {
  UciSettings settings;
  settings.command = "sh '" MAKZERO_TEST_DATA "/uci/fake_engine.sh' " + behaviour;
  return settings;
}

TEST(UciSettingsTest, ReadsHowToPlayBehindTheLastQuestionMark) {
  const auto settings = parse_uci_settings("engine --really?yes?movetime=50&Hash=8&timeout=3&variant=ouk");
  ASSERT_TRUE(settings) << settings.why();
  EXPECT_EQ(settings->command, "engine --really?yes");
  EXPECT_EQ(settings->go, "go movetime 50");
  EXPECT_EQ(settings->timeout, std::chrono::seconds(3));
  EXPECT_EQ(settings->variant, "ouk");
  ASSERT_EQ(settings->options.size(), 1u);
  EXPECT_EQ(settings->options[0], (std::pair<std::string, std::string>("Hash", "8")));
}

TEST(UciSettingsTest, NamesNumbersThatAreNone) {
  EXPECT_THAT(parse_uci_settings("engine?nodes=many").why(), HasSubstr("nodes='many'"));
  EXPECT_THAT(parse_uci_settings("engine?movetime=0").why(), HasSubstr("movetime='0'"));
  EXPECT_THAT(parse_uci_settings("").why(), HasSubstr("needs a command"));
}

TEST(UciSearcherTest, PlaysTheAnswerOfTheEngine) {
  const game::GamePtr game = *game::make_game("makyek");
  UciSearcher player(*game, fake_engine("b3b4"));
  EXPECT_EQ(answer_of(&player, *game), "b3b4");
  EXPECT_EQ(answer_of(&player, *game), "b3b4");
}

TEST(UciSearcherTest, TheScoreOfAMoveIsTheEnginesLast) {
  const game::GamePtr game = *game::make_game("makyek");
  const auto expected = [&](const std::string& score) {
    UciSettings settings = fake_engine("b3b4");
    settings.command = "env SCORE='" + score + "' " + settings.command;
    UciSearcher player(*game, settings);
    answer_of(&player, *game);
    return player.info().value.win - player.info().value.loss;
  };
  EXPECT_EQ(expected("cp 0"), 0);
  EXPECT_GT(expected("cp 30 lowerbound"), 0);
  EXPECT_NEAR(expected("mate 3"), 1, 1e-3);
  EXPECT_NEAR(expected("mate -2"), -1, 1e-3);
}

TEST(UciSettingsTest, AProcessorTimeStandsAlone) {
  EXPECT_EQ(parse_uci_settings("engine?ms=100&Hash=8")->time, std::chrono::milliseconds(100));
  EXPECT_THAT(parse_uci_settings("engine?ms=100&nodes=5").why(),
              HasSubstr("ms=N of a uci player stands alone"));
  EXPECT_THAT(parse_uci_settings("engine?movetime=5&ms=100").why(), HasSubstr("stands alone"));
  EXPECT_THAT(parse_uci_settings("engine?ms=0").why(), HasSubstr("ms='0' must be a number of milliseconds"));
}

TEST(UciSettingsTest, AnAnswerMayTakeLongerThanTheTimePerMove) {
  EXPECT_GT(parse_uci_settings("engine?ms=60000")->timeout, std::chrono::minutes(5));
}

// The lines that an engine was sent.
class SentToEngine {
 public:
  SentToEngine() { std::filesystem::remove(path_); }
  ~SentToEngine() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

  std::vector<std::string> lines(const std::string& beginning) const {
    std::vector<std::string> found;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(beginning)) found.push_back(line);
    return found;
  }

 private:
  std::string path_ = ::testing::TempDir() + "makzero_sent_to_engine_" + std::to_string(getpid());
};

TEST(UciSearcherTest, AnEngineIsStoppedWhenItsProcessorTimeIsSpent) {
  const game::GamePtr game = *game::make_game("makyek");
  const SentToEngine sent;
  UciSettings settings = fake_engine("busy b3b4 " + sent.path());
  settings.time = milliseconds(100);
  UciSearcher player(*game, settings);
  const mcts::Limits limits{.time = milliseconds(100)};
  for (int move = 0; move < 4; ++move) EXPECT_EQ(answer_of(&player, *game, nullptr, limits), "b3b4");
  EXPECT_GT(player.processor_time() / 4, milliseconds(90)) << "also of the processes that it starts";
  EXPECT_LT(player.processor_time() / 4, milliseconds(150));
  EXPECT_EQ(sent.lines("stop").size(), 4u);
  EXPECT_THAT(sent.lines("setoption name Threads"), ElementsAre("setoption name Threads value 1"));
}

TEST(UciSearcherTest, AnEngineThatAnswersBeforeItsTimeIsNotStopped) {
  const game::GamePtr game = *game::make_game("makyek");
  const SentToEngine sent;
  UciSettings settings = fake_engine("b3b4 " + sent.path());
  settings.time = milliseconds(1000);
  UciSearcher player(*game, settings);
  EXPECT_EQ(answer_of(&player, *game, nullptr, {.time = milliseconds(1000)}), "b3b4");
  EXPECT_LT(player.processor_time(), milliseconds(500));
  EXPECT_THAT(sent.lines("stop"), IsEmpty());
}

TEST(UciSearcherTest, ANewGameIsAnnouncedOnceAGame) {
  const game::GamePtr game = *game::make_game("makyek");
  const SentToEngine sent;
  UciSearcher player(*game, fake_engine("b3b4 " + sent.path()));
  for (const bool is_new : {true, false, false, true, false}) {
    if (is_new) player.forget();
    answer_of(&player, *game);
  }
  EXPECT_EQ(sent.lines("position").size(), 5u);
  EXPECT_EQ(sent.lines("ucinewgame").size(), 2u);
}

TEST(UciSearcherTest, AStartOtherThanTheInitialPositionIsSent) {
  const game::GamePtr game = *game::make_game("makyek");
  const game::Position start = *parse_position(*game, "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMM1 w");
  const SentToEngine sent;
  UciSearcher player(*game, fake_engine("b3b4 " + sent.path()));
  answer_of(&player, *game, &start);
  EXPECT_THAT(sent.lines("position"),
              ElementsAre("position fen " + position_text(*game, start) + " moves a3a4 h6h5"));
}

TEST(UciSearcherTest, AnIllegalAnswerIsReportedWithTheGameSoFar) {
  EXPECT_THAT(failure_of<UciSearcher>(fake_engine("b3b9")),
              AllOf(HasSubstr("played 'b3b9'"), HasSubstr("position startpos moves a3a4 h6h5")));
}

TEST(UciSearcherTest, NoMoveIsAnIllegalAnswer) {
  EXPECT_THAT(failure_of<UciSearcher>(fake_engine("0000")), HasSubstr("played '0000'"));
}

TEST(UciSearcherTest, ASilentEngineIsGivenUp) {
  UciSettings settings = fake_engine("silent");
  settings.timeout = std::chrono::milliseconds(200);
  EXPECT_THAT(failure_of<UciSearcher>(settings),
              AllOf(HasSubstr("not answered for 200 ms"), HasSubstr("moves a3a4 h6h5")));
}

TEST(UciSearcherTest, AnEngineThatEndsIsReported) {
  EXPECT_THAT(failure_of<UciSearcher>(fake_engine("dies")),
              AllOf(HasSubstr("ended"), HasSubstr("moves a3a4 h6h5")));
}

TEST(UciSearcherTest, AMissingProgramIsReported) {
  UciSettings settings;
  settings.command = "/nonexistent/engine 2> /dev/null";
  EXPECT_THAT(failure_of<UciSearcher>(settings), StartsWith("engine '/nonexistent/engine"));
}

TEST(UciSearcherTest, AGameThatTheEngineDoesNotKnowIsReported) {
  UciSettings settings = fake_engine("b3b4");
  settings.variant = "maky";
  EXPECT_THAT(failure_of<UciSearcher>(settings), HasSubstr("does not play maky"));
}

}  // namespace
}  // namespace makzero::models
