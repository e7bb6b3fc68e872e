// Games on the terminal, with what a person types piped in.
#include "play/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::play {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

PlayedGame new_game(const std::string& ruleset, const std::string& position = "") {
  const game::GamePtr rules = *game::make_game(ruleset);
  if (position.empty()) return PlayedGame(rules);
  return {rules, *game::parse_position(*rules, position)};
}

std::string session(const std::string& typed, const PlayedGame& game, TerminalOptions options = {}) {
  EngineOptions engine_options;
  engine_options.player = "alphabeta:1";
  Engine engine(game.rules_pointer(), engine_options);
  std::istringstream in(typed);
  std::ostringstream out;
  Terminal(in, out, &engine, game, options).run();
  return out.str();
}

TEST(TerminalTest, AMoveIsPlayedAndAnswered) {
  const std::string shown = session("a3a4\n", new_game("makyek"));
  EXPECT_THAT(shown,
              AllOf(HasSubstr("White plays a3a4"), HasSubstr("Black plays "), HasSubstr(" % Black, draw ")));
}

TEST(TerminalTest, CapturesAreNamedAndCounted) {
  // The man arrives between two enemies and takes both.
  const std::string shown = session("b1b4\n", new_game("makyek", "m7/8/8/8/m1m5/8/8/1M6 w"));
  EXPECT_THAT(shown,
              AllOf(HasSubstr("White plays b1b4 and takes mm"), HasSubstr("has taken mm"), HasSubstr(" x ")));
}

TEST(TerminalTest, AnIllegalMoveIsExplainedAndAskedForAgain) {
  const std::string shown = session("a3c4\na3a4\n", new_game("makyek"));
  EXPECT_THAT(shown, AllOf(HasSubstr("move 'a3c4' is not legal; from a3:"), HasSubstr("White plays a3a4")));
}

TEST(TerminalTest, UndoGoesBackToThePersonsMove) {
  const std::string shown = session("a3a4\nundo\nmoves a3\n", new_game("makyek"));
  EXPECT_THAT(shown, HasSubstr("> "
                               " a3a4 a3a5"));
}

TEST(TerminalTest, UndoAtTheStartSaysSo) {
  EXPECT_THAT(session("undo\n", new_game("makyek")), HasSubstr("no move to take back"));
}

TEST(TerminalTest, FlipShowsTheFirstRankOnTop) {
  const std::string shown = session("flip\n", new_game("makyek"));
  EXPECT_THAT(shown, HasSubstr(" h  g  f  e  d  c  b  a"));
}

TEST(TerminalTest, AHintIsALegalMove) {
  const PlayedGame game = new_game("makruk");
  const std::string shown = session("hint\n", game);
  const size_t at = shown.find("hint: ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_TRUE(
      game::parse_move(game.rules(), game.position(), shown.substr(at + 6, shown.find('\n', at) - at - 6)));
}

TEST(TerminalTest, ResignationEndsTheGameForTheOther) {
  EXPECT_THAT(session("resign\na3a4\n", new_game("makyek")),
              AllOf(HasSubstr("Game over: 0-1, resignation"), HasSubstr("the game is over: 'undo'")));
}

TEST(TerminalTest, TheEndOfTheGameIsTold) {
  EXPECT_THAT(session("b6b8\n", new_game("makruk", "7k/R7/1R6/8/8/8/8/K7 w - - 0 1")),
              HasSubstr("Game over: 1-0, checkmate"));
}

TEST(TerminalTest, TheCountIsShown) {
  EXPECT_THAT(session("a2a3\n", new_game("makruk", "4k3/8/8/8/8/8/R7/4K3 w - - 0 1")),
              HasSubstr("count: ply "));
}

TEST(TerminalTest, ACountIsDeclaredWhereTheRulesLeaveItToThePlayer) {
  const PlayedGame game = new_game("makruk:count.mode=manual", "4k2n/8/8/8/8/8/R7/4K3 w - - 0 1");
  EXPECT_THAT(session("count start\n", game), HasSubstr("counted by White"));
  EXPECT_THAT(session("count stop\n", game), HasSubstr("'count stop' cannot be declared now"));
  EXPECT_THAT(session("count start\n", new_game("makruk")), HasSubstr("no count is left to the players"));
}

TEST(TerminalTest, ASavedGameReadsBack) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "makzero_saved_game.txt";
  session("a3a4\nsave " + path.string() + "\n", new_game("makyek"));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const game::Parsed<PlayedGame> game = read_game_text(text.str());
  ASSERT_TRUE(game) << game.why();
  EXPECT_EQ(game->actions().size(), 2u);
  std::filesystem::remove(path);
}

TEST(TerminalTest, AnUnwritableFileIsNamed) {
  EXPECT_THAT(session("save no/such/folder/game.txt\n", new_game("makyek")),
              HasSubstr("no/such/folder/game.txt"));
}

TEST(TerminalTest, UnknownWordsGetASuggestion) {
  EXPECT_THAT(session("hnit\nxyzzy\n", new_game("makyek")),
              AllOf(HasSubstr("did you mean 'hint'?"), HasSubstr("unknown command 'xyzzy'")));
}

TEST(TerminalTest, TwoPeoplePlayWithoutTheEngine) {
  TerminalOptions options;
  options.human[1] = true;
  const std::string shown = session("a3a4\na6a5\n", new_game("makyek"), options);
  EXPECT_THAT(shown, HasSubstr("Black plays a6a5"));
}

TEST(TerminalTest, ColoursAreOnlyUsedWhenAskedFor) {
  TerminalOptions colored;
  colored.style.color = true;
  EXPECT_THAT(session("a3a4\n", new_game("makyek")), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(session("a3a4\n", new_game("makyek"), colored), HasSubstr("\x1b["));
}

}  // namespace
}  // namespace makzero::play
