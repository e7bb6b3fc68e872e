// Games as PGN and back, for every ruleset, and what PGN of other programs may look like.
#include "play/notation/document_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/notation/document_reader.h"
#include "play/terminal/replay.h"

namespace makzero::play {
namespace {

using testing::HasSubstr;

PlayedGame random_game(const std::string& spec, int plies, std::uint64_t seed) {
  PlayedGame game(*game::make_game(spec));
  std::mt19937_64 rng(seed);
  for (int ply = 0; ply < plies && !game.outcome().over(); ++ply) {
    game.play(game.legal()[static_cast<int>(rng() % game.legal().size())]);
  }
  return game;
}

class DocumentTest : public testing::TestWithParam<std::string> {};

TEST_P(DocumentTest, ARandomGameReadsBack) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const PlayedGame game = random_game(GetParam(), 150, seed);
    const std::string text = game_pgn(GameDocument(game));
    const auto read = read_document(text);
    ASSERT_TRUE(read) << read.why() << "\n" << text;
    EXPECT_EQ(read->game.actions(), game.actions());
    EXPECT_EQ(read->game.rules().info().ruleset, game.rules().info().ruleset);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DocumentTest, testing::ValuesIn(game::ruleset_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Random games of Makruk, written and read in each notation.
class NotationTest : public testing::TestWithParam<Notation> {};

TEST_P(NotationTest, AThousandGamesReadBack) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const GameDocument game(random_game("makruk", 60, seed));
    const auto read = read_document(game_pgn(game, GetParam()));
    ASSERT_TRUE(read) << read.why();
    ASSERT_EQ(read->fault, "") << game_pgn(game, GetParam());
    ASSERT_EQ(read->game.actions(), game.game.actions()) << game_pgn(game, GetParam());
  }
}

// A move as the federation writes it in long, "Mb1-c3" and "Bc3xd4", or in Thai with a blank, "ม ข๑-ค๓".
std::string long_move(const PlayedGame& game, int action, bool thai) {
  static const std::map<char, std::array<std::string, 2>> kPieces = {{'K', {"K", "ข "}}, {'M', {"D", "ม็ "}},
                                                                     {'S', {"H", "ค "}}, {'N', {"M", "ม "}},
                                                                     {'R', {"R", "ร "}}, {'P', {"B", "บ "}}};
  static const std::vector<std::string> kFiles = {"ก", "ข", "ค", "ง", "จ", "ฉ", "ช", "ญ"};
  static const std::vector<std::string> kRanks = {"๑", "๒", "๓", "๔", "๕", "๖", "๗", "๘"};
  const game::Position& position = game.position_before(action);
  const game::Move move = game.actions()[action].move;
  const auto square = [&](game::Square at) {
    const std::string letters = game::square_text(at);
    return thai ? kFiles[letters[0] - 'a'] + kRanks[letters[1] - '1'] : letters;
  };
  const bool captures = game::contains(position.enemy(), move.destination());
  const char kind = game::kind_on(game.rules().info(), position, move.origin());
  return kPieces.at(kind)[thai ? 1 : 0] + square(move.origin()) + (captures ? thai ? " × " : "x" : "-") +
         square(move.destination());
}

TEST(DocumentTest, AThousandGamesInTheLongNotationsAreRead) {
  for (const bool thai : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      const PlayedGame game = random_game("makruk", 60, seed);
      std::string text = "[Variant \"Makruk\"]\n\n";
      for (int i = 0; i < static_cast<int>(game.actions().size()); ++i)
        text += (i % 2 == 0 ? std::to_string(i / 2 + 1) + ". " : "") + long_move(game, i, thai) + "\n";
      const auto read = read_document(text);
      ASSERT_TRUE(read) << read.why();
      ASSERT_EQ(read->fault, "") << text;
      ASSERT_EQ(read->game.actions(), game.actions()) << text;
      ASSERT_EQ(read->dialect, thai ? "Thai letters" : "federation's letters");
    }
  }
}

// "bxc5" or "Kxc5": from c5 the king could not go to b3.
TEST(DocumentTest, OfAnAmbiguousMoveTheMeaningIsTakenWithWhichTheRestIsLegal) {
  const auto read = read_document(
      "[Variant \"Makruk\"]\n[FEN \"3k4/8/8/2p5/1PK5/8/8/R7 w - - 0 1\"]\n\n1. ขxค๕ ข-ง๗ 2. ข-ข๓ *");
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->fault, "");
  EXPECT_EQ(action_text(read->game, 0), "b4c5");
}

INSTANTIATE_TEST_SUITE_P(All, NotationTest,
                         testing::Values(Notation::kLetters, Notation::kFigurines, Notation::kThai,
                                         Notation::kPlayOk, Notation::kCoordinates),
                         [](const auto& info) {
                           return std::string(kNotationNames[static_cast<int>(info.param)]);
                         });

TEST(DocumentTest, DeclarationsAndAnOwnStartAreKept) {
  const game::GamePtr rules = *game::make_game("makruk:count.mode=manual");
  PlayedGame game(rules, *game::parse_position(*rules, "4k2n/8/8/8/8/8/RR6/4K3 b - - 0 1"));
  game.declare(game::Declaration::kStartCount);
  ASSERT_FALSE(play_word("e8e7", &game));
  const std::string text = game_pgn(GameDocument(game));
  EXPECT_THAT(text, HasSubstr("[SetUp \"1\"]\n[FEN \"4k2n/"));
  EXPECT_THAT(text, HasSubstr("{count} 1... Ke7 *"));
  const auto read = read_document(text);
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->game.actions(), game.actions());
}

TEST(DocumentTest, OtherProgramsWriteItInOtherWays) {
  const auto read = read_document(
      "[event \"?\"]\r\n[VARIANT \"MAKRUK\"]\r\n\r\n"
      "1.e4 {a comment} e5 (1...d5 (1...f5) {in } a variation}) 2. Nd2 $1 ; the rest\n2...Nd7! 3.e3e4??\n");
  ASSERT_TRUE(read) << read.why();
  EXPECT_THAT(read->fault, AllOf(HasSubstr("line 5"), HasSubstr("e3e4??")));
  EXPECT_EQ(read->game.actions().size(), 4u) << "what was read is kept";
  const auto good = read_document(
      "[event \"?\"]\r\n[VARIANT \"MAKRUK\"]\r\n\r\n1.e4 {a comment} e5 (1...d5 (1...f5)) 2. Nd2 $1 ; the "
      "rest\n"
      "2...Nd7! 3. d3d4 1/2-1/2 and what follows is another game");
  ASSERT_TRUE(good) << good.why();
  EXPECT_EQ(good->game.actions().size(), 5u);
}

// Positions that the rules leave open, ended by the players.
TEST(DocumentTest, ResignationsLossesOnTimeAndAgreementsAreKept) {
  for (const game::Reason reason :
       {game::Reason::kResignation, game::Reason::kTimeForfeit, game::Reason::kAgreement}) {
    PlayedGame game = random_game("makruk", 10, 1);
    const bool draw = reason == game::Reason::kAgreement;
    game.end({draw ? game::Result::kDraw : game::Result::kBlackWins, reason});
    const std::string pgn = game_pgn(GameDocument(game)), text = game_text(GameDocument(game));
    EXPECT_THAT(pgn, HasSubstr("[Termination \"" + std::string(game::reason_text(reason)) + "\"]"));
    for (const std::string& written : {pgn, text}) {
      const auto read = read_document(written);
      ASSERT_TRUE(read) << read.why();
      EXPECT_EQ(read->game.outcome(), game.outcome()) << written;
    }
  }
}

TEST(DocumentTest, EndsOfOtherProgramsAreUnderstood) {
  const auto outcome = [](const std::string& tags, const std::string& result) {
    return read_document("[Variant \"Makruk\"]\n" + tags + "\n1. e4 e5 " + result)->game.outcome();
  };
  using game::Reason, game::Result;
  EXPECT_EQ(outcome("[Termination \"Time forfeit\"]\n", "1-0"),
            (game::Outcome{Result::kWhiteWins, Reason::kTimeForfeit}));
  EXPECT_EQ(outcome("[Termination \"Normal\"]\n", "0-1"), (game::Outcome{Result::kBlackWins, Reason::kNone}));
  EXPECT_EQ(outcome("", "1/2-1/2"), (game::Outcome{Result::kDraw, Reason::kNone}));
  EXPECT_EQ(outcome("[Result \"1-0\"]\n", ""), (game::Outcome{Result::kWhiteWins, Reason::kNone}));
  EXPECT_FALSE(outcome("", "*").over());
}

// What the rules decide they decide, whatever a file says.
TEST(DocumentTest, AMateIsNoResignation) {
  const auto read = read_document(
      "[Variant \"Makruk\"]\n[FEN \"7k/R7/1R6/8/8/8/8/K7 w - - 0 1\"]\n[Termination "
      "\"resignation\"]\n\n1. Rb8# 0-1");
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->game.outcome(), (game::Outcome{game::Result::kWhiteWins, game::Reason::kCheckmate}));
}

constexpr const char* kAnnotated =
    "[Variant \"Makruk\"]\n[White \"A\"]\n\n"
    "{ From the start } 1. e4 { [%eval 0.25] [%clk 0:01:00] } 1... e5?! { [%eval 1.3] } { Too early. } $14 "
    "(1... d5 { [%eval #-3] solid } 2. Nd2 (2. d4!) 2... Nd7) (1... f5?) 2. Nd2 *";

TEST(DocumentTest, EvaluationsCommentsGlyphsAndVariationsAreRead) {
  const auto read = read_document(kAnnotated);
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->game.actions().size(), 3u);
  EXPECT_EQ(read->tags.value("White"), "A");
  const std::vector<int> line = read->main_line();
  const auto note = [&](int node) { return read->nodes[node].note; };
  EXPECT_EQ(note(0).comment, "From the start");
  EXPECT_EQ(note(line[1]), (Note{.eval = Eval{25}, .clock = 60}));
  EXPECT_EQ(note(line[2]), (Note{.nags = {6, 14}, .eval = Eval{130}, .comment = "Too early."}));
  const std::vector<int>& replies = read->nodes[line[1]].next;
  ASSERT_EQ(replies.size(), 3u);
  EXPECT_EQ(note(replies[1]), (Note{.eval = Eval{0, -3}, .comment = "solid"}));
  EXPECT_EQ(note(replies[2]), (Note{.nags = {2}}));
  EXPECT_EQ(read->nodes[replies[1]].next.size(), 2u);
}

TEST(DocumentTest, AnGameDocumentReadsBack) {
  const GameDocument game = *read_document(kAnnotated);
  const std::string text = game_pgn(game);
  EXPECT_THAT(text, HasSubstr("{ From the start } 1. e4 { [%eval 0.25] [%clk 0:01:00] } 1... e5?! $14"));
  EXPECT_THAT(text, HasSubstr("(1... d5 { [%eval #-3] solid }"));
  const auto again = read_document(text);
  ASSERT_TRUE(again) << again.why();
  EXPECT_EQ(game_pgn(*again), text);
  EXPECT_EQ(again->nodes.size(), game.nodes.size());
  for (size_t i = 0; i < game.nodes.size(); ++i) EXPECT_EQ(again->nodes[i].note, game.nodes[i].note) << i;
}

TEST(DocumentTest, AVariationOfTheMainMoveItselfLeavesTheMainLine) {
  const auto read = read_document("[Variant \"Makruk\"]\n\n1. e4 (1. e4 d5 2. d4) 1... e5 2. d4 *");
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(action_text(read->game, 1), "e6e5");
  EXPECT_EQ(read->main_line().size(), 4u);
  EXPECT_EQ(read->nodes[read->main_line()[2]].action, read->game.actions()[1]);
}

struct BadText {
  const char* text;
  const char* why;
};

class BadTextTest : public testing::TestWithParam<BadText> {};

TEST_P(BadTextTest, SaysWhatIsWrongAndWhere) {
  const auto read = read_document(GetParam().text);
  EXPECT_THAT(read ? read->fault : read.why(), HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    Refused, BadTextTest,
    testing::Values(BadText{"[Event \"x\"]\n\n*", "the game is not known"},
                    BadText{"[Event \"x\"]\n\n1. Rh8 *", "legal in none of the games"},
                    BadText{"a3a5 h6h4", "legal in several games (makyek"},
                    BadText{"[Variant \"Makruc\"]\n1. e4 *", "did you mean 'makruk'?"},
                    BadText{"[Variant \"Makruk]\n1. e4 *", "line 1: the tag is not like"},
                    BadText{"[Variant \"Makruk\"]\n[FEN \"8/8 w\"]\n1. e4 *", "FEN: the board has 2 ranks"},
                    BadText{"[", "line 1"}, BadText{"", "the text is empty"},
                    BadText{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "this is chess"},
                    BadText{"ruleset makyek\n", "no line 'moves'"},
                    BadText{"ruleset makyik\nmoves\n", "unknown game 'makyik': did you mean 'makyek'?"},
                    BadText{"ruleset makyek\nmvoes a3a4\n", "line 2: unknown word 'mvoes'"},
                    BadText{"ruleset makyek\nstart 8/8 w\nmoves\n", "the board has 2 ranks"}));

INSTANTIATE_TEST_SUITE_P(
    Faults, BadTextTest,
    testing::Values(BadText{"[Variant \"Makruk\"]\n\n1. Nf6 *", "line 3: move 'Nf6' is not legal"},
                    BadText{"[Variant \"Makruk\"]\n1. e4 {open", "add '}'"},
                    BadText{"[Variant \"Makruk\"]\n1. e4 (open", "add ')'"},
                    BadText{"[Variant \"Makruk\"]\n}", "'}'"},
                    BadText{"[Variant \"Makruk\"]\n{count} *", "cannot be declared"},
                    BadText{"ruleset makyek\nmoves a3a4 a3a4\n", "line 2: move 'a3a4' is not legal"},
                    BadText{"ruleset makyek\nmoves count\n", "'count' cannot be declared here"}));

// A lone met cannot win.
TEST(DocumentTest, ARecordGoesOnPastAnEndThatPlayersOverlook) {
  const auto read = read_document(
      "[Variant \"Makruk\"]\n[FEN \"4k3/8/8/1p6/M7/8/8/3K4 w - - 0 1\"]\n\n"
      "1. Mxb5 Kd7 2. Kc2 Kd6 3. Kd3 1-0");
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->fault, "");
  EXPECT_EQ(read->game.actions().size(), 5u);
  ASSERT_TRUE(read->game.passed_end());
  EXPECT_EQ(read->game.passed_end()->actions, 1);
  EXPECT_EQ(read->game.passed_end()->outcome.reason, game::Reason::kInsufficientMaterial);
  EXPECT_EQ(read->game.outcome().result, game::Result::kWhiteWins) << "as it is stated";
}

TEST(DocumentTest, NothingFollowsAMate) {
  const auto read =
      read_document("[Variant \"Makruk\"]\n[FEN \"7k/R7/1R6/8/8/8/8/K7 w - - 0 1\"]\n\n1. Rb8# Kh7 *");
  ASSERT_TRUE(read) << read.why();
  EXPECT_THAT(read->fault, HasSubstr("'Kh7' follows the end of the game"));
  EXPECT_EQ(read->game.outcome().reason, game::Reason::kCheckmate);
}

TEST(DocumentTest, TheCallerNamesAGameThatItsFileDoesNot) {
  EXPECT_EQ(read_document("1. e4 e5", "ok")->game.rules().info().ruleset, "ok");
  EXPECT_EQ(read_document("[Variant \"Makruk\"]\n1. e4 e5 *", "ok")->game.rules().info().ruleset, "makruk");
}

TEST(DocumentTest, VariationsAloneTellTheDialect) {
  const auto read = read_document("[Variant \"Makruk\"]\n\n1. c4 (1. e4 e5 (1... d5 2. Bf2 Qc7) 2. d4) *");
  ASSERT_TRUE(read) << read.why();
  EXPECT_THAT(game_pgn(*read), HasSubstr("(1... d5 2. Sf2 Mc7)"));
}

// A turned pawn and a met that can both reach a square: PlayOK's letters tell them apart.
TEST(DocumentTest, PlayOkTellsTurnedPawnsFromMets) {
  const std::string start = "[Variant \"Makruk\"]\n[FEN \"4k3/8/8/2P5/4M3/8/8/4K2R w - - 0 1\"]\n\n";
  const auto read = read_document(start + "1. c6=P Ke7 2. Pd5 Kf8 3. Pc4 Ke7 4. Qd5 *");
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->fault, "");
  EXPECT_EQ(action_text(read->game, 6), "e4d5");
  EXPECT_THAT(game_pgn(*read, Notation::kPlayOk), HasSubstr("1. c6=P Ke7 2. Pd5 Kf8 3. Pc4 Ke7 4. Qd5"));
}

TEST(DocumentTest, WhatStandsInASavedGameReadsBack) {
  const GameDocument game = *read_document(kAnnotated);
  const auto again = read_document(game_text(game));
  ASSERT_TRUE(again) << again.why();
  EXPECT_EQ(again->tags, game.tags);
  EXPECT_EQ(game_text(*again), game_text(game));
  EXPECT_EQ(again->nodes.size(), game.nodes.size());
}

std::string replayed(const PlayedGame& game, const std::string& typed) {
  std::istringstream in(typed);
  std::ostringstream out;
  Replay(in, out, game, {}).run();
  return out.str();
}

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(DocumentTest, TheSampleGamesOfARunAreRead) {
  const std::string text = file_text(MAKZERO_TEST_DATA "/runs/makyek-2026-10/games/000002.txt");
  const std::vector<std::string_view> games = split_games(text);
  EXPECT_EQ(games.size(), 4u);
  for (const std::string_view each : games) {
    const auto game = read_document(each);
    ASSERT_TRUE(game) << game.why() << "\n" << each;
    const size_t plies = each.find("[Plies \"") + 8;
    EXPECT_EQ(game->game.actions().size(), std::stoul(std::string(each.substr(plies))));
    EXPECT_THAT(std::string(each), HasSubstr(game::position_text(game->game.rules(), game->game.position())));
  }
}

// Found by the fuzzer: read again without those characters it was the tag of the position.
TEST(DocumentTest, ATagWhoseNameHasControlCharactersIsLeftOut) {
  const std::string text = "[Variant \"Makruk\"]\n[FEN" + std::string(3, '\0') + " \"x\"]\n\n1. e4 *\n";
  const auto game = read_document(text);
  ASSERT_TRUE(game) << game.why();
  const auto again = read_document(game_pgn(*game));
  ASSERT_TRUE(again) << again.why();
  EXPECT_EQ(again->game.position(), game->game.position());
}

// Variations within variations: 32 are read.
std::string nested(int depth) {
  std::string text = "[Variant \"Makruk\"]\n\n1. e4";
  for (int i = 0; i < depth; ++i) text += i % 2 ? " (1. c4" : " (1. d4";
  return text + std::string(depth, ')') + " e5 *\n";
}

TEST(DocumentTest, WhatLiesTooDeepIsLeftOutAndCostsNothing) {
  const auto read = read_document(nested(40));
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->fault, "");
  EXPECT_EQ(read->game.actions().size(), 2u);
  EXPECT_EQ(read->unread_variations, 8);

  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(read_document(nested(300'000))->unread_variations, 300'000 - 32);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100'000) << "kilobytes";
}

TEST(DocumentTest, AThousandTagsAreKept) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "[T" + std::to_string(i) + " \"x\"]\n";
  EXPECT_EQ(read_document("[Variant \"Makruk\"]\n" + text + "\n1. e4 *\n")->tags.all().size(), 1000u);
}

TEST(DocumentTest, SeveralGamesAreToldApart) {
  const std::string one = "[Variant \"Makruk\"]\n\n1. e4 {a\n[comment] of two lines} e5 *\n";
  EXPECT_THAT(split_games(one), testing::ElementsAre(one));
  EXPECT_THAT(split_games(one + "\n" + one), testing::ElementsAre(one + "\n", one));
  EXPECT_THAT(split_games("ruleset makyek\nmoves\n"), testing::SizeIs(1));
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"1. e4 e5\n2. d4 1/2-1/2\n\n", "1. d4 d5 *\n"},
           {"1. e4 e5 1-0 {1. d4\n1. d4}\n1-0\n", "1.d4 d5"},
           {"1. e4 e5 2. c4 (\n1. c4) 1-0\n", "1. d4"},
           {"1. e4 e5 *\n; 1-0\n{a draw\nnow}\n", "1. d4 *\n"},
           {"ruleset makyek\ntag White {\nmoves a3a4 ; 1-0\n1. b3b4\nresult * -\n\n",
            "ruleset rek\nmoves\nresult * -\n"}}) {
    EXPECT_THAT(split_games(first + second), testing::ElementsAre(first, second));
  }
  for (const char* whole : {"; 1-0\n1. d4\n", "1. e4 1-0\n1... e5\n", "1. e4 ; 1-0\n1. d4\n"})
    EXPECT_THAT(split_games(whole), testing::ElementsAre(whole));
  for (const char* comment : {"; a { b", "{a { b}", "{a ; b}", "; } {"}) {
    const std::string commented = "[Variant \"Makruk\"]\n\n1. e4 " + std::string(comment) + "\ne5 *\n";
    EXPECT_THAT(split_games(commented + one), testing::ElementsAre(commented, one)) << comment;
  }
}

TEST(DocumentTest, WhatIsSaidInSeveralLinesReadsBackAsOne) {
  GameDocument game(random_game("makruk", 2, 1));
  game.tags.add("White", "a\nresult 1-0");
  for (const char* name : {"", "Q\"x", "Two\nlines"}) game.tags.add(name, "left out");
  game.nodes[1].note.comment = "a } {\nresult 0-1\n[Event \"x\"]";
  EXPECT_THAT(game.tags.all(), testing::ElementsAre(Tag{"White", "a result 1-0"}));
  for (const std::string& text : {game_pgn(game), game_text(game)}) {
    ASSERT_THAT(split_games(text), testing::SizeIs(1)) << text;
    const auto read = read_document(text);
    ASSERT_TRUE(read) << read.why() << text;
    EXPECT_EQ(read->fault, "");
    EXPECT_EQ(read->game.actions(), game.game.actions());
    EXPECT_EQ(read->tags.value("White"), "a result 1-0");
    EXPECT_EQ(read->nodes[1].note.comment, "a } { result 0-1 [Event \"x\"]");
  }
}

TEST(ReplayTest, GoesForwardBackAndToAnyMove) {
  const PlayedGame game = random_game("makyek", 6, 3);
  const auto board = [&](int actions) {
    PlayedGame shown = game;
    while (static_cast<int>(shown.actions().size()) > actions) shown.undo();
    return draw_board(shown, {});
  };
  const std::string shown = replayed(game, "next\n\nto 5\nback\nend\nnext\nto 9\nbakc\nquit\n");
  size_t at = 0;
  for (const int actions : {0, 1, 2, 5, 4, 6}) {
    const size_t found = shown.find(board(actions), at);
    ASSERT_NE(found, std::string::npos) << actions;
    at = found;
  }
  EXPECT_THAT(shown, HasSubstr("the game ends here"));
  EXPECT_THAT(shown, HasSubstr("from 0 to 6"));
  EXPECT_THAT(shown, HasSubstr("did you mean 'back'?"));
}

TEST(ReplayTest, AllShowsEveryPosition) {
  const PlayedGame game = random_game("gala", 40, 3);
  std::istringstream in;
  std::ostringstream out;
  Replay(in, out, game, {}).show_all();
  EXPECT_THAT(out.str(), HasSubstr("\n40. "));
  EXPECT_THAT(out.str(), HasSubstr(draw_board(game, {})));
}

}  // namespace
}  // namespace makzero::play
