// Scripted UCI sessions on string streams.
#include "play/uci/uci.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/model.h"
#include "nn/encoder.h"
#include "nn/learner.h"
#include "play/uci/uci_options.h"
#include "tests/support/play_sessions.h"

namespace makzero::play {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> starting_with(const std::vector<std::string>& lines, const std::string& start) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    if (line.starts_with(start)) found.push_back(line);
  }
  return found;
}

TEST(UciTest, IntroducesItselfWithOptionsAndNothingElse) {
  const std::vector<std::string> lines = uci_session("uci\nquit\n");
  EXPECT_EQ(lines.back(), "uciok");
  for (const std::string& line : lines) {
    EXPECT_THAT(line, AnyOf(StartsWith("id "), StartsWith("option name "), "uciok"));
  }
}

TEST(UciTest, TheVariantLineListsEveryRuleset) {
  const std::vector<std::string> lines = starting_with(uci_session("uci\n"), "option name UCI_Variant");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], StartsWith("option name UCI_Variant type combo default makruk var makruk var "));
  for (const std::string& name : game::ruleset_names())
    EXPECT_THAT(lines[0] + " ", HasSubstr(" var " + name + " "));
}

TEST(UciTest, TheShortVariantLineListsEveryGameForReadersOfShortLines) {
  const std::vector<std::string> lines =
      starting_with(uci_session("uci\n", {.short_variants = true}), "option name UCI_Variant");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], StartsWith("option name UCI_Variant type combo default makruk var makruk var "));
  for (const std::string& name : game::ruleset_names()) {
    EXPECT_THAT(lines[0] + " ", HasSubstr(" var " + std::string(game::game_of(name)) + " "));
  }
  EXPECT_THAT(lines[0] + " ", AllOf(HasSubstr(" var cambodian "), HasSubstr(" var karouk ")));
  EXPECT_LT(lines[0].size(), 256u);
}

TEST(UciTest, TheVariantLineBeginsWithTheOneInUseAndItsOptions) {
  EXPECT_THAT(uci_session("uci\n", {.ruleset = "hunt:chain=on"}),
              Contains(HasSubstr("type combo default hunt:chain=on var hunt:chain=on var makyek ")));
}

TEST(UciTest, GoNodesCountsSimulationsAndIsDeterministic) {
  const std::string script =
      "setoption name UCI_Variant value makyek\nsetoption name WeightsFile value material\n"
      "position startpos moves a3a4\ngo nodes 64\n";
  const std::vector<std::string> once = uci_session(script), again = uci_session(script);
  const std::vector<std::string> infos = starting_with(once, "info depth");
  ASSERT_FALSE(infos.empty());
  EXPECT_THAT(infos.back(), HasSubstr(" nodes 64 "));
  EXPECT_EQ(once.back(), again.back());
  EXPECT_THAT(once.back(), StartsWith("bestmove "));
}

TEST(UciTest, InfoTellsDepthScoreExpectationNodesTimeAndLine) {
  const std::vector<std::string> infos =
      starting_with(uci_session("position startpos\ngo depth 2\n"), "info depth 2");
  ASSERT_FALSE(infos.empty());
  EXPECT_THAT(infos[0],
              testing::MatchesRegex("info depth 2 seldepth 2 multipv 1 score cp -?[0-9]+ nodes [0-9]+ "
                                    "nps [0-9]+ hashfull 0 time [0-9]+ pv( [a-h][1-8][a-h][1-8])+"));
}

TEST(UciTest, WinDrawAndLossAreToldWhereWanted) {
  EXPECT_THAT(uci_session("go nodes 8\n"), Not(Contains(HasSubstr(" wdl "))));
  EXPECT_THAT(uci_session("setoption name UCI_ShowWDL value true\ngo nodes 8\n"),
              Contains(testing::ContainsRegex("score cp -?[0-9]+ wdl [0-9]+ [0-9]+ [0-9]+ nodes ")));
}

TEST(UciTest, OnlyTheMovesAskedForAreSearched) {
  const std::vector<std::string> lines = uci_session(
      "setoption name MultiPV value 5\nposition startpos\ngo searchmoves e3e4 d3d4 nodes 32\ngo nodes 32 "
      "searchmoves h3h4\n");
  const std::vector<std::string> answers = starting_with(lines, "bestmove ");
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_THAT(answers[0], AnyOf(StartsWith("bestmove e3e4"), StartsWith("bestmove d3d4")));
  EXPECT_THAT(answers[1], StartsWith("bestmove h3h4"));
  EXPECT_THAT(lines, Not(Contains(HasSubstr(" multipv 3 "))));
}

TEST(UciTest, PonderingIsAnsweredAfterThePonderhit) {
  const std::vector<std::string> lines = uci_session(
      "position startpos moves e3e4 e6e5\ngo ponder nodes 64\nisready\nponderhit\n", {.player = "material"});
  EXPECT_EQ(starting_with(lines, "bestmove ").size(), 1u);
  EXPECT_THAT(lines, Contains(HasSubstr(" nodes 64 ")));
  const auto ready = std::find(lines.begin(), lines.end(), "readyok");
  EXPECT_EQ(std::count_if(lines.begin(), ready,
                          [](const std::string& line) { return line.starts_with("bestmove"); }),
            0);
}

TEST(UciTest, PonderingThatMissedIsStopped) {
  const std::vector<std::string> lines =
      uci_session("go ponder wtime 1000 btime 1000\nstop\nponderhit\nposition startpos\ngo nodes 8\n");
  EXPECT_EQ(starting_with(lines, "bestmove ").size(), 2u);
}

TEST(UciTest, TheExpectedReplyIsNamed) {
  EXPECT_THAT(uci_session("go nodes 200\n", {.player = "material"}).back(),
              testing::MatchesRegex("bestmove [a-h1-8]+ ponder [a-h1-8]+"));
}

TEST(UciTest, BenchTellsNodesAndSpeed) {
  const std::vector<std::string> lines = uci_session("bench 20\n", {.player = "material"});
  EXPECT_THAT(lines, Contains("Nodes searched  : 100"));
  EXPECT_THAT(lines.back(), StartsWith("Nodes/second"));
}

TEST(UciTest, CommandsThatAskNothingAreAccepted) {
  EXPECT_TRUE(uci_session("debug on\nregister later\nsetoption name Clear Hash\n").empty());
}

// A network of random weights whose strength was "measured".
class UciLevelTest : public testing::Test {
 protected:
  void SetUp() override {
    const game::GamePtr rules = *game::make_game("makyek");
    const nn::NetworkArchitecture shape{
        .planes = nn::default_planes(rules->info()), .blocks = 1, .channels = 8};
    models::Model checkpoint = models::make_model(*rules, nn::Learner(shape, {}, 1).network());
    for (const auto& [number, simulations, elo] :
         {std::tuple(1, 4, 500.4), {2, 16, 900.0}, {3, 40, 1499.6}}) {
      models::Level* level = checkpoint.manifest.add_levels();
      level->set_level(number);
      level->set_nodes(simulations);
      level->set_temperature(number == 3 ? 0 : 1);
      level->set_elo(elo);
    }
    models::write_model(path_, checkpoint);
  }

  std::vector<std::string> session(const std::string& script) const {
    return uci_session("setoption name UCI_Variant value makyek\nsetoption name WeightsFile value " + path_ +
                       "\n" + script);
  }

  const std::string path_ = testing::TempDir() + "uci_level_test." + std::to_string(getpid()) + ".mzc";
};

TEST_F(UciLevelTest, ItsStrengthCanBeLimitedToTheNearestLevel) {
  EXPECT_THAT(session("uci\n"), AllOf(Contains("option name UCI_Elo type spin default 500 min 500 max 1500"),
                                      Contains("option name UCI_LimitStrength type check default false")));
  const std::vector<std::string> lines = session(
      "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1000\ngo wtime 60000 btime "
      "60000\n");
  EXPECT_THAT(lines, Contains("info string strength limited: level 2, Elo 900, 16 nodes, temperature 1"));
  EXPECT_THAT(lines, Contains(HasSubstr(" nodes 16 ")));
}

TEST_F(UciLevelTest, ALevelIsChosenByName) {
  EXPECT_THAT(
      session("uci\n"),
      Contains("option name Level type combo default full strength var full strength var 1 - beginner "
               "var 2 var 3"));
  for (const std::string value : {"1 - beginner", "1"}) {
    EXPECT_THAT(session("setoption name Level value " + value + "\ngo wtime 60000 btime 60000\n"),
                Contains("info string strength limited: level 1, Elo 500, 4 nodes, temperature 1"));
  }
}

TEST_F(UciLevelTest, ALevelGoesBeforeAnElo) {
  EXPECT_THAT(session("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1500\n"
                      "setoption name Level value 2\ngo wtime 60000 btime 60000\n"),
              Contains(HasSubstr("strength limited: level 2,")));
  EXPECT_THAT(
      session("setoption name Level value 2\nsetoption name Level value full strength\ngo nodes 20\n"),
      Not(Contains(HasSubstr("strength limited"))));
}

TEST_F(UciLevelTest, ALevelThatIsNotThereIsRefused) {
  EXPECT_THAT(session("setoption name Level value 4\ngo nodes 4\n"),
              Contains(HasSubstr("there is no level 4, give one from 1 to 3")));
  EXPECT_THAT(session("setoption name Level value strong\n"),
              Contains(HasSubstr("give full strength or the number of a level")));
}

TEST_F(UciLevelTest, InfiniteAnalysisIsNotLimited) {
  EXPECT_THAT(session("setoption name UCI_LimitStrength value true\ngo infinite\n"),
              Not(Contains(HasSubstr("strength limited"))));
}

TEST(UciTest, WithoutAMeasuredTableNoStrengthIsOffered) {
  EXPECT_THAT(uci_session("uci\n"), Not(Contains(AnyOf(HasSubstr("UCI_Elo"), HasSubstr("Level")))));
  EXPECT_THAT(uci_session("setoption name UCI_LimitStrength value true\ngo nodes 4\n"),
              Contains(HasSubstr("no strengths were measured")));
}

TEST(UciTest, TheBestMoveIsLegal) {
  const std::vector<std::string> lines = uci_session("position startpos moves e3e4 e6e5\ngo movetime 20\n");
  const game::GamePtr rules = *game::make_game("makruk");
  PlayedGame game(rules);
  for (const char* move : {"e3e4", "e6e5"}) game.play(*game::parse_move(*rules, game.position(), move));
  ASSERT_THAT(lines.back(), StartsWith("bestmove "));
  const std::string move = lines.back().substr(9, lines.back().find(' ', 9) - 9);
  EXPECT_TRUE(game::parse_move(*rules, game.position(), move)) << lines.back();
}

TEST(UciTest, StopAnswersAnInfiniteSearch) {
  const std::vector<std::string> lines = uci_session("position startpos\ngo infinite\nstop\nisready\n");
  EXPECT_EQ(starting_with(lines, "bestmove ").size(), 1u);
}

TEST(UciTest, TheEndOfTheInputAnswersAnInfiniteSearch) {
  EXPECT_EQ(starting_with(uci_session("go infinite\n"), "bestmove ").size(), 1u);
}

TEST(UciTest, EverySearchOfAScriptIsAnsweredInFull) {
  const std::vector<std::string> lines =
      uci_session("go nodes 48\nposition startpos moves e3e4\ngo nodes 32\n");
  EXPECT_EQ(starting_with(lines, "bestmove ").size(), 2u);
  EXPECT_THAT(lines, AllOf(Contains(HasSubstr(" nodes 48 ")), Contains(HasSubstr(" nodes 32 "))));
}

TEST(UciTest, TheClockOfTheSideToMoveIsUsed) {
  // White has a minute, Black a few milliseconds: the answer must not wait.
  const std::vector<std::string> lines =
      uci_session("position startpos moves e3e4\ngo wtime 6000000 btime 40 winc 0 binc 0\n");
  EXPECT_EQ(starting_with(lines, "bestmove ").size(), 1u);
}

// White's king has one move, and nothing else can move.
TEST(UciTest, AForcedMoveIsAnsweredAtOnceOnTheClockAlone) {
  const std::string position = "position fen 7k/8/8/8/8/8/7r/K7 w - - 0 1\n";
  for (const char* player : {"material", "alphabeta:3"}) {
    const auto session = [&](const std::string& go) {
      return uci_session(position + go, {.player = player});
    };
    const std::vector<std::string> lines = session("go wtime 60000 btime 60000\n");
    EXPECT_THAT(lines, Contains(testing::ContainsRegex("^info depth 1 .* score .* pv a1b1"))) << player;
    EXPECT_THAT(lines, Not(Contains(HasSubstr("info depth 2")))) << player;
    EXPECT_THAT(lines.back(), StartsWith("bestmove a1b1"));
    EXPECT_THAT(session("go depth 3\n"), Contains(StartsWith("info depth 3 "))) << player;
  }
}

TEST(UciTest, AMateIsScoredAsSuch) {
  // White: Ra7-a8 or Rb6-b8 mates the cornered king.
  const std::vector<std::string> lines =
      uci_session("position fen 7k/R7/1R6/8/8/8/8/K7 w - - 0 1\ngo depth 3\n");
  EXPECT_THAT(lines, Contains(HasSubstr(" score mate 1 ")));
  EXPECT_EQ(lines.back(), "bestmove b6b8");
  EXPECT_THAT(uci_session("position fen 7k/R7/1R6/8/8/8/8/K7 w - - 0 1\ngo mate 2\n"),
              Contains(HasSubstr(" score mate 1 ")));
}

// A score of a draw, by repetition.
TEST(UciTest, ContemptIsAnOption) {
  EXPECT_THAT(uci_session("uci\n"), Contains("option name Contempt type spin default 0 min -1000 max 1000"));
  const std::string position =
      "position fen 7k/8/8/8/8/8/2R5/K7 w - - 0 1 moves c2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2 g8h8\n";
  const std::string go = "go searchmoves a2b2 depth 1\n";
  EXPECT_THAT(uci_session(position + go), Contains(HasSubstr(" score cp 0 ")));
  EXPECT_THAT(uci_session("setoption name Contempt value 50\n" + position + go),
              Contains(HasSubstr(" score cp -50 ")));
}

TEST(UciTest, SeveralLinesAreNumbered) {
  const std::vector<std::string> lines =
      uci_session("setoption name MultiPV value 3\nposition startpos\ngo nodes 64\n");
  EXPECT_THAT(lines, Contains(HasSubstr(" multipv 3 ")));
  EXPECT_THAT(lines, Not(Contains(HasSubstr(" multipv 4 "))));
}

TEST(UciTest, PerftEndsWithTheNumberOfNodes) {
  EXPECT_EQ(uci_session("go perft 3\n").back(), "nodes 12012");
  EXPECT_EQ(uci_session("go perft 0\n").back(), "nodes 1");
}

TEST(UciTest, AVariantMayCarryOptions) {
  const std::vector<std::string> lines =
      uci_session("setoption name UCI_Variant value makyek:custodian=line\nd\n");
  EXPECT_THAT(lines, Contains("ruleset makyek:custodian=line"));
}

TEST(UciTest, DShowsBoardPositionAndResult) {
  const std::vector<std::string> lines = uci_session("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1\nd\n");
  EXPECT_THAT(lines, Contains(StartsWith("fen 7k/8/8/8/8/8/8/K7 w")));
  EXPECT_THAT(lines, Contains(StartsWith("result 1/2-1/2")));
}

TEST(UciTest, WithoutANetworkItSaysSoAndPlays) {
  const std::vector<std::string> lines = uci_session("isready\n");
  EXPECT_THAT(lines, Contains(HasSubstr("No network")));
  EXPECT_EQ(lines.back(), "readyok");
}

TEST(UciTest, AWeightsFileThatCannotBeReadIsAnsweredByNoMove) {
  for (const UciSetup& setup : {UciSetup{}, UciSetup{.player = "no/such.mzc"}}) {
    const std::vector<std::string> lines =
        uci_session((setup.player.empty() ? "setoption name WeightsFile value no/such.mzc\n" : "") +
                        std::string("isready\ngo nodes 8\nbench 5\ngo infinite\n"),
                    setup);
    EXPECT_EQ(std::ranges::count_if(lines,
                                    [](const std::string& line) {
                                      return line.starts_with("info string ") &&
                                             line.find("no/such.mzc") != std::string::npos;
                                    }),
              4)
        << "at isready, go, bench and go";
    EXPECT_EQ(std::ranges::count(lines, "readyok"), 1);
    EXPECT_EQ(std::ranges::count(lines, "bestmove 0000"), 2);
    EXPECT_THAT(lines, Not(Contains(HasSubstr("alpha-beta"))));
    EXPECT_THAT(lines, Not(Contains(StartsWith("Nodes searched"))));
  }
}

TEST(UciTest, AfterABadWeightsFileAnotherCanBeSet) {
  const std::vector<std::string> lines = uci_session(
      "setoption name WeightsFile value no/such.mzc\ngo nodes 8\nsetoption name WeightsFile value none\n"
      "go nodes 8\n");
  const std::vector<std::string> answers = starting_with(lines, "bestmove ");
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0], "bestmove 0000");
  EXPECT_NE(answers[1], "bestmove 0000");
}

TEST_F(UciLevelTest, AWeightsFileOfAnotherVariantIsAnsweredByNoMove) {
  const std::vector<std::string> lines = session(
      "setoption name UCI_Variant value rek\ngo nodes 8\nsetoption name UCI_Variant value makyek\ngo nodes "
      "8\n");
  EXPECT_THAT(lines, Contains(AllOf(StartsWith("info string "), HasSubstr("of 'makyek' cannot play 'rek'"))));
  const std::vector<std::string> answers = starting_with(lines, "bestmove ");
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0], "bestmove 0000");
  EXPECT_NE(answers[1], "bestmove 0000");
}

struct BadLine {
  const char* line;
  const char* answer;
};

std::ostream& operator<<(std::ostream& out, const BadLine& line) { return out << line.line; }

class BadUciTest : public testing::TestWithParam<BadLine> {};

TEST_P(BadUciTest, GetsAnInfoStringAndTheSessionGoesOn) {
  const std::vector<std::string> lines =
      uci_session(std::string(GetParam().line) + "\nposition startpos\ngo nodes 2\n");
  EXPECT_THAT(lines, Contains(AllOf(StartsWith("info string "), HasSubstr(GetParam().answer))));
  EXPECT_THAT(lines.back(), AllOf(StartsWith("bestmove "), Not(HasSubstr("0000"))));
  for (const std::string& line : lines)
    EXPECT_THAT(line, AnyOf(StartsWith("info "), StartsWith("bestmove ")));
}

INSTANTIATE_TEST_SUITE_P(
    Garbage, BadUciTest,
    testing::Values(
        BadLine{"xyzzy", "unknown command 'xyzzy'"}, BadLine{"positon startpos", "did you mean 'position'?"},
        BadLine{"\x01\x02\xff", "unknown command"}, BadLine{"position", "write: position startpos|fen"},
        BadLine{"position fen", "the position is empty"},
        BadLine{"position fen 8/8 w", "the board has 2 ranks"},
        BadLine{"position startpos moves e2e4", "e2 is empty"},
        BadLine{"position startpos moves e6e5", "is the opponent's"},
        BadLine{"setoption Threads 4", "write: setoption name NAME value VALUE"},
        BadLine{"setoption name Thraeds value 4", "did you mean 'Threads'?"},
        BadLine{"setoption name Threads value many", "give a number from 1 to 512"},
        BadLine{"setoption name Threads value 0", "give a number from 1 to 512"},
        BadLine{"setoption name UCI_Variant value makruc", "did you mean 'makruk'?"},
        BadLine{"go noods 5", "did you mean 'nodes'?"}, BadLine{"go nodes", "'nodes' needs a number from 1"},
        BadLine{"go nodes -3", "'nodes' needs a number from 1"},
        BadLine{"go movetime soon", "'movetime' needs a number from 1"},
        BadLine{"go searchmoves e3e9", "searchmoves: move 'e3e9' is not legal"},
        BadLine{"go nodes 5000000000 depth 1",
                "'nodes' needs a number from 1 to 2147483647 after it: 2147483647 is taken"},
        BadLine{"go nodes 99999999999999999999 depth 1", "2147483647 is taken"},
        BadLine{"setoption name MultiPV value 1000", "give a number from 1 to 256: 256 is taken"},
        BadLine{"setoption name Precision value half", "give auto or fp32 or bf16 or fp16"},
        BadLine{"setoption name Ponder value maybe", "give true or false"},
        BadLine{"bench many", "write: bench [NODES]"}));

TEST(UciTest, ALimitOutOfRangeIsTheNearestAndTheMoveLegal) {
  for (const char* go : {"go movetime 0", "go nodes 0", "go depth 0", "go mate 0", "go nodes", "go nodes -3",
                         "go movetime soon", "go nodes movetime 1", "go movetime 1.5", "go depth 0 nodes 0",
                         "go wtime -500 btime 3000", "go wtime 0 btime 0", "go movestogo -1 wtime 1"}) {
    const std::vector<std::string> lines = uci_session(std::string(go) + "\n");
    EXPECT_THAT(lines.back(), testing::MatchesRegex("bestmove [a-h][1-8][a-h][1-8].*")) << go;
  }
}

TEST(UciTest, UnknownWordsAreLeftOutAndTheRestOfTheLineCounts) {
  for (const char* go :
       {"go noods nodes 32", "go fast please nodes 32", "joho go nodes 32", "1. go nodes 32 !"}) {
    const std::vector<std::string> lines = uci_session(std::string(go) + "\n");
    EXPECT_THAT(lines, Contains(AllOf(StartsWith("info string "), HasSubstr("unknown")))) << go;
    EXPECT_THAT(lines, Contains(HasSubstr(" nodes 32 "))) << go;
    EXPECT_THAT(lines.back(), StartsWith("bestmove ")) << go;
  }
}

TEST(UciTest, IllegalSearchMovesAreLeftOut) {
  EXPECT_THAT(uci_session("go searchmoves e3e9 d3d4 nodes 8\n").back(), StartsWith("bestmove d3d4"));
  const std::vector<std::string> lines = uci_session("go searchmoves e3e9 e2e4 nodes 8\n");
  EXPECT_THAT(lines, Contains(HasSubstr("searchmoves: move 'e2e4' is not legal")));
  EXPECT_THAT(lines.back(), testing::MatchesRegex("bestmove [a-h][1-8][a-h][1-8].*"));
}

TEST(UciTest, TheValueOfAnOptionIsTheRestOfItsLineByteForByte) {
  for (const char* file : {"no/such  file.mzc", "no/such value x\t.mzc ", " no/such.mzc"}) {
    const std::string line = std::string("setoption  name WeightsFile value ") + file + "\r\n";
    EXPECT_THAT(uci_session(line + "uci\n"),
                Contains(std::string("option name WeightsFile type string default ") + file));
  }
  EXPECT_THAT(uci_session("setoption name MultiPV value  3 \ngo nodes 64\n"),
              Contains(HasSubstr("multipv 3")));
}

TEST(UciTest, NumbersOfOptionsAreTheNearestInRange) {
  EXPECT_THAT(
      uci_session("setoption name Threads value 0\nsetoption name Hash value 99999999999999999999\nuci\n"),
      AllOf(Contains("option name Threads type spin default 1 min 1 max 512"),
            Contains("option name Hash type spin default 1048576 min 1 max 1048576")));
}

TEST(UciTest, EndingsAreKnownUnlessSwitchedOff) {
  EXPECT_THAT(uci_session("uci\n"), Contains("option name Endings type check default true"));
  UciOptions options("", {});
  EXPECT_TRUE(options.engine().endings);
  EXPECT_EQ(options.set("Endings", "false").effect, UciOptions::Effect::kEngine);
  EXPECT_FALSE(options.engine().endings);
}

TEST(UciTest, LongLinesAreNotEchoedWhole) {
  const std::string much(3'000'000, 'x');
  for (const std::string& line : {much, "position fen " + much, "position startpos moves " + much,
                                  "setoption name " + much + " value 1", "go " + much + " nodes 1"}) {
    for (const std::string& answer : uci_session(line + "\n"))
      EXPECT_LT(answer.size(), 1000u) << line.substr(0, 40);
  }
  EXPECT_THAT(uci_session("\x01\xff\n"), Contains("info string unknown command '\\x01\\xff'"));
}

TEST(UciTest, AByteOrderMarkAndAnyEndOfALineAreNoPartOfACommand) {
  EXPECT_EQ(uci_session("\xEF\xBB\xBFuci\r\n").back(), "uciok");
  EXPECT_EQ(uci_session("uci\risready\r").back(), "readyok");
}

TEST(UciTest, AnIllegalPositionIsAnsweredByNoMove) {
  const std::vector<std::string> lines = uci_session("position startpos moves e3e9\ngo nodes 8\n");
  EXPECT_THAT(lines.front(), StartsWith("info string illegal position"));
  EXPECT_EQ(lines.back(), "bestmove 0000");
}

TEST(UciTest, AFinishedGameIsAnsweredByNoMove) {
  const std::vector<std::string> lines =
      uci_session("position fen R6k/1R6/8/8/8/8/8/K7 b - - 0 1\ngo nodes 8\n");
  EXPECT_THAT(lines, Contains("info string the game is over: checkmate"));
  EXPECT_EQ(lines.back(), "bestmove 0000");
}

TEST(UciTest, AGameThatALimitDecidesByMaterialIsAnsweredByNoMove) {
  const std::vector<std::string> lines = uci_session(
      "setoption name UCI_Variant value makyek:max_plies=1,limit_result=material\n"
      "position fen m7/8/8/8/8/8/8/M1M5 w moves a1a2\ngo nodes 8\n");
  EXPECT_THAT(lines, Contains("info string the game is over: ply limit"));
  EXPECT_EQ(lines.back(), "bestmove 0000");
}

// A draw that no client has claimed. Where `best` is h7h8 it mates.
struct UnclaimedDraw {
  const char* reason;
  const char* variant;
  const char* position;
  const char* best;
};

std::ostream& operator<<(std::ostream& out, const UnclaimedDraw& draw) { return out << draw.reason; }

class UnclaimedDrawTest : public testing::TestWithParam<UnclaimedDraw> {
 protected:
  // The answer to a search of this kind.
  std::vector<std::string> answer(const std::string& go) const {
    return uci_session(std::string("setoption name UCI_Variant value ") + GetParam().variant + "\nposition " +
                       GetParam().position + "\n" + go + "\n");
  }
};

TEST_P(UnclaimedDrawTest, IsNamedAndSearchedByTree) {
  const std::vector<std::string> lines = answer("go nodes 200");
  EXPECT_THAT(lines, Contains(std::string("info string the rules draw this game: ") + GetParam().reason));
  EXPECT_THAT(lines, Contains(testing::ContainsRegex("info depth .* nodes [1-9]")));
  EXPECT_THAT(lines.back(), StartsWith(std::string("bestmove ") + GetParam().best));
}

TEST_P(UnclaimedDrawTest, IsSearchedByAlphaBeta) {
  const std::vector<std::string> lines = answer("go depth 2");
  EXPECT_THAT(lines, Contains(StartsWith("info depth 1 ")));
  EXPECT_THAT(lines.back(), StartsWith(std::string("bestmove ") + GetParam().best));
}

TEST_P(UnclaimedDrawTest, IsSearchedUntilStoppedAndPonderedOn) {
  for (const char* go : {"go infinite\nstop", "go ponder depth 2\nponderhit", "go mate 1"}) {
    const std::vector<std::string> lines = answer(go);
    EXPECT_EQ(starting_with(lines, "bestmove ").size(), 1u) << go;
    EXPECT_THAT(lines.back(), StartsWith(std::string("bestmove ") + GetParam().best)) << go;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Draws, UnclaimedDrawTest,
    testing::Values(
        UnclaimedDraw{"third repetition", "makruk",
                      "fen k7/6SR/1K6/p6P/P7/8/8/8 w - - 0 1 moves b6c6 a8b8 c6b6 b8a8 b6c6 a8b8 c6b6 b8a8",
                      "h7h8"},
        UnclaimedDraw{"ply limit", "makruk:max_plies=2",
                      "fen k7/6SR/1K6/p6P/P7/8/8/8 w - - 0 1 moves b6c6 a8b8 c6b6", ""},
        UnclaimedDraw{"ply limit", "makruk:max_plies=2",
                      "fen k7/6SR/1K6/p6P/P7/8/8/8 w - - 0 1 moves b6c6 a8b8 c6b6 b8a8", "h7h8"},
        UnclaimedDraw{"count exceeded", "makruk", "fen k7/6SR/1K5S/8/8/8/8/8 w - 16 17 60", "h7h8"},
        UnclaimedDraw{"dead material", "makruk", "fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "a1"},
        UnclaimedDraw{"no progress", "makyek:no_progress=2", "startpos moves a3a4 a6a5", ""}));

// A client that knows no such limit plays on.
TEST(UciTest, PastTheLimitOfLengthMovesAreNotAllDraws) {
  const std::vector<std::string> lines = uci_session(
      "setoption name UCI_Variant value makruk:max_plies=8\n"
      "position startpos moves b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1 d7b8 b1d2\ngo depth 4\n");
  EXPECT_THAT(lines, Contains(testing::ContainsRegex("info depth 4 seldepth [4-9]")));
}

TEST(UciTest, AfterAnUnclaimedDrawTheGameIsSearchedOn) {
  const std::string shuffle = " b6c6 a8b8 c6b6 b8a8";
  std::string moves = "position fen k7/6SR/1K6/p6P/P7/8/8/8 w - - 0 1 moves" + shuffle + shuffle, script;
  for (const char* move : {"", " b6c6", " a8b8", " c6b6", " b8a8"})
    script += (moves += move) + "\ngo nodes 200\n";
  const std::vector<std::string> answers = starting_with(uci_session(script), "bestmove ");
  ASSERT_EQ(answers.size(), 5u);
  EXPECT_THAT(answers.back(), StartsWith("bestmove h7h8"));
  EXPECT_THAT(answers, Not(Contains("bestmove 0000")));
}

}  // namespace
}  // namespace makzero::play
