// The program from outside: exit statuses, help screens, suggestions, and what each command prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "tests/support/file_tools.h"

namespace makzero::play {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// What `makzero play` keeps is kept apart from a person's own games.
const bool kOwnState = setenv("XDG_STATE_HOME", (testing::TempDir() + "/makzero_state").c_str(), 1) == 0;

struct Outcome {
  int status = 0;
  std::string out;  // stdout, or with 2>&1 in the arguments both.
};

Outcome run_shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (const size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.out.append(buffer.data(), count);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

// Runs the program with these shell-quoted arguments.
Outcome run(const std::string& arguments) {
  return run_shell(std::string(MAKZERO_PROGRAM) + " " + arguments);
}

class HelpTest : public testing::TestWithParam<const char*> {};

TEST_P(HelpTest, FitsOneScreenAndHasExamples) {
  const Outcome help = run(std::string(GetParam()) + " --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), 30) << help.out;
  EXPECT_THAT(help.out, HasSubstr("  makzero ")) << "an example";
  size_t widest = 0;
  for (size_t at = 0; at < help.out.size();) {
    const size_t end = std::min(help.out.find('\n', at), help.out.size());
    widest = std::max(widest, end - at);
    at = end + 1;
  }
  EXPECT_LE(widest, 100u) << help.out;
}

INSTANTIATE_TEST_SUITE_P(Commands, HelpTest,
                         testing::Values("", "train", "play", "uci", "match", "rate", "levels", "perft",
                                         "certify", "bench", "inspect", "fsck", "games", "doctor", "serve",
                                         "analysis", "replay", "review", "publish", "export", "fit", "tune",
                                         "worker", "endings"));

// What a shell prints that has read its completion from the file $SCRIPT and runs `code`.
std::string completed(const std::string& shell, const std::string& code) {
  const std::string script = testing::TempDir() + "/completion." + shell;
  return run_shell(std::string(MAKZERO_PROGRAM) + " --completion " + shell + " > " + script +
                   " && SCRIPT=" + script + " " + shell + " -c '" + code + "'")
      .out;
}

TEST(ProgramTest, ShellsCompleteCommandsOptionsAndRulesets) {
  EXPECT_EQ(completed("bash",
                      "source $SCRIPT; offer() { COMP_WORDS=(makzero $@); COMP_CWORD=$#; _makzero; "
                      "echo ${COMPREPLY[@]}; }; offer pla; offer play --lev; offer play makr"),
            "play\n--level\nmakruk makruk-sutra\n");
  const std::string zsh = completed(
      "zsh", "words=(makzero play -); CURRENT=3; _describe() { print -l -- ${(P)2}; }; source $SCRIPT");
  EXPECT_THAT(zsh, HasSubstr("\n--level:Of the network 1 (beginner) to 10, as measured\n"));
  EXPECT_THAT(zsh, HasSubstr("\nmakruk:Ruleset\n"));
  EXPECT_EQ(
      completed("fish",
                "source $SCRIPT; complete -C \"makzero play --lev\"; complete -C \"makzero play makruk-\""),
      "--level\tOf the network 1 (beginner) to 10, as measured\nmakruk-sutra\tRuleset\n");
}

TEST(ProgramTest, VersionIsNameAndNumber) {
  const Outcome version = run("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("makzero 0."));
}

TEST(ProgramTest, FortressOfMakyekIsShown) {
  EXPECT_THAT(run("certify makyek").out,
              AllOf(StartsWith("makyek: drawn. From the start each side can"),
                    HasSubstr("\n2 set-ups with a reply each, "), EndsWith(" a2a1\n")));
}

TEST(ProgramTest, ASideThatHoldsFromAPositionOnIsNamed) {
  const Outcome corner = run("certify makyek --position '8/8/3mmmm1/1m6/8/Mm6/1Mm5/MM6 b'");
  EXPECT_EQ(corner.status, 0);
  EXPECT_THAT(corner.out, AllOf(StartsWith("White cannot lose: it can play so that it never loses a piece"),
                                HasSubstr(" a2a1\nBlack is not shown to hold: the position leads out")));
  EXPECT_EQ(run("certify makyek --position '8/8/3mmmm1/1m6/8/Mm6/2m5/MM6 b'").status, 1);
}

TEST(ProgramTest, HoleOfAnotherFortressIsNamed) {
  const std::string file = testing::TempDir() + "/fortress.txt";
  std::ofstream(file) << "********/********/********/********/********/MMMMMMMM/......../MMMMMMMM b1b3\n";
  const Outcome certify = run("certify makyek --certificate " + file);
  EXPECT_EQ(certify.status, 1);
  EXPECT_THAT(certify.out, StartsWith("makyek: not shown to be drawn: b1b3 is not sure to be legal in "));
}

TEST(ProgramTest, PerftEndsWithTheNumberOfNodes) {
  EXPECT_THAT(run("perft makyek 4 2>/dev/null").out, EndsWith("\nnodes 1609910\n"));
  EXPECT_THAT(run("perft makruk 4 2>/dev/null").out, EndsWith("\nnodes 273026\n"));
}

TEST(ProgramTest, PerftAtDepthNoughtIsOne) { EXPECT_EQ(run("perft makruk 0 2>/dev/null").out, "nodes 1\n"); }

TEST(ProgramTest, PerftStartsWhereItIsTold) {
  const Outcome perft = run("perft makruk 1 --position '7k/8/8/8/8/8/R7/K7 w - - 0 1' 2>/dev/null");
  EXPECT_THAT(perft.out, EndsWith("\nnodes 15\n"));
}

TEST(ProgramTest, GamesNamesEveryRulesetWithItsStart) {
  const Outcome games = run("games");
  EXPECT_EQ(games.status, 0);
  EXPECT_THAT(games.out, HasSubstr("makyek-low"));
  EXPECT_THAT(games.out, HasSubstr("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"));
}

TEST(ProgramTest, AGameIsShownWithTheValuesOfItsOptions) {
  const std::string game = run("games makyek-low:jump=on").out;
  EXPECT_THAT(game, StartsWith("# Mak-yek\n"));
  EXPECT_THAT(game, HasSubstr("makyek-low = makyek:custodian=line,intervention=line\n"));
  EXPECT_THAT(game, HasSubstr("## In use: Mak-yek after Low (1839) (makyek-low:jump=on)\n"));
  EXPECT_THAT(game, HasSubstr("custodian = single|line|none  [line]"));
  EXPECT_THAT(game, testing::ContainsRegex("\nCertificate [0-9a-f]+\nmakyek: "));
}

TEST(ProgramTest, GamesAreShownInTheLanguageOfThePerson) {
  const Outcome games = run("games --language th");
  EXPECT_THAT(games.out,
              AllOf(HasSubstr("makyek  (หมากแยก"), HasSubstr("\n  ตั้งต้น "), Not(HasSubstr("  source"))));
  const Outcome game = run("games gala --language th");
  EXPECT_THAT(game.out,
              AllOf(HasSubstr("## ที่ใช้: กาลา (gala)"), HasSubstr("หมากขาวสิบสามตัวต่อหมากดำสิบตัว"),
                    HasSubstr("ตัวเลือก เขียนแบบ gala:NAME=VALUE"), HasSubstr("cap_result = draw|material")));
}

TEST(ProgramTest, EndingsAreMadeOnce) {
  const std::string folder = testing::TempDir() + "/makzero_endings_" + std::to_string(getpid());
  const std::string program = "MAKZERO_ENDINGS=" + folder + " " MAKZERO_PROGRAM " endings gala 2>&1";
  const Outcome made = run_shell(program), again = run_shell(program);
  EXPECT_EQ(made.status, 0);
  EXPECT_THAT(made.out, AllOf(HasSubstr("MMvM: 23520 numbers, 0 faults"), HasSubstr("3 endings of gala")));
  EXPECT_THAT(again.out, AllOf(Not(HasSubstr("numbers")), StartsWith("3 endings of gala")));
  EXPECT_THAT(run_shell(program + " --counts").out, HasSubstr("Gala has no counts"));
  std::filesystem::remove_all(folder);
}

TEST(ProgramTest, MatchPrintsOneLineOfJson) {
  const Outcome match = run("match makyek --a greedy --b random --games 4 --openings 2 --seed 3 --json");
  EXPECT_EQ(match.status, 0);
  EXPECT_THAT(match.out, StartsWith("{"));
  EXPECT_EQ(std::count(match.out.begin(), match.out.end(), '\n'), 1);
  for (const char* key :
       {"games", "wins", "draws", "losses", "score", "score_by_material", "elo", "elo_low", "elo_high"}) {
    EXPECT_THAT(match.out, HasSubstr("\"" + std::string(key) + "\":"));
  }
}

TEST(ProgramTest, AGameIsPlayedFromPipedInput) {
  const Outcome play = run("play makyek --model alphabeta:1 < " MAKZERO_TEST_DATA "/play/one_move.txt");
  EXPECT_EQ(play.status, 0);
  EXPECT_THAT(play.out, HasSubstr("White plays a3-a4"));
}

TEST(ProgramTest, AFileThatNamesNoGameIsReadAsTheOneThatIsPlayed) {
  const std::string file = testing::TempDir() + "/makzero_bare_" + std::to_string(getpid()) + ".txt";
  std::ofstream(file) << "1. Nd2 Nd7 *\n";
  const std::string kept = testing::TempDir() + "/makzero_bare_kept.txt";
  const Outcome play = run_shell(
      "echo save " + kept + " | " MAKZERO_PROGRAM " play ok --model alphabeta:1 --side both --load " + file);
  EXPECT_EQ(play.status, 0);
  EXPECT_THAT(run("replay " + kept + " --to text").out, HasSubstr("ruleset ok\n"));
  for (const std::string& each : {file, kept}) std::filesystem::remove(each);
}

// With the networks that come with the program; other tests have none.
Outcome run_with_zoo(const std::string& arguments) {
  return run_shell("MAKZERO_ZOO=" MAKZERO_SOURCE "/models/zoo " MAKZERO_PROGRAM " " + arguments);
}

TEST(ProgramTest, LevelsOfAnotherRulesetAreThoseOfItsGame) {
  const Outcome play =
      run_with_zoo("play karouk --model zoo --level 1 < " MAKZERO_TEST_DATA "/play/one_move.txt");
  EXPECT_EQ(play.status, 0);
  EXPECT_THAT(play.out, testing::ContainsRegex("[0-9]+ above random play, measured in Ka Ok\\)"));
  const Outcome match =
      run_with_zoo("match karouk:max_plies=20 --a zoo:level=1 --b random --games 2 --threads 1 2>&1");
  EXPECT_EQ(match.status, 0) << match.out;
}

TEST(ProgramTest, ATowerPlaysWithTheSecondOpinionOfTheSmallNetwork) {
  const Outcome match =
      run_with_zoo("match kaok:max_plies=20 --a 'zoo:4?second=small' --b random --games 2 --threads 1 2>&1");
  EXPECT_EQ(match.status, 0) << match.out;
  EXPECT_THAT(match.out, testing::ContainsRegex("is [0-9a-f]+:4\\+second=small-[0-9a-f]+\n"));
}

TEST(ProgramTest, ALevelOfTheNetworkPlaysAndIsNamed) {
  const Outcome play =
      run_with_zoo("play kaok --model zoo --level 1 < " MAKZERO_TEST_DATA "/play/one_move.txt");
  EXPECT_EQ(play.status, 0);
  EXPECT_THAT(play.out, HasSubstr("Opponent: MakZero (network "));
  EXPECT_THAT(play.out, testing::ContainsRegex("level 1 - beginner \\([0-9]+ above random play\\)"));
  const Outcome too_strong = run_with_zoo("play kaok --model zoo --level 11 2>&1");
  EXPECT_EQ(too_strong.status, 2);
  EXPECT_THAT(too_strong.out, HasSubstr("give a whole number from 1 to 10"));
}

TEST(ProgramTest, TheSeedFixesTheOpponentsGame) {
  const auto game = [](const std::string& seed) {
    return run_with_zoo("play kaok:max_plies=30 --model zoo --level 1 --side none " + seed + " < /dev/null")
        .out;
  };
  const std::string first = game("--seed 5");
  EXPECT_EQ(first, game("--seed 5"));
  EXPECT_NE(first, game("--seed 6"));
}

TEST(ProgramTest, TheLastGameIsKeptAndGoneOnWith) {
  const std::string home = testing::TempDir() + "/makzero_home_" + std::to_string(getpid());
  const auto play = [&](const std::string& rest) {
    const std::string call = "XDG_STATE_HOME=" + home + " " MAKZERO_PROGRAM " play " + rest + " 2>&1";
    return run_shell(call);
  };
  EXPECT_EQ(play("--resume < /dev/null").status, 2);
  EXPECT_EQ(play("makruk --model alphabeta:1 < " MAKZERO_TEST_DATA "/play/one_move.txt").status, 0);
  const Outcome resumed = play("--resume --side both < /dev/null");
  EXPECT_EQ(resumed.status, 0);
  EXPECT_THAT(resumed.out, HasSubstr("Black plays "));
  std::filesystem::remove_all(home);
}

TEST(ProgramTest, TheSampleGamesOfARunAreReplayed) {
  const std::string file = MAKZERO_TEST_DATA "/runs/makyek-2026-10/games/000002.txt";
  const Outcome second = run("replay " + file + " --number 2 --all");
  EXPECT_EQ(second.status, 0);
  EXPECT_THAT(second.out, StartsWith("game 2 of the 4 in this file"));
  EXPECT_THAT(second.out, HasSubstr("\n1. White plays e1-e2"));
  EXPECT_THAT(run("replay " + file + " --number 5 2>&1").out, HasSubstr("holds 4 games"));
}

// Two games, the second of which cannot be read; a third with everything that a file may say.
constexpr const char* kGames =
    "[Event \"A\"]\n[WhiteElo \"1500\"]\n[Variant \"Makruk\"]\n[Termination \"adjudication\"]\n\n1. e4 "
    "{[%clk "
    "0:03:00]} e5 {good} (1... d5) 1-0\n\n[Variant \"Makruk\"]\n\n1. z9 *\n\n[Variant \"Makruk\"]\n\n1. e4 "
    "(1. "
    "z9) e5 0-1\n";

class GameFileTest : public models::FolderTest {
 protected:
  GameFileTest() { std::ofstream(file_) << kGames; }
  static std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string file_ = folder_ / "games.pgn";
};

TEST_F(GameFileTest, OneOfSeveralGamesIsChosenAndAllAreReviewed) {
  for (const std::string command : {"replay ", "play --load "}) {
    const Outcome unclear = run(command + file_ + " 2>&1");
    EXPECT_EQ(unclear.status, 2) << unclear.out;
    EXPECT_THAT(unclear.out, HasSubstr("holds 3 games: give --number N or --number all"));
  }
  const Outcome all = run("review --model alphabeta:1 " + file_ + " 2>&1");
  EXPECT_EQ(all.status, 1) << all.out;
  EXPECT_THAT(all.out, HasSubstr("2 games reviewed, 0 of them before, 1 skipped"));
  for (const std::string command : {"replay ", "review --model alphabeta:1 ", "play --load "}) {
    EXPECT_EQ(run(command + file_ + " --number 4 2>&1").status, 2);
    EXPECT_EQ(run(command + file_ + " --number 0 2>&1").status, 2);
  }
}

TEST_F(GameFileTest, WhatIsWrittenAnewKeepsTheFile) {
  const Outcome pgn = run("replay " + file_ + " --number 1 --to pgn 2>&1");
  EXPECT_EQ(pgn.status, 0);
  for (const char* part : {"[Event \"A\"]", "[WhiteElo \"1500\"]", "[Termination \"adjudication\"]",
                           "[%clk 0:03:00]", "good", "(1... d5)", "1-0"})
    EXPECT_THAT(pgn.out, HasSubstr(part));
  EXPECT_THAT(pgn.out, AllOf(Not(HasSubstr("resignation")), Not(HasSubstr("note: "))));
}

TEST_F(GameFileTest, ASavedGameKeepsWhatItsFileSays) {
  const Outcome text = run("replay " + file_ + " --number 1 --to text 2>&1");
  EXPECT_EQ(text.status, 0);
  for (const char* part : {"tag WhiteElo 1500\n", "result 1-0\n", "[%clk 0:03:00]", "{ good }", "(d6d5)"})
    EXPECT_THAT(text.out, HasSubstr(part));
  const Outcome pgn = run("replay " + file_ + " --number 3 --to pgn 2>&1");
  EXPECT_THAT(pgn.out, HasSubstr("1 variations cannot be read and are left out"));
}

TEST_F(GameFileTest, AGameThatCannotBeReadCostsNoOther) {
  const std::string reviewed = folder_ / "reviewed.pgn";
  const std::string command =
      "review " + file_ + " --number all --model alphabeta:1 --output " + reviewed + " 2>&1";
  const Outcome review = run(command);
  EXPECT_EQ(review.status, 1) << review.out;
  EXPECT_THAT(review.out, AllOf(HasSubstr("skipped: " + file_ + " #2: line "),
                                HasSubstr("2 games reviewed, 0 of them before, 1 skipped")));
  const Outcome both = run("replay " + reviewed + " --number all --to pgn");
  EXPECT_THAT(both.out, AllOf(HasSubstr("WhiteElo"), HasSubstr("1-0"), HasSubstr("0-1"),
                              HasSubstr("[Annotator \"makzero, alphabeta:1\"]")));
}

// As after a kill in the middle of the second game's writing; its output is a link to a file elsewhere.
TEST_F(GameFileTest, AReviewGoesOnWhereItWasInterrupted) {
  const std::string link = folder_ / "reviewed.pgn", reviewed = folder_ / "elsewhere.pgn";
  std::filesystem::create_symlink("elsewhere.pgn", link);
  const std::string command =
      "review " + file_ + " --number all --model alphabeta:1 --output " + link + " 2>&1";
  run(command);
  const std::string whole = text_of(reviewed);
  std::filesystem::remove(reviewed);
  std::ofstream(reviewed + ".partial") << whole.substr(0, whole.size() - 8);
  const Outcome again = run(command);
  EXPECT_THAT(again.out, HasSubstr("2 games reviewed, 1 of them before, 1 skipped"));
  EXPECT_EQ(text_of(reviewed), whole);
  EXPECT_FALSE(std::filesystem::exists(reviewed + ".partial"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST(ProgramTest, WrongUseSaysWhatIsWanted) {
  for (const auto& [arguments, wanted] : std::map<std::string, std::string>{
           {"play --side whte", "did you mean 'white'?"},
           {"export runs --out x --to onx", "did you mean 'onnx'?"},
           {"play --level one", "'one': give a whole number from 1 to 10"},
           {"play --level 0", "'0': give a whole number from 1 to 10"},
           {"play --simulations 1e3", "'1e3': give a whole number from 1 to 1000000000"},
           {"levels makruk", "'makruk': give a model or the folder of a run"},
           {"play --level", "--level lacks a value: write --level N"},
           {"play --level 1 --simulations 5", "leave --simulations out"},
           {"play --load a.txt --resume", "give one of them"},
           {"library " + testing::TempDir() + "/makzero_library --moves", "need --game GAME"},
           {"play --load a.txt --position x", "give one of them"},
           {"match makyek --a random --b random --sprt 1", "lacks a value: write --sprt ELO0,ELO1"},
           {"match makyek --a random --b random --games 4 --games 6", "--games is given more than once"},
           {"train makyek --threads=1 --threads=2", "'--threads' is given more than once"},
           {"match makyek --a random --b random --seed -5", "'-5': give a whole number from 0 to"},
           {"match makyek --a random --b random --seed 18446744073709551616",
            "give a whole number from 0 to"},
           {"games makyek:jump=on,jump=off", "option 'jump' is given twice"}}) {
    const Outcome outcome = run(arguments + " 2>&1");
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr(wanted));
  }
  std::filesystem::remove_all(testing::TempDir() + "/makzero_library");
  EXPECT_THAT(run("inspect zoo 2>&1").out, HasSubstr("name a game in place of 'zoo'"));
  EXPECT_EQ(run("help perft").out, run("perft --help").out);
}

TEST(ProgramTest, UciQuitsAtTheEndOfTheInput) {
  const Outcome uci = run("uci makyek < /dev/null");
  EXPECT_EQ(uci.status, 0);
  EXPECT_EQ(uci.out, "");
}

TEST(ProgramTest, SelfPlayWithASimulatedCardIsMeasured) {
  const Outcome bench =
      run("bench --simulate-card --preset gpu --threads 2 --games 64 --max-batch 32 --seconds 0.1 "
          "--card-batch-us 100 --card-row-us 1 --json");
  EXPECT_EQ(bench.status, 0);
  for (const char* part : {"\"simulations_per_second\": ", "\"card_busy_share\": 0.",
                           "\"cpu_microseconds_per_simulation\": ", "\"rows_per_batch\": ", "\"threads\": 2",
                           "\"games_in_flight\": 64", "\"max_batch\": 32",
                           "\"rows_learnt_per_second\": ", "\"learner_waiting_share\": ",
                           "\"analysis_simulations_per_second\": ", "\"analysis_card_busy_share\": 0."})
    EXPECT_THAT(bench.out, HasSubstr(part));
}

class TuneTest : public models::FolderTest {};

// Measured, kept, and taken by a new training, whose flags go before.
TEST_F(TuneTest, WhatIsTunedIsTakenByNewTrainings) {
  const std::string file = folder_ / "made" / "tuned.json", run_folder = folder_ / "run";
  const char* before = std::getenv("MAKZERO_TUNED");
  setenv("MAKZERO_TUNED", file.c_str(), 1);
  const Outcome dry = run("tune --seconds 0.05 --dry-run");
  EXPECT_EQ(dry.status, 0) << dry.out;
  EXPECT_FALSE(std::filesystem::exists(file));
  const Outcome tuned = run("tune --seconds 0.05");
  EXPECT_EQ(tuned.status, 0) << tuned.out;
  for (const char* part :
       {"network 4x48 on cpu", "  fp32 ", "  bf16 ", "  fp16 ", " workers ", "best: ", file.c_str()})
    EXPECT_THAT(tuned.out, HasSubstr(part));
  const std::string training =
      "train makyek --minutes 0.001 --rating.time_share=0 --run " + run_folder + " 2>&1";
  const Outcome taken = run("train makyek --threads=1" + training.substr(12));
  EXPECT_EQ(taken.status, 0) << taken.out;
  EXPECT_THAT(taken.out, HasSubstr("as tuned for this machine: --precision="));
  EXPECT_THAT(taken.out, testing::Not(HasSubstr("--threads=")));
  EXPECT_THAT(run(training).out, testing::Not(HasSubstr("as tuned"))) << "the run goes on as it began";
  std::ofstream(file) << "[{]";
  const Outcome broken = run("train makyek --run " + run_folder + "2 2>&1");
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.out, HasSubstr("remove it, and measure again with `makzero tune`"));
  setenv("MAKZERO_TUNED", before ? before : "", 1);
}

TEST(ProgramTest, TheDoctorNamesWhatItChecked) {
  const Outcome doctor = run("doctor");
  EXPECT_EQ(doctor.status, 0);
  for (const char* part : {"LibTorch", "BLAS", "CPU", "cores", "CUDA", "memory", "disk"}) {
    EXPECT_THAT(doctor.out, HasSubstr(part));
  }
}

struct BadUse {
  const char* arguments;
  int status;
  const char* message;  // On stderr.
};

std::ostream& operator<<(std::ostream& out, const BadUse& use) { return out << use.arguments; }

class BadUseTest : public testing::TestWithParam<BadUse> {};

TEST_P(BadUseTest, IsRefusedWithAMessageThatHelps) {
  const Outcome outcome = run(std::string(GetParam().arguments) + " 2>&1 >/dev/null");
  EXPECT_EQ(outcome.status, GetParam().status) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, BadUseTest,
    testing::Values(
        BadUse{"prft makyek 3", 2, "unknown command 'prft': did you mean 'perft'?"},
        BadUse{"xyzzy", 2, "unknown command 'xyzzy'"},
        BadUse{"play makyek --precision half", 2, "'half': give auto, fp32, bf16 or fp16"},
        BadUse{"perft makyek 3 --positon x", 2, "unknown flag '--positon': did you mean '--position'?"},
        BadUse{"perft", 2, "RULESET is required"}, BadUse{"perft makyek", 2, "DEPTH is required"},
        BadUse{"perft makyek three", 2, "DEPTH"}, BadUse{"perft makyek -- -1", 2, "DEPTH"},
        BadUse{"perft makyek 3 4", 2, "unknown argument '4'"},
        BadUse{"perft makyk 3", 2, "unknown game 'makyk': did you mean 'makyek'?"},
        BadUse{"perft makyek:custodan=line 3", 2, "did you mean 'custodian'?"},
        BadUse{"perft makyek:custodian=lines 3", 2, "give one of single, line, none"},
        BadUse{"perft makyek:no_progress=many 3", 2, "give a number from"},
        BadUse{"perft makyek:custodian 3", 2, "has no value: write NAME=VALUE"},
        BadUse{"perft makyek:jump=on,jump=off 3", 2, "option 'jump' is given twice: leave one out"},
        BadUse{"perft makyek: 3", 2, "an option is missing behind ':'"},
        BadUse{"games chess", 2, "unknown game 'chess'"}, BadUse{"match makyek", 2, "--a is required"},
        BadUse{"match makyek --a randm --b random", 2, "--a: "},
        BadUse{"match makyek --a random --b alphabeta:x", 2, "--b: "},
        BadUse{"match makyek --a random --b random --games 0", 2, "--games"},
        BadUse{"match makyek --a random --b random --openings 101", 2, "at most 100 random plies"},
        BadUse{"match makyek --a random --b random --openings no/such.txt", 2, "no file 'no/such.txt'"},
        BadUse{"match makyek --a random --b random --openings " MAKZERO_TEST_DATA "/play/one_move.txt", 2,
               "one_move.txt:1: "},
        BadUse{"match makyek --a 'material:3?ms=5' --b random", 2, "takes one of a strength, ms=N"},
        BadUse{"match makyek --a latest --b random --run no/run", 2, "no/run"},
        BadUse{"match makyek --a no/such.mzc --b random", 2, "no/such.mzc"},
        BadUse{"endings makyek:limit_result=material", 2, "limit_result=draw"},
        BadUse{"endings makruk:count.mode=manual", 2, "leave the options out, as in 'makruk'"},
        BadUse{"endings gala", 2, "MAKZERO_ENDINGS is empty"},
        BadUse{"play makyek --side green", 2, "--side"},
        BadUse{"play makyek --simulations 0", 2, "give a whole number from 1 to 1000000000"},
        BadUse{"play makyek --model alphabeta:2 --level 3", 2, "no measured levels"},
        BadUse{"play makyek --seconds 0", 2, "--seconds: '0': give a number from 0.001 to 1000000"},
        BadUse{"play makyek --position ''", 2, "the position is empty"},
        BadUse{"play makyek --model alphabeta:0", 1, "a depth from 1 to 64"},
        BadUse{"play makyek --model no/such.mzc", 1, "no/such.mzc"},
        BadUse{"play --load no/such.txt", 1, "no/such.txt"}, BadUse{"play --load /dev/null", 1, "is empty"},
        BadUse{"uci makruc", 2, "did you mean 'makruk'?"}, BadUse{"rate no/run", 1, "no/run"},
        BadUse{"fsck no/run", 1, "no/run"}, BadUse{"fsck no/run --spool x", 2, "--spool requires --hub"},
        BadUse{"fsck no/run --repair --hub redis://h", 2, "--repair excludes --hub"},
        BadUse{"bench chess", 2, "unknown game 'chess'"}, BadUse{"bench makyek --seconds 0", 2, "--seconds"},
        BadUse{"inspect no/such.mzc", 1, "no/such.mzc"}, BadUse{"inspect " MAKZERO_PROGRAM, 1, "/makzero"}));

INSTANTIATE_TEST_SUITE_P(
    Configurations, BadUseTest,
    testing::Values(BadUse{"train", 2, "GAME is required"},
                    BadUse{"train makyik --run no/run", 2, "did you mean 'makyek'?"},
                    BadUse{"train makyek --run no/run --preset fast", 2,
                           "presets: quick, cpu, gpu, gpu-small, gpu-large, gpu-largest"},
                    BadUse{"train makyek --run no/run --minuts=3", 2, "did you mean '--minutes'?"},
                    BadUse{"train makyek --run no/run --minutes -1", 2, "--minutes"},
                    BadUse{"train makyek --run no/run --self_play.simulatons=3", 2,
                           "did you mean '--self_play.simulations'?"},
                    BadUse{"train makyek --run no/run --self_play.simulations", 2, "has no value"},
                    BadUse{"train makyek --run no/run --self_play.simulations=few", 2,
                           "self_play.simulations"},
                    BadUse{"train makyek --run no/run --learning.batch=0", 2, "learning.batch"},
                    BadUse{"train makyek --run no/run --search.algorithm=ALPHA", 2, "search.algorithm"},
                    BadUse{"train makyek again --run no/run", 2, "unknown argument 'again'"}));

INSTANTIATE_TEST_SUITE_P(
    Positions, BadUseTest,
    testing::Values(BadUse{"perft makyek 3 --position ' '", 2, "the position is empty"},
                    BadUse{"perft makyek 3 --position ''", 2, "the position is empty"},
                    BadUse{"perft makyek 3 --position 'm7/8/8/8/8/8/8/M70 w'", 2, "has a 0: digits count"},
                    BadUse{"perft makyek 3 --position '8/8 w'", 2, "the board has 2 ranks: it needs 8"},
                    BadUse{"perft makyek 3 --position 'mmmm/8/8/8/8/8/8/M7 w'", 2,
                           "has 4 squares: it needs 8"},
                    BadUse{"perft makyek 3 --position 'm7/8/8/8/8/8/8/M7'", 2, "the side to move is missing"},
                    BadUse{"perft makyek 3 --position 'm7/8/8/8/8/8/8/M7 x'", 2, "the side to move is 'x'"},
                    BadUse{"perft makyek 3 --position 'q7/8/8/8/8/8/8/M7 w'", 2, "unknown piece 'q' on a8"},
                    BadUse{"perft makruk 3 --position '8/8/8/8/8/8/8/K7 w - - 0 1'", 2, "king"},
                    BadUse{"perft makruk 3 --position 'P3k3/8/8/8/8/8/8/K7 w - - 0 1'", 2, "a8"},
                    BadUse{"perft makruk 3 --position 'R3k3/8/8/8/8/8/8/K7 w - - 0 1'", 2, "check"}));

}  // namespace
}  // namespace makzero::play
