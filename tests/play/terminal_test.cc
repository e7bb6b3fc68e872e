// Games on the terminal, with what a person types piped in.
#include "play/terminal/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/endings/solver.h"
#include "mcts/small_network.h"
#include "models/endings_file.h"
#include "models/model.h"
#include "play/notation/document_reader.h"
#include "tests/support/file_tools.h"
#include "tests/support/play_sessions.h"

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

const TerminalOptions kTwoPeople = {.human = {true, true}, .limits = {}, .style = {}};

TEST(TerminalTest, AMoveIsPlayedAndAnswered) {
  const std::string shown = terminal_session("a3a4\n", new_game("makyek"));
  EXPECT_THAT(shown,
              AllOf(HasSubstr("White plays a3-a4"), HasSubstr("Black plays "), HasSubstr(" % Black, draw ")));
}

TEST(TerminalTest, CapturesAreNamedAndCounted) {
  // The man arrives between two enemies and takes both.
  const std::string shown = terminal_session("b1b4\n", new_game("makyek", "m7/8/8/8/m1m5/8/8/1M6 w"));
  EXPECT_THAT(shown, AllOf(HasSubstr("White plays b1-b4xa4xc4 and takes mm"), HasSubstr("has taken mm"),
                           HasSubstr(" x ")));
}

TEST(TerminalTest, AnIllegalMoveIsExplainedAndAskedForAgain) {
  const std::string shown = terminal_session("a3c4\na3a4\n", new_game("makyek"));
  EXPECT_THAT(shown, AllOf(HasSubstr("move 'a3c4' is not legal; from a3:"), HasSubstr("White plays a3-a4")));
}

TEST(TerminalTest, UndoGoesBackToThePersonsMove) {
  const std::string shown = terminal_session("a3a4\nundo\nmoves a3\n", new_game("makyek"));
  EXPECT_THAT(shown, HasSubstr("> "
                               " a3-a4 a3-a5"));
}

TEST(TerminalTest, UndoAtTheStartSaysSo) {
  EXPECT_THAT(terminal_session("undo\n", new_game("makyek")), HasSubstr("no move to take back"));
}

TEST(TerminalTest, FlipShowsTheFirstRankOnTop) {
  const std::string shown = terminal_session("flip\n", new_game("makyek"));
  EXPECT_THAT(shown, HasSubstr(" h  g  f  e  d  c  b  a"));
}

TEST(TerminalTest, MovesAreTypedAndShownInAnyNotation) {
  EXPECT_THAT(terminal_session("Nd2\n", new_game("makruk"), kTwoPeople), HasSubstr("White plays Nd2"));
  EXPECT_THAT(terminal_session("จ๔\n", new_game("makruk"), kTwoPeople), HasSubstr("White plays e4"));
  TerminalOptions thai = kTwoPeople;
  thai.style.notation = Notation::kThai;
  EXPECT_THAT(terminal_session("nd2\nmoves a6\n", new_game("makruk"), thai),
              AllOf(HasSubstr("White plays ม-ง๒"), HasSubstr(" ก๕\n")));
}

TEST(TerminalTest, AHintIsALegalMove) {
  const PlayedGame game = new_game("makruk");
  const std::string shown = terminal_session("hint\n", game);
  const size_t at = shown.find("hint: ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_TRUE(
      parse_written_move(game.rules(), game.position(), shown.substr(at + 6, shown.find('\n', at) - at - 6)));
}

class TerminalEndingsTest : public models::FolderTest {
 protected:
  TerminalEndingsTest() { setenv("MAKZERO_ENDINGS", folder_.c_str(), 1); }
  ~TerminalEndingsTest() override { setenv("MAKZERO_ENDINGS", "", 1); }
};

TEST_F(TerminalEndingsTest, AHintTellsTheExactValueOfEveryMove) {
  const PlayedGame game = new_game("gala", "7/7/7/7/1M5/1m1M3/7 w");
  const game::Game& rules = game.rules();
  models::write_ending(
      rules.info(), mcts::solve_ending(rules, mcts::Endings(rules), mcts::ending_materials(rules).front()));
  const std::string network = (folder_ / "small.mzc").string();
  models::write_model(network, models::make_model(mcts::material_small_network(rules.info())));
  const std::string shown = terminal_session("hint\n", game, {}, network + ":1");
  EXPECT_THAT(shown, AllOf(HasSubstr("\nwin in 4: "), HasSubstr("\ndraw: "))) << shown;
  EXPECT_THAT(terminal_session("hint\n", game), Not(HasSubstr("win in"))) << "a player without endings";
}

TEST(TerminalTest, RulesAreThoseThatArePlayed) {
  const std::string shown = terminal_session("rules\n", new_game("makyek:jump=on"));
  EXPECT_THAT(shown, AllOf(HasSubstr("f5f7 takes e7 g7"), HasSubstr("## End of the game"),
                           HasSubstr("Changed by the options of makyek:jump=on:\n  Jumps: instead of"),
                           Not(HasSubstr("## Options"))));
  EXPECT_THAT(terminal_session("rules\n", new_game("makyek")), Not(HasSubstr("Changed by")));
}

TEST(TerminalTest, ExamplesOfTheRulesAreShownOnABoard) {
  EXPECT_THAT(terminal_session("rules\n", new_game("kaok")),
              HasSubstr("2  . . . R . . . .\n1  . . . K . . . .\n   a b c d e f g h\n"
                        "    4k3/8/8/8/8/8/3R4/3K4 w - - 0 1  d2e2  wins\n"));
}

TEST(TerminalTest, APartOfTheRulesIsNamedByItsHeading) {
  const std::string shown = terminal_session("rules count\n", new_game("makruk"));
  EXPECT_THAT(shown, AllOf(HasSubstr("## Counting"), Not(HasSubstr("## End of the game"))));
  EXPECT_THAT(terminal_session("rules xyz\n", new_game("makruk")),
              HasSubstr("no part of the rules begins with 'xyz': Board and set-up"));
}

// A long search that is interrupted as soon as it has begun.
TerminalOptions interrupted_once() {
  TerminalOptions options;
  options.limits.time = std::chrono::hours(1);
  options.interrupt = [calls = std::make_shared<int>(0)] { return ++*calls == 1; };
  return options;
}

TEST(TerminalTest, AnInterruptStopsTheThoughtAndAsks) {
  const std::string shown = terminal_session("a3a4\nundo\nquit\n", new_game("makyek"), interrupted_once());
  EXPECT_THAT(shown, AllOf(HasSubstr("stopped: 'go' lets Black think again"), Not(HasSubstr("Black plays"))));
  EXPECT_THAT(shown.substr(shown.find("stopped")), HasSubstr("Black > "));
}

TEST(TerminalTest, AStoppedEngineThinksAgainWhenItIsLet) {
  TerminalOptions options = interrupted_once();
  options.interrupt = [] { return true; };
  const std::string shown = terminal_session("a3a4\ngo\nquit\n", new_game("makyek"), options);
  EXPECT_EQ(shown.find("stopped"), shown.find("stopped: 'go'"));
  EXPECT_NE(shown.find("stopped", shown.find("stopped") + 1), std::string::npos) << shown;
}

TEST(TerminalTest, ResignationEndsTheGameForTheOther) {
  EXPECT_THAT(terminal_session("resign\na3a4\n", new_game("makyek")),
              AllOf(HasSubstr("You lose: White resigned."), HasSubstr("the game is over: 'undo'")));
}

TEST(TerminalTest, APersonResignsAlsoWhileAStoppedEngineIsToMove) {
  EXPECT_THAT(terminal_session("a3a4\nresign\n", new_game("makyek"), interrupted_once()),
              HasSubstr("You lose: White resigned."));
}

TEST(TerminalTest, TheEndOfTheGameIsTold) {
  EXPECT_THAT(terminal_session("b6b8\n", new_game("makruk", "7k/R7/1R6/8/8/8/8/K7 w - - 0 1")),
              HasSubstr("You win: Black is checkmated."));
}

TEST(TerminalTest, TheCountIsShown) {
  EXPECT_THAT(terminal_session("a2a3\n", new_game("makruk", "4k3/8/8/8/8/8/R7/4K3 w - - 0 1")),
              HasSubstr("Pieces' honour: "));
}

constexpr const char* kManual = "makruk:count.mode=manual,count.who=any";
constexpr const char* kRookAgainstKnight = "4k2n/8/8/8/8/8/R7/4K3 w - - 0 1";

TEST(TerminalTest, ACountIsDeclaredWhereTheRulesLeaveItToThePlayer) {
  const PlayedGame game = new_game(kManual, kRookAgainstKnight);
  const std::string shown = terminal_session("count\na2a3\n", game, kTwoPeople);
  EXPECT_THAT(shown, AllOf(HasSubstr("'count' before your move"), HasSubstr("White counts."),
                           HasSubstr("'stop' before your move"),
                           HasSubstr("Board's honour: 1 of 64 moves, 63 left")));
  EXPECT_THAT(terminal_session("stop\n", game),
              HasSubstr("'stop' cannot be declared now: you are not counting"));
  EXPECT_THAT(terminal_session("count\n", new_game("makruk")), HasSubstr("'count' cannot be declared now"));
  EXPECT_THAT(terminal_session("resign\ncount\n", game), HasSubstr("'count' cannot be declared now"));
}

TEST(TerminalTest, TheStrongerSideMayNotCount) {
  EXPECT_THAT(terminal_session("count\n", new_game("makruk:count.mode=manual", kRookAgainstKnight)),
              AllOf(HasSubstr("'count' cannot be declared now"), Not(HasSubstr("'count' before your move"))));
}

// The rules that a person gets who answers so, with what was asked.
std::pair<std::string, std::string> counting_asked(const std::string& spec, const std::string& answer) {
  std::istringstream in(answer);
  std::ostringstream out;
  StreamLines lines(in, out, {});
  return {ask_who_counts(*game::make_game(spec), spec, &lines, {})->info().ruleset, out.str()};
}

TEST(TerminalTest, APersonIsAskedWhoCounts) {
  const auto [ruleset, asked] = counting_asked("Thai chess", "y\n");
  EXPECT_EQ(ruleset, "makruk:count.mode=manual");
  EXPECT_THAT(asked,
              AllOf(HasSubstr("shall the side with less material say when it counts"), HasSubstr("(y/n)")));
  EXPECT_EQ(counting_asked("ok:ok.king_leap=any", "Yes\n").first, "ok:count.mode=manual,ok.king_leap=any");
  for (const char* answer : {"n\n", "\n", ""}) EXPECT_EQ(counting_asked("makruk", answer).first, "makruk");
}

TEST(TerminalTest, NobodyIsAskedWhereTheRulesAreGivenOrHaveNoSuchCount) {
  for (const char* spec : {"makruk:count.mode=auto", "makruk:count.mode=manual", "low1839", "makyek"})
    EXPECT_EQ(counting_asked(spec, "y\n").second, "") << spec;
}

TEST(TerminalTest, MarkedSquaresAreDrawnWhileTheyAreEmpty) {
  const std::string shown = terminal_session("", new_game("gala", "7/7/7/3m3/7/7/M6 w W12 B9"), kTwoPeople);
  EXPECT_THAT(shown, AllOf(HasSubstr(" 7  +  .  .  +  .  .  + \n"), HasSubstr(" 4  +  .  .  m  .  .  + \n"),
                           HasSubstr(" 1  M  .  .  +  .  .  + \n"), HasSubstr(" 6  .  .  .  .  .  .  . \n")));
  TerminalOptions colored = kTwoPeople;
  colored.style.color = true;
  EXPECT_THAT(terminal_session("", new_game("gala"), colored), HasSubstr("m + \x1b[0m"));
}

TEST(TerminalTest, ACountIsStoppedAndBeginsAgainAtOne) {
  const std::string shown = terminal_session("count\na2a3\ne8e7\nstop\na3a4\ne7e6\ncount\na4a5\n",
                                             new_game(kManual, kRookAgainstKnight), kTwoPeople);
  const size_t stopped = shown.find("White plays Ra4");
  ASSERT_NE(stopped, std::string::npos);
  EXPECT_THAT(shown.substr(0, stopped), HasSubstr("Board's honour: 1 of 64 moves"));
  EXPECT_EQ(shown.substr(stopped, shown.find("White > ", stopped) - stopped).find("Board's honour"),
            std::string::npos);
  EXPECT_THAT(shown.substr(stopped), HasSubstr("Board's honour: 1 of 64 moves"));
}

TEST(TerminalTest, UndoTakesBackADeclarationWithItsMove) {
  const std::string shown =
      terminal_session("count\na2a3\nundo\n", new_game(kManual, kRookAgainstKnight), kTwoPeople);
  const std::string last = shown.substr(shown.rfind("Black > "));
  EXPECT_THAT(last, AllOf(HasSubstr("'count' before your move"), Not(HasSubstr("count: ply"))));
}

TEST(TerminalTest, TheEngineCountsWhereItIsWeaker) {
  EXPECT_THAT(terminal_session("a2a3\n", new_game(kManual, kRookAgainstKnight)),
              AllOf(HasSubstr("Black starts to count"),
                    HasSubstr("Board's honour: 1 of 64 moves, 63 left, then a draw. Black counts.")));
}

TEST(TerminalTest, TheEngineStopsCountingToMate) {
  // Black, with one rook against two, counts, but b8b1 is mate.
  const PlayedGame game = new_game(kManual, "1r6/8/8/R7/R7/6k1/8/7K b - 128 36 30");
  EXPECT_THAT(terminal_session("", game),
              AllOf(HasSubstr("Black stops counting"), HasSubstr("White is checkmated")));
}

TEST(TerminalTest, AHintNamesTheDeclarationBeforeTheMove) {
  const PlayedGame game = new_game(kManual, "4k2r/8/8/8/8/8/N7/4K3 w - - 0 1");
  EXPECT_THAT(terminal_session("hint\n", game), HasSubstr("hint: 'count', then "));
}

TEST(TerminalTest, ASavedGameGoesOnWithItsCount) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "makzero_counted_game.txt";
  terminal_session("count\na2a3\nsave " + path.string() + "\n", new_game(kManual, kRookAgainstKnight),
                   kTwoPeople);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto game = read_document(text.str());
  ASSERT_TRUE(game) << game.why();
  EXPECT_THAT(terminal_session("e8e7\nstop\n", game->game, kTwoPeople),
              AllOf(HasSubstr("Board's honour: 1 of 64 moves, 63 left, then a draw. White counts."),
                    HasSubstr("'count' before your move")));
  std::filesystem::remove(path);
}

TEST(TerminalTest, ASavedGameReadsBack) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "makzero saved game.txt";
  terminal_session("a3a4\nsave " + path.string() + " \n", new_game("makyek"));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto game = read_document(text.str());
  ASSERT_TRUE(game) << game.why();
  EXPECT_EQ(game->game.actions().size(), 2u);
  std::filesystem::remove(path);
}

TEST(TerminalTest, AFileIsWrittenOverOnlyWhenThePersonSaysYes) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "makzero_there_already.txt";
  const std::string save = "save " + path.string() + "\n";
  const auto content = [&path] {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::ofstream(path) << "precious";
  EXPECT_THAT(terminal_session(save + "n\n", new_game("makyek")),
              AllOf(HasSubstr("is there already: write over it? (y/n)"), HasSubstr("not saved")));
  EXPECT_EQ(content(), "precious");
  EXPECT_THAT(terminal_session(save, new_game("makyek")), HasSubstr("not saved"));  // The input ended.
  EXPECT_EQ(content(), "precious");
  EXPECT_THAT(terminal_session(save + "y\n", new_game("makyek")), HasSubstr("saved to "));
  EXPECT_THAT(content(), HasSubstr("ruleset makyek"));
  std::filesystem::remove(path);
}

TEST(TerminalTest, TheGameIsKeptAfterEveryMove) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "makzero_kept";
  TerminalOptions options;
  options.keep = folder / "state" / "last-game.txt";
  terminal_session("", new_game("makyek"), options);
  EXPECT_FALSE(std::filesystem::exists(options.keep));  // An old game is not lost by looking at a new one.
  terminal_session("a3a4\n", new_game("makyek"), options);
  std::ifstream file(options.keep);
  const auto game = read_document(std::string(std::istreambuf_iterator<char>(file), {}));
  ASSERT_TRUE(game) << game.why();
  EXPECT_EQ(game->game.actions().size(), 2u);
  options.keep = "/dev/null/no/folder/last-game.txt";
  EXPECT_THAT(terminal_session("a3a4\n", new_game("makyek"), options), HasSubstr("Black plays"));
  std::filesystem::remove_all(folder);
}

TEST(TerminalTest, AnUnwritableFileIsNamed) {
  EXPECT_THAT(terminal_session("save no/such/folder/game.txt\n", new_game("makyek")),
              HasSubstr("no/such/folder/game.txt"));
}

TEST(TerminalTest, UnknownWordsGetASuggestion) {
  EXPECT_THAT(terminal_session("hnit\nxyzzy\n", new_game("makyek")),
              AllOf(HasSubstr("did you mean 'hint'?"), HasSubstr("unknown command 'xyzzy'")));
}

TEST(TerminalTest, AQuestionMarkListsTheCommands) {
  for (const char* word : {"help\n", "?\n"})
    EXPECT_THAT(terminal_session(word, new_game("makyek")), HasSubstr("take back your last move")) << word;
}

TEST(TerminalTest, TwoPeoplePlayWithoutTheEngine) {
  TerminalOptions options;
  options.human[1] = true;
  const std::string shown = terminal_session("a3a4\na6a5\n", new_game("makyek"), options);
  EXPECT_THAT(shown, HasSubstr("Black plays a6-a5"));
}

TEST(TerminalTest, ColoursAreOnlyUsedWhenAskedFor) {
  TerminalOptions colored;
  colored.style.color = true;
  EXPECT_THAT(terminal_session("a3a4\n", new_game("makyek")), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(terminal_session("a3a4\n", new_game("makyek"), colored), HasSubstr("\x1b["));
}

TEST(TerminalTest, PeopleAreSpokenToInTheirLanguage) {
  TerminalOptions options;
  options.style.language = *Language::named("th");
  const std::string shown = terminal_session("a3a4\nhelp\nrules การกิน\n", new_game("makyek"), options);
  EXPECT_THAT(shown, AllOf(HasSubstr("ฝ่ายขาวเดิน a3-a4"), HasSubstr("## การกิน"), HasSubstr("การแทรกกิน: หมาก"),
                           HasSubstr("  rules [หัวข้อ]      กติกา")));  // Vowels above take no column.
  EXPECT_THAT(shown, AllOf(Not(HasSubstr("White")), Not(HasSubstr("Intervention"))));
}

}  // namespace
}  // namespace makzero::play
