// Gala: the drop phase and what follows it, captures of single discs, and the ends of a game.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "game/symmetry.h"
#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Twenty drops, after which Black's hand is empty and White has three discs left.
constexpr const char* kTwentyDrops =
    "@d4 @a1 @a7 @b1 @b7 @c1 @c7 @d1 @d7 @e1 @e7 @f1 @f7 @g1 @g7 @a2 @a6 @b2 @b6 @c2";

// The same without the marked squares: corners, middles of the edges, centre.
constexpr const char* kTwentyDropsOffTheCrosses =
    "@d4 @b1 @b7 @c1 @c7 @e1 @e7 @f1 @f7 @a2 @a6 @b2 @b6 @c2 @c6 @d2 @d6 @e2 @e6 @f2";

constexpr Outcome draw_by(Reason reason) { return {Result::kDraw, reason}; }
constexpr Outcome win_by(Color color, Reason reason) { return {win_of(color), reason}; }

Playthrough played(const char* spec, const char* moves) {
  Playthrough game(spec);
  return game.play(moves);
}

TEST(GalaTest, BlackBeginsOnTheCentreAndWhiteHasTwentySevenSquares) {
  EXPECT_EQ(Playthrough("gala").text(), "7/7/7/7/7/7/7 b W13 B10");
  EXPECT_EQ(Playthrough("gala").moves(), "@d4");
  EXPECT_EQ(played("gala", "@d4").text(), "7/7/7/3m3/7/7/7 w W13 B9");
  EXPECT_EQ(played("gala", "@d4").legal().size(), 27);
  EXPECT_EQ(played("gala", "@d4").moves("@a"), "@a1 @a2 @a3 @a4");
  EXPECT_EQ(played("gala:middle_row=neutral", "@d4").legal().size(), 21);
  EXPECT_EQ(played("gala:middle_row=neutral", "@d4").moves("@a"), "@a1 @a2 @a3");
}

TEST(GalaTest, BlackDropsOnHisOwnHalf) {
  EXPECT_EQ(played("gala", "@d4 @a1").legal().size(), 27);
  EXPECT_EQ(played("gala", "@d4 @a1").moves("@a"), "@a4 @a5 @a6 @a7");
  EXPECT_EQ(played("gala", "@d4 @a4").legal().size(), 26);
}

TEST(GalaTest, DropsCaptureNothing) {
  EXPECT_EQ(played("gala", "@d4 @c4 @b4").text(), "7/7/7/1mMm3/7/7/7 w W12 B8");
}

TEST(GalaTest, WhoHasDroppedAllPasses) {
  Playthrough game = played("gala", kTwentyDrops);
  EXPECT_EQ(game.text(), "mmmmmmm/mm5/7/3m3/7/MMM4/MMMMMMM b W3 B0");
  EXPECT_EQ(game.moves(), "--");
  game.play("--");
  EXPECT_EQ(game.legal().size(), 17);
  EXPECT_EQ(game.position().no_progress_plies, 1) << "a pass is no progress";
}

TEST(GalaTest, TheHandsEmptyBeforeAnybodySlides) {
  const Playthrough game = played("gala", kTwentyDrops).play("-- @d2 -- @e2 -- @f2");
  EXPECT_EQ(game.text(), "mmmmmmm/mm5/7/3m3/7/MMMMMM1/MMMMMMM b");
  EXPECT_EQ(game.legal().size(), 39);
  EXPECT_EQ(game.position().ply, 26);
}

TEST(GalaTest, BlackMayMoveInstead) {
  Playthrough game = played("gala:rest=black_moves", kTwentyDrops);
  EXPECT_EQ(game.legal().size(), 42);
  game.play("d4d3");
  EXPECT_EQ(game.moves("@d"), "@d2 @d4") << "White goes on dropping";
}

TEST(GalaTest, MarkedSquaresMayBeClosedToAllDropsButTheFirst) {
  EXPECT_EQ(Playthrough("gala:cross=closed").moves(), "@d4");
  EXPECT_EQ(played("gala:cross=closed", "@d4").legal().size(), 22);
  EXPECT_EQ(played("gala:cross=closed", "@d4").moves("@a"), "@a2 @a3");
  EXPECT_EQ(played("gala:cross=closed", "@d4").moves("@d"), "@d2 @d3");
  EXPECT_EQ(played("gala:cross=closed", "@d4 @a2").moves("@g"), "@g5 @g6");
  EXPECT_EQ(played("gala:cross=closed", kTwentyDropsOffTheCrosses).moves(), "--");
}

TEST(GalaTest, ACentreThatIsLeftStaysClosed) {
  EXPECT_EQ(played("gala:early_moves=on", "@d4 @a2 d4d5").moves("@d"), "@d1 @d2 @d3 @d4");
  EXPECT_EQ(played("gala:cross=closed,early_moves=on", "@d4 @a2 d4d5").moves("@d"), "@d2 @d3");
}

TEST(GalaTest, DiscsMaySlideInTheirOwnHalfBeforeAllAreDropped) {
  const Playthrough early = played("gala:early_moves=on", "@d4 @a1");
  EXPECT_EQ(early.moves("d4"), "d4a4 d4b4 d4c4 d4d5 d4d6 d4d7 d4e4 d4f4 d4g4");
  EXPECT_EQ(early.moves("@").size(), played("gala", "@d4 @a1").moves().size()) << "or drop as ever";
  EXPECT_EQ(played("gala:early_moves=on", "@d4 @a1 @a7").moves("a1"),
            "a1a2 a1a3 a1a4 a1b1 a1c1 a1d1 a1e1 a1f1 a1g1");
  EXPECT_EQ(played("gala:early_moves=on,move=step", "@d4 @a1").moves("d4"), "d4c4 d4d5 d4e4");
}

TEST(GalaTest, ANeutralMiddleRowIsNobodysHalf) {
  const char* spec = "gala:middle_row=neutral,early_moves=on";
  EXPECT_EQ(played(spec, "@d4 @a1").moves("d4"), "");
  EXPECT_EQ(played(spec, "@d4 @a1 @a7").moves("a1"), "a1a2 a1a3 a1b1 a1c1 a1d1 a1e1 a1f1 a1g1");
}

TEST(GalaTest, EarlySlidesCaptureAndDropsNever) {
  const char* text = "7/7/7/2mM3/7/1M5/7 w W1 B1";
  Playthrough game("gala:early_moves=on", text);
  EXPECT_THAT(game.captures(), ElementsAre("b2b4 c4"));
  EXPECT_EQ(game.game().threats(game.position(), Color::kWhite).targets, bit(*parse_square("c4")));
  EXPECT_EQ(Playthrough("gala:early_moves=on", text).play("@b4").text(), "7/7/7/1MmM3/7/1M5/7 b W0 B1");
  game.play("b2b4");
  EXPECT_EQ(game.text(), "7/7/7/1M1M3/7/7/7 b W1 B1");
  EXPECT_FALSE(game.outcome().over()) << "Black drops again";
  EXPECT_EQ(played("gala:early_moves=on", "@d4 @a1 d4d5").position().no_progress_plies, 1)
      << "a slide is no drop";
}

TEST(GalaTest, AnEmptyHandWaitsDespiteEarlyMoves) {
  const char* text = "7/7/7/3m3/7/7/MM5 b W1 B0";
  EXPECT_EQ(Playthrough("gala:early_moves=on", text).moves(), "--");
  EXPECT_EQ(Playthrough("gala:rest=black_moves,early_moves=on", text).moves("d4d"),
            "d4d1 d4d2 d4d3 d4d5 d4d6 d4d7");
}

TEST(GalaTest, TheRestMayBeDroppedWithoutPassesBetween) {
  Playthrough game = played("gala:rest=triple", kTwentyDrops);
  EXPECT_EQ(game.text(), "mmmmmmm/mm5/7/3m3/7/MMM4/MMMMMMM w W3 B0");
  game.play("@d2 @e2");
  EXPECT_EQ(game.position().to_move, Color::kWhite);
  game.play("@f2");
  EXPECT_EQ(game.text(), "mmmmmmm/mm5/7/3m3/7/MMMMMM1/MMMMMMM b");
}

TEST(GalaTest, ThirteenMayBeBlack) {
  Playthrough game("gala:sides=white10_black13");
  EXPECT_EQ(game.text(), "7/7/7/7/7/7/7 b W10 B13");
  EXPECT_EQ(game.moves(), "@d4");
  while (game.position().hand[0] > 0) game.play(game.legal()[0]);
  EXPECT_EQ(game.position().hand[1], 3);
  EXPECT_EQ(game.position().to_move, Color::kBlack);
  game.play(game.legal()[0]);
  EXPECT_EQ(game.moves(), "--");
}

TEST(GalaTest, OnlySingleDiscsAreCaughtAndOnlyByTheMover) {
  const auto captures = [](const char* text) { return Playthrough("gala", text).captures(); };
  EXPECT_THAT(captures("7/7/7/2mM3/7/1M5/7 w"), ElementsAre("b2b4 c4"));
  EXPECT_THAT(captures("7/7/7/1mmM3/7/M6/7 w"), IsEmpty());
  EXPECT_THAT(captures("7/7/7/2m1m2/7/3M3/7 w"), IsEmpty()) << "no intervention";
  EXPECT_THAT(captures("m6/M6/7/7/7/7/1M5 w"), IsEmpty()) << "a corner is safe";
  EXPECT_THAT(captures("7/2M4/2m4/M2mM2/7/7/7 w"), ElementsAre("a4c4 d4 c5")) << "two directions";
}

TEST(GalaTest, CornersOfTheSmallBoardMayFall) {
  EXPECT_THAT(Playthrough("gala:corner_capture=on", "m6/M6/7/7/7/7/1M5 w").captures(),
              ElementsAre("b1b7 a7"));
  EXPECT_THAT(Playthrough("gala:corner_capture=on", "5M1/7/7/7/7/6M/6m w").captures(),
              ElementsAre("f7f1 g1"));
}

TEST(GalaTest, DiscsMayStepInsteadOfSliding) {
  const char* text = "7/7/7/3M3/7/7/m5m w";
  EXPECT_EQ(Playthrough("gala", text).legal().size(), 12);
  EXPECT_EQ(Playthrough("gala:move=step", text).moves(), "d4c4 d4d3 d4d5 d4e4");
}

TEST(GalaTest, NobodySlidesOffTheSmallBoard) {
  EXPECT_EQ(Playthrough("gala", "6M/7/7/7/7/7/m5m w").moves(),
            "g7a7 g7b7 g7c7 g7d7 g7e7 g7f7 g7g2 g7g3 g7g4 g7g5 g7g6");
}

TEST(GalaTest, ABlockedSideLosesDrawsOrPasses) {
  const char* text = "7/7/7/7/7/M6/mM5 b";
  EXPECT_EQ(Playthrough("gala", text).outcome(), win_by(Color::kWhite, Reason::kNoLegalMove));
  EXPECT_EQ(Playthrough("gala:no_move=draw", text).outcome(), draw_by(Reason::kNoLegalMove));
  EXPECT_EQ(Playthrough("gala:no_move=pass", text).moves(), "--");
}

TEST(GalaTest, NobodyHasLostWhoHoldsADisc) {
  EXPECT_EQ(Playthrough("gala", "7/7/7/7/7/7/MM5 b").outcome(), win_by(Color::kWhite, Reason::kNoPieces));
  EXPECT_FALSE(Playthrough("gala", "7/7/7/7/7/7/MM5 b W0 B1").outcome().over());
  Playthrough emptied("gala:rest=black_moves", "7/7/7/2m4/7/7/mM1m3 b W1 B0");
  emptied.play("d1c1");
  EXPECT_EQ(emptied.text(), "7/7/7/2m4/7/7/m1m4 w W1 B0");
  EXPECT_FALSE(emptied.outcome().over()) << "White drops again";
  EXPECT_EQ(emptied.legal().size(), 25);
}

TEST(GalaTest, OneDiscAgainstOneIsDeadWithEmptyHands) {
  EXPECT_EQ(Playthrough("gala", "m6/7/7/7/7/7/6M w").outcome(), draw_by(Reason::kInsufficientMaterial));
  EXPECT_FALSE(Playthrough("gala", "m6/7/7/7/7/7/6M w W1 B0").outcome().over());
  EXPECT_FALSE(Playthrough("gala", "m6/7/7/7/7/7/5MM w").outcome().over());
}

TEST(GalaTest, ThirteenDownToOneHaveLostUnderLudiisObjective) {
  const char* one_white = "mm5/7/7/7/7/7/6M w";
  EXPECT_FALSE(Playthrough("gala", one_white).outcome().over());
  EXPECT_EQ(Playthrough("gala:objective=ludii", one_white).outcome(),
            win_by(Color::kBlack, Reason::kTooFewMen));
  EXPECT_THAT(Playthrough("gala:objective=ludii", one_white).legal(), IsEmpty());
  EXPECT_FALSE(Playthrough("gala:objective=ludii", "m6/7/7/7/7/7/5MM w").outcome().over());
  EXPECT_EQ(Playthrough("gala:objective=ludii,sides=white10_black13", "m6/7/7/7/7/7/5MM w").outcome(),
            win_by(Color::kWhite, Reason::kTooFewMen));
}

TEST(GalaTest, LimitsCountDiscsOnTheBoardAndInHand) {
  const std::string spec = "gala:max_plies=1,limit_result=material";
  EXPECT_EQ(Playthrough(spec).play("@d4").outcome(), win_by(Color::kWhite, Reason::kPlyLimit));
  EXPECT_EQ(Playthrough("gala:sides=white10_black13,max_plies=1,cap_result=material").play("@d4").outcome(),
            win_by(Color::kBlack, Reason::kPlyLimit));
}

// White would win every game that comes to a limit.
TEST(GalaTest, UnequalMenAreNoResultByMaterial) {
  const auto by_material = [](const char* ruleset) {
    return material_result_ruleset((*make_game(ruleset))->info());
  };
  EXPECT_EQ(by_material("gala"), "");
  EXPECT_EQ(by_material("rek"), "rek:limit_result=material");
  EXPECT_EQ(by_material("rek:no_progress=60"), "rek:no_progress=60,limit_result=material");
  EXPECT_EQ(by_material("rek:limit_result=material"), "");
  EXPECT_EQ(by_material("hunt"), "");
  EXPECT_EQ(by_material("makruk"), "");
}

TEST(GalaTest, MenFromTheStartAreNoGain) {
  const GamePtr gala = *make_game("gala");
  EXPECT_EQ(material_gain(*gala, gala->initial()), 0);
  EXPECT_EQ(material_gain(*gala, *parse_position(*gala, "mm5/7/7/7/7/7/MMMM3 w")), -100);
}

TEST(GalaTest, HandsAreReadAndChecked) {
  const GamePtr game = *make_game("gala");
  const auto why = [&](const char* text) { return parse_position(*game, text).why(); };
  EXPECT_EQ(*parse_position(*game, "7/7/7/7/7/7/7 b"), game->initial()) << "an empty board means full hands";
  EXPECT_EQ(Playthrough("gala", "7/7/7/3m3/7/7/7 w").position().hand[0], 0);
  EXPECT_EQ(Playthrough("gala", "7/7/7/3m3/7/7/7 w B9 W13").text(), "7/7/7/3m3/7/7/7 w W13 B9");
  EXPECT_THAT(why("7/7/7/3m3/7/7/7 w X3"), HasSubstr("hand 'X3': write the discs in hand like 'W3 B0'"));
  EXPECT_THAT(why("7/7/7/3m3/7/7/7 w W3 W3"), HasSubstr("hand 'W3'"));
  EXPECT_THAT(why("7/7/7/3m3/7/7/7 w W999"), HasSubstr("hand 'W999'"));
  EXPECT_THAT(why("7/7/7/3m3/7/7/7 w W"), HasSubstr("hand 'W'"));
  EXPECT_EQ(why("7/7/7/3m3/7/7/7 w W14 B10"),
            "White has 14 discs: at most 13 are possible; Black has 11 discs: at most 10 are possible");
  EXPECT_EQ(why("7/7/7/7/7/7/7 b W0 B0"), "no disc is on the board or in hand: put one somewhere");
  EXPECT_THAT(why("8/7/7/7/7/7/7 b W0 B0"), HasSubstr("rank 7 '8' has 8 squares: it needs 7"));
}

TEST(GalaTest, DropsKnowLeftAndRightAloneAndSlidesAllSymmetries) {
  const GamePtr game = *make_game("gala");
  EXPECT_EQ(game->symmetries(game->initial()), kLeftRight);
  EXPECT_EQ(game->symmetries(Playthrough("gala", "7/7/7/3m3/7/7/M6 w").position()), kAllSymmetries);
}

TEST(GalaTest, ThreatsAreWhatTheSlidesOfEachSideTake) {
  for (const char* spec : {"gala", "gala:corner_capture=on", "gala:move=step,corner_capture=on",
                           "gala:early_moves=on", "gala:middle_row=neutral,early_moves=on"}) {
    const GamePtr game = *make_game(spec);
    std::mt19937_64 rng(7);
    for (int i = 0; i < 500; ++i) {
      Position position;
      position.side[0] = rng() & rng() & rng() & board_mask(7, 7);
      position.side[1] = rng() & rng() & rng() & board_mask(7, 7) & ~position.side[0];
      position.kind[0] = position.occupied();
      if (!position.side[0] || !position.side[1]) continue;
      position.hand[0] = position.hand[1] = i % 2;
      for (const Color side : {Color::kWhite, Color::kBlack}) {
        position.to_move = side;
        MoveList moves;
        game->legal_moves(position, &moves);
        Threats expected;
        for (const Move move : moves) {
          Position after = position;
          game->apply(move, &after);
          const Bitboard taken = position.enemy() & ~after.occupied();
          expected.targets |= taken;
          if (taken) expected.destinations |= bit(move.destination());
        }
        const Threats threats = game->threats(position, side);
        ASSERT_EQ(threats.targets, expected.targets) << spec << " " << position_text(*game, position);
        ASSERT_EQ(threats.destinations, expected.destinations) << spec;
      }
    }
  }
  const Playthrough dropping = played("gala", "@d4 @c4");
  EXPECT_EQ(dropping.game().threats(dropping.position(), Color::kBlack).targets, 0u);
}

TEST(GalaTest, OptionsAreListedAndRefused) {
  const GamePtr game = *make_game("gala:rest=triple,move=step,no_progress=50");
  EXPECT_EQ(game->info().ruleset, "gala:move=step,rest=triple,no_progress=50");
  EXPECT_EQ(make_game("gala:rest=three").why(),
            "option 'rest' is 'three': give one of pass, triple, black_moves");
  EXPECT_EQ(make_game("gala:sides=even").why(),
            "option 'sides' is 'even': give one of white13_black10, white10_black13");
}

}  // namespace
}  // namespace makzero::game
