// Rek: the start, kings, diagram 6, surrounding, its order against the pair, and the ends of a game.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "game/perft.h"
#include "game/rules/rek.h"
#include "game/rules/surround.h"
#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kDiagram6 = "mmmMmM2/mmM5/mM4k1/4M3/6m1/8/K2MmM2/4M3 w";

constexpr Outcome win_by(Color color, Reason reason) { return {win_of(color), reason}; }

TEST(RekTest, StartHasThirtyNineMovesAndTheKingEight) {
  const Playthrough start("rek");
  EXPECT_EQ(start.text(), "mmmmmmm1/7k/mmmmmmmm/8/8/MMMMMMMM/K7/1MMMMMMM w");
  EXPECT_EQ(start.legal().size(), 39);
  EXPECT_EQ(start.moves("a2"), "a2a1 a2b2 a2c2 a2d2 a2e2 a2f2 a2g2 a2h2");
}

TEST(RekTest, KingsStartLeftRightOrFacingEachOther) {
  EXPECT_EQ(Playthrough("rek:kings=left").text(), Playthrough("rek").text());
  EXPECT_EQ(Playthrough("rek:kings=right").text(), "1mmmmmmm/k7/mmmmmmmm/8/8/MMMMMMMM/7K/MMMMMMM1 w");
  EXPECT_EQ(Playthrough("rek:kings=mirror").text(), "mmmmmmm1/7k/mmmmmmmm/8/8/MMMMMMMM/7K/MMMMMMM1 w");
}

TEST(RekTest, Diagram6HasSixCaptures) {
  EXPECT_THAT(Playthrough("rek", kDiagram6).captures(),
              ElementsAre("a2a5 a6 a7 b7 a8 b8 c8", "c7e7 e8", "e5a5 a6 a7 b7 a8 b8 c8", "e5e3 e2", "e5e7 e8",
                          "e5g5 g4 g6"));
}

TEST(RekTest, CarryingTheKingWins) {
  Playthrough game("rek", kDiagram6);
  game.play("e5g5");
  EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kKingCaptured));
  EXPECT_THAT(game.legal(), IsEmpty());
  EXPECT_EQ(game.game().count_moves(game.position()), 0);
}

TEST(RekTest, SurroundingTheKingWins) {
  Playthrough game("rek", "8/8/8/8/8/K7/8/kM6 w");
  game.play("a3a2");
  EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kKingCaptured));
}

TEST(RekTest, AllMenLostWithoutTheKingIsNoEnd) {
  const Playthrough game("rek", "k7/8/8/8/8/8/8/KM6 b");
  EXPECT_FALSE(game.outcome().over());
  EXPECT_EQ(game.legal().size(), 13);
}

TEST(RekTest, ABareKingAgainstABareKingIsDead) {
  EXPECT_EQ(Playthrough("rek", "k7/8/8/8/8/8/8/K7 w").outcome(),
            (Outcome{Result::kDraw, Reason::kInsufficientMaterial}));
}

TEST(RekTest, NoGroupStandsWithoutAnEmptyNeighbour) {
  std::mt19937_64 rng(31);
  for (const char* spec : {"rek", "rek:order=simultaneous", "rek:order=surround_first", "rek:kings=mirror"}) {
    for (int i = 0; i < 30; ++i) {
      Playthrough game(spec);
      while (!game.outcome().over()) {
        const MoveList legal = game.legal();
        game.play(legal[static_cast<int>(rng() % legal.size())]);
        for (const Bitboard side : game.position().side) {
          const Bitboard free = side & neighbours(~game.position().occupied());
          ASSERT_EQ(connected(free, side), side) << spec << " " << game.text();
        }
      }
    }
  }
}

TEST(RekTest, SurroundCanBeTurnedOff) {
  EXPECT_THAT(Playthrough("rek:surround=off", kDiagram6).captures(), ElementsAre("e5g5 g4 g6"));
}

TEST(RekTest, SinglePiecesAloneMayBeSurrounded) {
  EXPECT_THAT(Playthrough("rek:surround=single", kDiagram6).captures(),
              ElementsAre("c7e7 e8", "e5e3 e2", "e5e7 e8", "e5g5 g4 g6"));
  const char* one_and_two = "7k/8/8/2M5/MMmM4/mm6/MM6/2M4K w";  // c4 alone, a3 with b3.
  EXPECT_THAT(Playthrough("rek", one_and_two).captures(), ElementsAre("c1c3 a3 b3 c4"));
  EXPECT_THAT(Playthrough("rek:surround=single", one_and_two).captures(), ElementsAre("c1c3 c4"));
}

TEST(RekTest, PairGoesBeforeTheGroupIsChecked) {
  const char* text = "7k/8/8/1MM5/Mmm1m3/1MM5/8/3M3K w";
  EXPECT_THAT(Playthrough("rek", text).captures(), ElementsAre("d1d4 c4 e4"));
  EXPECT_THAT(Playthrough("rek:order=simultaneous", text).captures(), ElementsAre("d1d4 b4 c4 e4"));
  EXPECT_THAT(Playthrough("rek:order=surround_first", text).captures(), ElementsAre("d1d4 b4 c4"));
}

TEST(RekTest, OnlyGroupsBesideTheArrivalAreLookedAt) {
  // a1 has no empty neighbour; no game leaves such a man standing.
  Playthrough game("rek", "7k/8/8/8/8/8/M7/mM5K w");
  game.play("h1h2");
  EXPECT_EQ(game.text(), "7k/8/8/8/8/8/M6K/mM6 b");
}

// A crowded random arrangement with a king on each side.
Position random_position(std::mt19937_64* rng) {
  auto& next = *rng;
  Position position;
  do {
    position.side[0] = next() & next();
    position.side[1] = next() & next() & ~position.side[0];
  } while (!position.side[0] || !position.side[1] || size(position.side[0]) > 16 ||
           size(position.side[1]) > 16);
  for (const Bitboard side : position.side) position.kind[Rek::kKing] |= bit(first_square(side));
  position.kind[Rek::kMan] = position.occupied() ^ position.kind[Rek::kKing];
  return position;
}

// The rules' words: groups found square by square.
Bitboard plainly_surrounded(Bitboard arrival, Bitboard own, Bitboard enemy) {
  Bitboard taken = 0;
  for (Bitboard seeds = neighbours(arrival) & enemy; seeds;) {
    Bitboard group = bit(pop_first(&seeds)), liberties = 0;
    for (Bitboard todo = group; todo;) {
      const Bitboard around = neighbours(bit(pop_first(&todo)));
      liberties |= around & ~(own | enemy);
      todo |= around & enemy & ~group;
      group |= around & enemy;
    }
    if (!liberties) taken |= group;
  }
  return taken;
}

TEST(RekTest, GroupsAreWhatAPlainSearchFinds) {
  std::mt19937_64 rng(6);
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    const Bitboard own = rng() & (rng() | rng()), enemy = rng() & ~own;
    for (Bitboard arrivals = own & rng() & rng(); arrivals;) {
      const Bitboard arrival = bit(pop_first(&arrivals));
      const Bitboard taken = surrounded(arrival, own, enemy);
      ASSERT_EQ(taken, plainly_surrounded(arrival, own, enemy));
      found += taken != 0;
    }
  }
  EXPECT_GT(found, 1000);
}

TEST(RekTest, ThreatsOfBothSidesAreWhatTheirMovesTake) {
  int groups = 0;
  for (const char* spec : {"rek", "rek:order=simultaneous", "rek:order=surround_first", "rek:surround=off",
                           "rek:surround=single", "rek:surround=single,order=surround_first"}) {
    const GamePtr game = *make_game(spec);
    std::mt19937_64 rng(33);
    for (int i = 0; i < 2000; ++i) {
      Position position = random_position(&rng);
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
          groups += size(taken) > 2;
        }
        position.to_move = i % 2 ? side : other(side);  // Whose turn it is does not matter.
        const Threats threats = game->threats(position, side);
        ASSERT_EQ(threats.targets, expected.targets) << spec << " " << position_text(*game, position);
        ASSERT_EQ(threats.destinations, expected.destinations)
            << spec << " " << position_text(*game, position);
      }
    }
  }
  EXPECT_GT(groups, 100);
}

TEST(RekTest, ADecidedBoardHasNoMovesAndAWinnerWhoeverIsToMove) {
  for (const char* text : {"8/8/8/8/8/8/8/mM5K w", "8/8/8/8/8/8/8/mM5K b"}) {
    for (const char* spec : {"rek", "rek:no_move=pass", "rek:no_move=draw"}) {
      const Playthrough game(spec, text);
      EXPECT_THAT(game.legal(), IsEmpty()) << spec << " " << text;
      EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kKingCaptured)) << spec << " " << text;
      EXPECT_EQ(perft(game.game(), game.position(), 1), 0u);
    }
  }
}

TEST(RekTest, ABlockedSideLosesDrawsOrPasses) {
  const char* blocked = "8/8/8/8/8/7K/MM6/kmM5 b";
  EXPECT_EQ(Playthrough("rek", blocked).outcome(), win_by(Color::kWhite, Reason::kNoLegalMove));
  EXPECT_EQ(Playthrough("rek:no_move=draw", blocked).outcome(),
            (Outcome{Result::kDraw, Reason::kNoLegalMove}));
  EXPECT_EQ(Playthrough("rek:no_move=pass", blocked).moves(), "--");
}

TEST(RekTest, LimitsCountPieces) {
  const std::string spec = "rek:max_plies=1,limit_result=material";
  EXPECT_EQ(Playthrough(spec, "k7/8/8/8/8/8/8/KM6 w").play("b1b2").outcome(),
            win_by(Color::kWhite, Reason::kPlyLimit));
  EXPECT_EQ(Playthrough(spec, "km6/8/8/8/8/8/8/KM6 w").play("b1b2").outcome(),
            (Outcome{Result::kDraw, Reason::kPlyLimit}));
}

TEST(RekTest, OptionsAreListedWithTheDefaultFirst) {
  const GamePtr game = *make_game("rek:surround=off,order=surround_first");
  EXPECT_EQ(game->info().ruleset, "rek:order=surround_first,surround=off");
  EXPECT_THAT(game->info().options[0].values, ElementsAre("left", "right", "mirror"));
  EXPECT_THAT(game->info().options[1].values,
              ElementsAre("intervention_first", "simultaneous", "surround_first"));
  EXPECT_THAT(game->info().options[2].values, ElementsAre("on", "off", "single"));
  EXPECT_EQ(make_game("rek:kings=middle").why(),
            "option 'kings' is 'middle': give one of left, right, mirror");
}

TEST(RekTest, ImpossibleArrangementsAreRefused) {
  const GamePtr game = *make_game("rek");
  EXPECT_EQ(parse_position(*game, "8/8/8/3m4/8/8/8/M7 w").why(),
            "both kings are missing: put at least one on the board");
  EXPECT_EQ(parse_position(*game, "kk6/mmmmmmmm/mmmmmmmm/8/8/8/8/K7 w").why(),
            "Black has 2 kings: at most 1 are possible; Black has 16 men: at most 15 are possible");
}

}  // namespace
}  // namespace makzero::game
