// Makruk's pieces, endings, options and texts. "Fact N" is the number in the rules' list of facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "game/symmetry.h"
#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Outcome kOngoing = {};
constexpr Outcome draw_by(Reason reason) { return {Result::kDraw, reason}; }
constexpr Outcome win_by(Color color, Reason reason) { return {win_of(color), reason}; }

// What a piece may do from a square of a position.
struct Steps {
  const char* fact;
  const char* position;
  const char* from;
  const char* moves;
};

TEST(MakrukTest, PiecesStepAsTheTableSays) {
  const Steps facts[] = {
      {"3 white khon", "4k3/8/8/8/3S4/8/8/K7 w - - 0 1", "d4", "d4c3 d4c5 d4d5 d4e3 d4e5"},
      {"4 black khon", "4k3/8/8/3s4/8/8/8/K7 b - - 0 1", "d5", "d5c4 d5c6 d5d4 d5e4 d5e6"},
      {"5 met", "4k3/8/8/8/3M4/8/8/K7 w - - 0 1", "d4", "d4c3 d4c5 d4e3 d4e5"},
      {"6 pawn promotes by stepping", "4k3/8/8/4P3/8/8/8/K7 w - - 0 1", "e5", "e5e6m"},
      {"7 pawn promotes by taking", "4k3/8/3p1p2/4P3/8/8/8/K7 w - - 0 1", "e5", "e5d6m e5e6m e5f6m"},
      {"8 pawn is blocked", "4k3/8/4p3/4P3/8/8/8/K7 w - - 0 1", "e5", ""},
      {"9 black pawn", "4k3/8/8/8/3p4/2P5/8/K7 b - - 0 1", "d4", "d4c3m d4d3m"},
      {"11 no double step", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "e3", "e3e4"},
      {"22 knight is pinned", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "", "e1d1 e1d2 e1f1 e1f2"},
  };
  for (const Steps& fact : facts) {
    EXPECT_EQ(Playthrough("makruk", fact.position).moves(fact.from), fact.moves) << "fact " << fact.fact;
  }
}

TEST(MakrukTest, PinnedPiecesStayOnTheLineOfTheirRook) {
  EXPECT_EQ(Playthrough("makruk", "k3r3/8/8/8/8/4R3/8/4K3 w - - 0 1").moves("e3"),
            "e3e2 e3e4 e3e5 e3e6 e3e7 e3e8");
  EXPECT_EQ(Playthrough("makruk", "k3r3/8/8/8/8/4S3/8/4K3 w - - 0 1").moves("e3"), "e3e4");
  EXPECT_EQ(Playthrough("makruk", "k3r3/8/8/8/3p1p2/4P3/8/4K3 w - - 0 1").moves("e3"), "e3e4");
  EXPECT_EQ(Playthrough("makruk", "k7/8/8/8/8/8/8/r2S1K2 w - - 0 1").moves("d1"), "");
  EXPECT_EQ(Playthrough("makruk", "k3r3/8/8/8/4N3/4S3/8/4K3 w - - 0 1").moves("e3"), "e3d2 e3d4 e3f2 e3f4")
      << "two pieces in between pin none";
}

TEST(MakrukTest, ACheckIsAnsweredByBlockingTakingOrStepping) {
  const char* rook_gives_check = "k3r3/8/8/8/1R6/8/3M4/4K3 w - - 0 1";
  EXPECT_EQ(Playthrough("makruk", rook_gives_check).moves(), "b4e4 d2e3 e1d1 e1f1 e1f2");
  const char* two_give_check = "1k2r3/8/8/8/8/3n4/3M4/R3K3 w - - 0 1";
  EXPECT_EQ(Playthrough("makruk", two_give_check).moves(), "e1d1 e1f1");
}

TEST(MakrukTest, StartHasTwentyThreeMoves) {
  EXPECT_EQ(Playthrough("makruk").moves(),
            "a1a2 a3a4 b1d2 b3b4 c1b2 c1c2 c1d2 c3c4 d1c2 d1d2 d1e2 d3d4 e1d2 e1f2 e3e4 f1e2 f1f2 f1g2 f3f4 "
            "g1e2 g3g4 h1h2 h3h4");
}

TEST(MakrukTest, EachKingFacesTheEnemyMet) {
  EXPECT_EQ(Playthrough("makruk").text(), "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
}

TEST(MakrukTest, PawnThatPromotedByTakingIsAMet) {
  Playthrough game("makruk");
  game.play("e3e4 d6d5 e4d5 a6a5 d5c6m");
  EXPECT_EQ(game.text(), "rnsmksnr/8/1pM1pppp/p7/8/PPPP1PPP/8/RNSKMSNR b - - 0 3");
  EXPECT_EQ(Playthrough("makruk", "rnsmksnr/8/1pM~1pppp/p7/8/PPPP1PPP/8/RNSKMSNR b - - 0 3").text(),
            game.text());
}

TEST(MakrukTest, KhonAttacksAllButItsSidesAndItsBack) {
  const std::pair<const char*, bool> facts[] = {
      {"8/8/3k4/3S4/8/8/8/K7 b - - 0 1", true},
      {"8/8/8/3S4/3k4/8/8/K7 b - - 0 1", false},
      {"8/8/8/3S4/4k3/8/8/K7 b - - 0 1", true},
      {"8/8/8/2kS4/8/8/8/K7 b - - 0 1", false},
  };
  for (const auto& [text, check] : facts) {
    const Playthrough game("makruk", text);
    const Bitboard king = game.position().own() & game.position().kind[0];
    EXPECT_EQ((game.game().threats(game.position(), Color::kWhite).targets & king) != 0, check) << text;
  }
}

TEST(MakrukTest, StalemateIsADraw) {
  EXPECT_EQ(Playthrough("makruk", "k7/2M5/1K6/8/8/8/8/8 b - - 0 1").outcome(), draw_by(Reason::kStalemate));
}

TEST(MakrukTest, MateBeatsMaterialAndCount) {
  EXPECT_EQ(Playthrough("makruk", "8/5KMk/6M1/8/8/8/8/8 b - 128 8 75").outcome(),
            (Outcome{Result::kWhiteWins, Reason::kCheckmate}));
  EXPECT_EQ(Playthrough("makruk", "8/8/8/8/8/6k1/8/M1r3K1 w - 128 128 115").outcome(),
            (Outcome{Result::kBlackWins, Reason::kCheckmate}));
  EXPECT_EQ(Playthrough("makruk", "8/8/8/8/8/6k1/8/M1r3K1 w - 128 129 115").outcome(),
            (Outcome{Result::kBlackWins, Reason::kCheckmate}));
}

TEST(MakrukTest, MaterialThatCannotMateIsDead) {
  for (const char* text : {"8/8/8/3k4/8/8/8/K7 w - - 0 1", "8/8/8/3k4/8/8/8/KN6 w - - 0 1",
                           "8/8/8/3k4/8/8/8/KM6 w - - 0 1", "8/8/8/3k4/8/4P3/8/K7 w - - 0 1",
                           "8/8/8/3k4/8/8/2M5/KM6 w - - 0 1", "8/8/8/3k1m2/8/8/8/KM6 w - - 0 1"}) {
    EXPECT_EQ(Playthrough("makruk", text).outcome(), draw_by(Reason::kInsufficientMaterial)) << text;
  }
}

TEST(MakrukTest, MaterialThatCanMateIsAlive) {
  for (const char* text :
       {"8/8/8/3k4/8/8/8/KS6 w - - 0 1", "8/8/8/3k4/8/8/1M6/KM6 w - - 0 1", "8/8/8/3k4/8/8/8/KNN5 w - - 0 1",
        "8/8/8/3kn3/8/8/8/KN6 w - - 0 1", "8/8/8/3k4/8/3PP3/8/K7 w - - 0 1", "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/3P4/8/KM6 w - - 0 1"}) {
    EXPECT_EQ(Playthrough("makruk", text).outcome(), kOngoing) << text;
  }
}

TEST(MakrukTest, ThirdOccurrenceIsADraw) {
  Playthrough game("makruk");
  game.play("b1d2 b8d7 d2b1");
  for (const char* move : {"d7b8", "b1d2", "b8d7", "d2b1"}) {
    EXPECT_EQ(game.play(move).outcome(), kOngoing) << move;
  }
  EXPECT_EQ(game.play("d7b8").outcome(), draw_by(Reason::kRepetition));
}

TEST(MakrukTest, RepetitionCanBeSwitchedOff) {
  Playthrough game("makruk:repetition=off");
  for (int i = 0; i < 5; ++i) game.play("b1d2 b8d7 d2b1 d7b8");
  EXPECT_EQ(game.outcome(), kOngoing);
  EXPECT_EQ(game.game().info().repetition, 0);
}

TEST(MakrukTest, GameEndsAtThePlyCap) {
  Playthrough game("makruk:max_plies=3,repetition=off");
  EXPECT_EQ(game.play("b1d2 b8d7").outcome(), kOngoing);
  EXPECT_EQ(game.play("d2b1").outcome(), draw_by(Reason::kPlyLimit));
}

TEST(MakrukTest, ThePlyCapCountsFromTheGivenPositionWhateverItsMoveNumber) {
  Playthrough game("makruk:max_plies=2", "4k3/8/8/4p3/4P3/8/8/R3K3 w - - 0 301");
  EXPECT_EQ(game.outcome(), kOngoing);
  EXPECT_EQ(plies_left(game.game().info(), game.position()), 2);
  EXPECT_EQ(game.play("a1a2").outcome(), kOngoing);
  EXPECT_EQ(game.play("e8d8").outcome(), draw_by(Reason::kPlyLimit));
  EXPECT_EQ(plies_left(game.game().info(), game.position()), 0);
}

TEST(MakrukTest, ThePlyCapYieldsToARunningCount) {
  Playthrough late("makruk", "k7/8/1K6/8/8/8/8/7R w - 16 9 301");
  EXPECT_EQ(late.outcome(), kOngoing);
  EXPECT_EQ(late.play("h1h8").outcome(), win_by(Color::kWhite, Reason::kCheckmate));
  Playthrough counted("makruk:max_plies=1", "k7/8/1K6/8/8/8/8/7R w - 16 13 1");
  EXPECT_EQ(plies_left(counted.game().info(), counted.position()), std::numeric_limits<int>::max());
  EXPECT_EQ(counted.play("b6c6 a8a7 h1h2").outcome(), kOngoing);
  EXPECT_EQ(counted.play("a7a8").outcome(), draw_by(Reason::kCountExceeded));
}

TEST(MakrukTest, AStoppedCountLeavesTheGameToThePlyCap) {
  Playthrough game("makruk:count.mode=manual,count.who=any,max_plies=3", "4k3/7r/8/8/8/8/8/R3K3 w - - 0 1");
  game.declare(Declaration::kStartCount).play("e1d1 e8d8 d1e1 d8e8");
  EXPECT_EQ(game.outcome(), kOngoing);
  EXPECT_EQ(game.declare(Declaration::kStopCount).outcome(), draw_by(Reason::kPlyLimit));
  EXPECT_EQ(plies_left(game.game().info(), game.position()), 0) << "not below 0";
}

TEST(MakrukTest, ThePlyCapComesAfterAllOtherEnds) {
  const std::string cap = "makruk:max_plies=1";
  EXPECT_EQ(Playthrough(cap, "k7/8/1K6/8/p7/P7/8/7R w - - 0 1").play("h1h8").outcome(),
            win_by(Color::kWhite, Reason::kCheckmate));
  EXPECT_EQ(Playthrough(cap, "k7/8/1K1M4/8/p7/P7/8/8 w - - 0 1").play("d6c7").outcome(),
            draw_by(Reason::kStalemate));
  EXPECT_EQ(Playthrough(cap, "8/8/8/3k4/3R4/8/8/KN6 b - - 0 1").play("d5d4").outcome(),
            draw_by(Reason::kInsufficientMaterial));
  EXPECT_EQ(Playthrough("makruk:max_plies=8").play("b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1 d7b8").outcome(),
            draw_by(Reason::kRepetition));
}

TEST(MakrukTest, WithoutPlyCapGamesGoOn) {
  const Playthrough game("makruk:max_plies=0");
  EXPECT_EQ(game.game().info().ruleset, "makruk:max_plies=0");
  EXPECT_EQ(game.game().info().max_plies, 0);
  Position position = game.position();
  position.ply = 60000;
  EXPECT_EQ(game.game().outcome(position, true, 1), kOngoing);
  EXPECT_EQ(plies_left(game.game().info(), position), std::numeric_limits<int>::max());
}

TEST(MakrukTest, ThreatsAreTheAttackedSquaresAndTheEnemiesOnThem) {
  const Playthrough game("makruk", "4k3/8/8/3m4/2P5/8/r7/1R2K3 w - - 0 1");
  const Threats white = game.game().threats(game.position(), Color::kWhite);
  EXPECT_EQ(white.targets, bit(square_at(3, 4)));
  EXPECT_TRUE(contains(white.destinations, square_at(1, 7))) << "the rook's file";
  EXPECT_TRUE(contains(white.destinations, square_at(4, 0))) << "the own king is guarded";
  EXPECT_FALSE(contains(white.destinations, square_at(2, 4))) << "a pawn does not attack what it steps on";
  const Threats black = game.game().threats(game.position(), Color::kBlack);
  EXPECT_EQ(black.targets, bit(square_at(2, 3)));
}

TEST(MakrukTest, MirrorImageOfAPositionHasTheMirroredMoves) {
  const Playthrough game("makruk", "1n1m2n1/4s3/1p3p1p/1psP1p2/k6P/4Pr2/3M4/1NN2K1R w - - 0 29");
  ASSERT_EQ(game.game().symmetries(game.position()), kLeftRight);
  const Symmetry mirror(1, 8, 8);
  MoveList mirrored;
  game.game().legal_moves(mirror(game.position()), &mirrored);
  std::vector<int> expected, found;
  for (const Move move : game.legal()) expected.push_back(mirror(move).index());
  for (const Move move : mirrored) found.push_back(move.index());
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
}

TEST(MakrukTest, NoProgressPliesCountFromTheLastCaptureOrPawnMove) {
  Playthrough game("makruk");
  EXPECT_EQ(game.play("b1d2 b8d7 d2b1").position().no_progress_plies, 3);
  EXPECT_EQ(game.play("e6e5").position().no_progress_plies, 0);
  EXPECT_EQ(game.play("g1e2 d7b8 e2g1").position().no_progress_plies, 3);
  Playthrough capture("makruk", "4k3/8/8/8/8/8/r3P3/R3K3 w - - 7 9");
  EXPECT_EQ(capture.play("a1a2").position().no_progress_plies, 0);
}

TEST(MakrukOptionsTest, RulesetNamesTheOptionsThatDiffer) {
  EXPECT_EQ(Playthrough("makruk").game().info().ruleset, "makruk");
  EXPECT_EQ(Playthrough("makruk:count.mode=auto,repetition=3").game().info().ruleset, "makruk");
  const std::string all =
      "makruk:count.mode=manual,count.who=any,count.board=64,count.snn=44,count.keep_shorter=on,repetition="
      "off,"
      "max_plies=300";
  EXPECT_EQ(Playthrough(all).game().info().ruleset, all);
}

TEST(MakrukOptionsTest, UnknownOptionsAndValuesAreRefused) {
  EXPECT_THAT(make_game("makruk:count.mod=auto").why(), HasSubstr("did you mean 'count.mode'?"));
  EXPECT_THAT(make_game("makruk:count.mode=hand").why(), HasSubstr("give one of auto, manual"));
  EXPECT_THAT(make_game("makruk:max_plies=-1").why(), HasSubstr("give a number from 0 to 10000"));
}

}  // namespace
}  // namespace makzero::game
