// Makruk's draw by counting. "Fact N" is the number in the rules' list of facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/rules/counting.h"
#include "tests/support/chaser_moves.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Outcome kOngoing = {};
constexpr Outcome draw_by(Reason reason) { return {Result::kDraw, reason}; }

// A move or moves of a position and the side to move and fields behind them.
struct Count {
  const char* fact;
  std::string position;
  const char* moves;
  const char* after;
};

std::string played(const std::string& ruleset, const Count& fact) {
  const std::string text = Playthrough(ruleset, fact.position).play(fact.moves).text();
  return text.substr(text.find(' ') + 1);
}

TEST(CountingTest, BoardsHonourStartsWithTheLastPawn) {
  const Count facts[] = {
      {"23 promotion", "3k4/2m5/8/4MP2/3KS3/8/8/8 w - - 0 1", "f5f6m", "b - 128 0 1"},
      {"24 capture", "3k4/2m5/4p3/5M2/3KS3/8/8/8 w - - 0 10", "f5e6", "b - 128 0 10"},
      {"25 it runs on", "3k4/2m5/5M2/4M3/3KS3/8/8/8 w - 128 36 1", "d4d5", "b - 128 37 1"},
      {"26 a capture does not restart it", "3k4/2mm4/2N5/8/3KS3/8/8/3R4 b - 128 42 50", "d7c6",
       "w - 128 43 51"},
  };
  for (const Count& fact : facts) EXPECT_EQ(played("makruk", fact), fact.after) << "fact " << fact.fact;
}

TEST(CountingTest, PiecesHonourStartsAgainstABareKing) {
  const Count facts[] = {
      {"27 replaces board's honour", "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 128 97 1", "e5f6", "b - 44 8 1"},
      {"28", "8/5M2/2rM1K1k/5M2/4N1R1/8/8/8 b - 128 33 110", "c6d6 e4d6", "b - 32 12 111"},
      {"29 by the last promotion", "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1", "g5g6m", "b - 88 8 1"},
      {"29 though a count runs", "8/3k4/8/2K1S1P1/8/8/8/8 w - 128 10 1", "g5g6m", "b - 88 8 1"},
      {"30 by taking the last pawn", "8/8/4k3/5P2/8/2RMK3/8/8 b - - 0 50", "e6f5", "w - 32 7 51"},
      {"31 not while a pawn is left", "4k3/8/4m3/3P4/4R3/8/8/4K3 w - - 0 30", "e4e6", "b - - 0 30"},
      {"31 but when it promotes", "4k3/8/4m3/3P4/4R3/8/8/4K3 w - - 0 30", "e4e6 e8d7 d5d6m", "b - 32 8 31"},
      {"32", "7k/8/8/8/RR6/2N5/5m2/4K3 w - - 0 1", "e1f2", "b - 16 10 1"},
      {"34", "7k/8/8/8/R7/1N6/5m2/4K3 w - - 0 1", "e1f2", "b - 32 8 1"},
      {"35 a capture changes nothing", "8/8/8/3k4/4R3/8/3R4/K7 b - 16 8 60", "d5e4", "w - 16 9 61"},
  };
  for (const Count& fact : facts) EXPECT_EQ(played("makruk", fact), fact.after) << "fact " << fact.fact;
}

// The move e1f2 bares Black's king before White's pieces `rank3`.
Count baring(const std::string& rank3, const char* after) {
  return {"", "7k/8/8/8/8/" + rank3 + "/5m2/4K3 w - - 0 1", "e1f2", after};
}

TEST(CountingTest, LimitOfPiecesHonourFollowsItsTable) {
  const Count facts[] = {baring("SSN5", "b - 44 10 1"), baring("SNN5", "b - 64 10 1"),
                         baring("NN6", "b - 64 8 1"),   baring("S7", "b - 88 6 1"),
                         baring("MS6", "b - 88 8 1"),   baring("NNM5", "b - 64 10 1"),
                         baring("MMM5", "b - 128 10 1")};
  for (const Count& fact : facts) EXPECT_EQ(played("makruk", fact), fact.after) << fact.position;
}

TEST(CountingTest, KhonAndTwoKnightsHave44MovesOnRequest) {
  EXPECT_EQ(played("makruk:count.snn=44", baring("SNN5", "")), "b - 88 10 1");
  EXPECT_EQ(played("makruk:count.snn=44", baring("SSNN4", "")), "b - 44 12 1");
  EXPECT_EQ(played("makruk:count.snn=44", baring("NN6", "")), "b - 64 8 1");
}

TEST(CountingTest, BoardsHonourThatEndsSoonerIsKeptOnRequest) {
  // Pieces' honour would leave 44 - 8 = 36 plies.
  const Count sooner = {"", "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 128 92 1", "e5f6", ""};
  EXPECT_EQ(played("makruk:count.keep_shorter=on", sooner), "b - 128 93 1");
  const Count as_soon = {"", "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 128 91 1", "e5f6", ""};
  EXPECT_EQ(played("makruk:count.keep_shorter=on", as_soon), "b - 44 8 1");
}

TEST(CountingTest, CountDrawsOncePassed) {
  const std::pair<const char*, Outcome> facts[] = {
      {"8/8/8/3k4/8/8/RR6/K7 b - 16 16 60", kOngoing},
      {"8/8/8/3k4/8/8/RR6/K7 w - 16 17 60", draw_by(Reason::kCountExceeded)},
      {"8/8/2m5/3k4/8/8/R7/K7 b - 128 128 60", kOngoing},
      {"8/8/2m5/3k4/8/8/R7/K7 w - 128 129 60", draw_by(Reason::kCountExceeded)},
  };
  for (const auto& [text, outcome] : facts) EXPECT_EQ(Playthrough("makruk", text).outcome(), outcome) << text;
}

TEST(CountingTest, TooManyPiecesLeaveNoMove) {
  Playthrough nine("makruk", "7k/8/8/8/RR6/NNSSM3/5m2/4K3 w - - 0 1");
  nine.play("e1f2");
  EXPECT_EQ(nine.fields(), "- 16 18 1");
  EXPECT_EQ(nine.outcome(), draw_by(Reason::kCountExceeded));
  Playthrough eight("makruk", "7k/8/8/8/RR6/NNSS4/5m2/4K3 w - - 0 1");
  eight.play("e1f2");
  EXPECT_EQ(eight.fields(), "- 16 16 1");
  EXPECT_EQ(eight.outcome(), kOngoing);
  EXPECT_EQ(eight.play("h8g8").outcome(), draw_by(Reason::kCountExceeded));
}

TEST(CountingTest, ChaserHasTheMovesThatItsPiecesLeave) {
  const std::tuple<const char*, const char*, int> facts[] = {
      {"7k/8/8/8/RR6/2N5/5m2/4K3 w - - 0 1", "e1f2", 3},
      {"7k/8/8/8/R7/8/5m2/4K3 w - - 0 1", "e1f2", 13},
      {"7k/8/8/8/S7/8/5m2/4K3 w - - 0 1", "e1f2", 41},
  };
  for (const auto& [text, baring, moves] : facts) {
    Playthrough game("makruk:repetition=off", text);
    game.play(baring);
    EXPECT_EQ(chaser_moves(game), moves) << text;
  }
}

TEST(CountingTest, BoardsHonourGivesTheSideThatMovesFirst65MovesEvenTheChaser) {
  for (const auto& [to_move, moves] : {std::pair("w", 65), std::pair("b", 64)}) {
    const Playthrough game("makruk:repetition=off",
                           std::string("7k/m7/8/8/8/8/R7/4K3 ") + to_move + " - 128 0 1");
    EXPECT_EQ(chaser_moves(game), moves) << to_move;
  }
}

TEST(CountingTest, BoardsHonourOf64GivesNeitherSideMore) {
  for (const std::string game : {"makruk", "makruk-sutra", "ok", "kaok"}) {
    for (const char* to_move : {"w", "b"}) {
      const Playthrough start(game + ":repetition=off,count.board=64",
                              std::string("7k/m7/8/8/8/8/R7/4K3 ") + to_move + " - 127 0 1");
      EXPECT_EQ(chaser_moves(start), 64) << game << " " << to_move;
    }
    EXPECT_EQ(played(game + ":count.board=64", {"", "3k4/2m5/8/4MP2/3KS3/8/8/8 w - - 0 1", "f5f6m", ""}),
              "b - 127 0 1");
  }
  EXPECT_EQ(Playthrough("makruk:count.board=64", "8/8/2m5/3k4/8/8/R7/K7 w - 127 127 60").outcome(), kOngoing);
  EXPECT_EQ(Playthrough("makruk:count.board=64", "8/8/2m5/3k4/8/8/R7/K7 w - 127 128 60").outcome(),
            draw_by(Reason::kCountExceeded));
}

// Either side may declare where both have a piece and there is no pawn. White's rook mates on the eighth
// rank.
const char* const kManual = "makruk:count.mode=manual,count.who=any";
const char* const kPawnless = "6k1/8/5MK1/8/8/8/m7/1R6 w - - 0 60";

std::vector<Declaration> declarations_in(const std::string& ruleset, const std::string& text) {
  const Playthrough game(ruleset, text);
  return game.game().declarations(game.position());
}

TEST(ManualCountingTest, OnlyTheSideWithLessMaterialMayDeclare) {
  const std::string rook_against_knight = "4k2n/8/8/8/8/8/R7/4K3 ", rooks = "4k2r/8/8/8/8/8/R7/4K3 ";
  for (const std::string game : {"makruk", "makruk-sutra", "ok", "kaok"}) {
    const std::string weaker = game + ":count.mode=manual", any = weaker + ",count.who=any";
    EXPECT_THAT(declarations_in(weaker, rook_against_knight + "b"), ElementsAre(Declaration::kStartCount));
    EXPECT_THAT(declarations_in(weaker, rook_against_knight + "w"), IsEmpty()) << game;
    EXPECT_THAT(declarations_in(weaker, rooks + "w"), IsEmpty()) << game;
    EXPECT_THAT(declarations_in(any, rook_against_knight + "w"), ElementsAre(Declaration::kStartCount));
    EXPECT_THAT(declarations_in(any, rooks + "w"), ElementsAre(Declaration::kStartCount)) << game;
  }
}

TEST(ManualCountingTest, ACounterGoesOnThoughItIsStrongerNow) {
  Playthrough game("makruk:count.mode=manual", "4k3/8/8/8/8/2n5/8/MR2K3 b - - 0 60");
  EXPECT_EQ(game.declare(Declaration::kStartCount).play("c3b1 a1b2").fields(), "- 128 2 61");
  EXPECT_THAT(game.game().declarations(game.position()), ElementsAre(Declaration::kStopCount));
}

TEST(ManualCountingTest, NothingStartsBeforeADeclaration) {
  Playthrough game(kManual, kPawnless);
  EXPECT_EQ(game.play("b1c1 a2b1").fields(), "- - 2 61");
  EXPECT_THAT(game.game().declarations(game.position()), ElementsAre(Declaration::kStartCount));
}

TEST(ManualCountingTest, DeclaredCountRunsFromTheDeclarersMove) {
  Playthrough game(kManual, kPawnless);
  game.declare(Declaration::kStartCount);
  EXPECT_EQ(game.fields(), "- 128 0 60");
  EXPECT_EQ(game.play("b1c1").fields(), "- 128 1 60");
  EXPECT_THAT(game.game().declarations(game.position()), IsEmpty()) << "one counter at a time";
  EXPECT_EQ(game.play("a2b1").fields(), "- 128 2 61");
  EXPECT_THAT(game.game().declarations(game.position()), ElementsAre(Declaration::kStopCount));
}

TEST(ManualCountingTest, NobodyMayDeclareWithPawnsOrABareKingOrAutomatically) {
  for (const char* text :
       {"6k1/8/5MK1/8/8/P7/m7/1R6 w", "6k1/8/5MK1/8/8/8/8/1R6 w", "6k1/8/5MK1/8/8/8/8/1R6 b"}) {
    const Playthrough game(kManual, text);
    EXPECT_THAT(game.game().declarations(game.position()), IsEmpty()) << text;
  }
  const Playthrough automatic("makruk", kPawnless);
  EXPECT_THAT(automatic.game().declarations(automatic.position()), IsEmpty());
}

// The games that count as Makruk does.
const char* const kManualRulesets[] = {kManual, "makruk-sutra:count.mode=manual,count.who=any",
                                       "ok:count.mode=manual,count.who=any"};

TEST(ManualCountingTest, CounterWhoMatesHasDrawn) {
  for (const char* ruleset : kManualRulesets) {
    Playthrough game(ruleset, kPawnless);
    game.declare(Declaration::kStartCount).play("b1c1 a2b1");
    Playthrough stopped = game;
    EXPECT_EQ(game.play("c1c8").outcome(), draw_by(Reason::kCounterMated)) << ruleset;
    EXPECT_EQ(stopped.declare(Declaration::kStopCount).play("c1c8").outcome(),
              (Outcome{Result::kWhiteWins, Reason::kCheckmate}))
        << ruleset;
  }
}

TEST(ManualCountingTest, OpponentOfTheCounterWinsByMate) {
  Playthrough game(kManual, "6k1/8/5MK1/8/8/8/m7/2R5 b - - 0 60");
  game.declare(Declaration::kStartCount).play("a2b3 c1c8");
  EXPECT_EQ(game.position().counter, Counter::kBlack);
  EXPECT_EQ(game.outcome(), (Outcome{Result::kWhiteWins, Reason::kCheckmate}));
}

TEST(ManualCountingTest, NewCountStartsAtOne) {
  for (const char* ruleset : kManualRulesets) {
    Playthrough game(ruleset, kPawnless);
    game.declare(Declaration::kStartCount).play("b1c1 a2b1").declare(Declaration::kStopCount);
    EXPECT_EQ(game.fields(), "- - 2 61") << ruleset;
    EXPECT_EQ(game.declare(Declaration::kStartCount).play("c1c2").fields(), "- 128 1 61") << ruleset;
  }
}

TEST(ManualCountingTest, PiecesHonourStartsByItselfAndCannotBeStopped) {
  Playthrough game(kManual, "6k1/8/5MK1/8/8/m7/8/R7 b - - 0 60");
  game.declare(Declaration::kStartCount).play("g8f8 a1a3");
  EXPECT_EQ(game.fields(), "- 32 8 61");
  EXPECT_EQ(game.position().counter, Counter::kNobody);
  EXPECT_THAT(game.game().declarations(game.position()), IsEmpty());
}

TEST(ManualCountingTest, CounterIsToldFromTheText) {
  const std::pair<const char*, Counter> cases[] = {
      {"6k1/8/5MK1/8/8/8/m7/1R6 w - 128 36 60", Counter::kWhite},
      {"6k1/8/5MK1/8/8/8/m7/1R6 w - 128 37 60", Counter::kBlack},
      {"6k1/8/5MK1/8/8/8/m7/1R6 b - 128 1 60", Counter::kWhite},
      {"6k1/8/5MK1/8/8/8/MM6/8 b - 128 10 60", Counter::kNobody},
      {"6k1/8/5MK1/8/8/8/m7/1R6 w - - 36 60", Counter::kNobody},
  };
  for (const auto& [text, counter] : cases) {
    EXPECT_EQ(Playthrough(kManual, text).position().counter, counter) << text;
    EXPECT_EQ(Playthrough("makruk", text).position().counter, Counter::kNobody) << text;
  }
}

}  // namespace
}  // namespace makzero::game
