// Squares, sets of squares and slides.
#include "game/bitboard.h"

#include <gtest/gtest.h>

#include <random>

#include "game/slides.h"

namespace makzero::game {
namespace {

Bitboard squares(std::initializer_list<const char*> texts) {
  Bitboard set = 0;
  for (const char* text : texts) set |= bit(*parse_square(text));
  return set;
}

TEST(SquareTest, TextsReadBackAndOthersAreRefused) {
  for (Square square = 0; square < kSquares; ++square) EXPECT_EQ(parse_square(square_text(square)), square);
  EXPECT_EQ(square_text(0), "a1");
  EXPECT_EQ(square_text(63), "h8");
  for (const char* text : {"", "a", "a9", "i1", "a0", "A1", "a10", "1a"})
    EXPECT_FALSE(parse_square(text)) << text;
}

TEST(BitboardTest, StepsDoNotWrapAroundTheEdges) {
  EXPECT_EQ(east(squares({"h4"})), 0u);
  EXPECT_EQ(west(squares({"a4"})), 0u);
  EXPECT_EQ(north(squares({"c8"})), 0u);
  EXPECT_EQ(south(squares({"c1"})), 0u);
  EXPECT_EQ(neighbours(squares({"a1"})), squares({"a2", "b1"}));
  EXPECT_EQ(neighbours(squares({"d4"})), squares({"d3", "d5", "c4", "e4"}));
}

TEST(BitboardTest, FirstLastAndPop) {
  Bitboard set = squares({"b3", "e5", "a8"});
  EXPECT_EQ(last_square(set), *parse_square("a8"));
  EXPECT_EQ(pop_first(&set), *parse_square("b3"));
  EXPECT_EQ(set, squares({"e5", "a8"}));
  EXPECT_EQ(size(set), 2);
}

TEST(BitboardTest, SmallBoardsLieInTheCornerA1) {
  EXPECT_EQ(size(board_mask(7, 7)), 49);
  EXPECT_TRUE(contains(board_mask(7, 7), *parse_square("g7")));
  EXPECT_FALSE(contains(board_mask(7, 7), *parse_square("h1")));
  EXPECT_EQ(board_mask(8, 8), kAllSquares);
}

// The squares of `open` reached from one square, step by step.
template <Direction kDirection>
Bitboard walk(Bitboard from, Bitboard open) {
  Bitboard reached = 0;
  for (Bitboard at = step<kDirection>(from) & open; at; at = step<kDirection>(at) & open) reached |= at;
  return reached;
}

template <Direction kDirection>
void expect_slides_as_walked(Bitboard men, Bitboard open) {
  Bitboard expected = 0;
  for (Bitboard rest = men; rest;) expected |= walk<kDirection>(bit(pop_first(&rest)), open);
  ASSERT_EQ(slide<kDirection>(men, open), expected);
}

TEST(SlidesTest, ASetSlidesAsItsMembersWalk) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 3000; ++i) {
    const Bitboard men = rng() & rng() & rng();
    const Bitboard open = (i % 2 ? rng() | rng() : rng() | rng() | rng()) & ~men;
    expect_slides_as_walked<Direction::kNorth>(men, open);
    expect_slides_as_walked<Direction::kSouth>(men, open);
    expect_slides_as_walked<Direction::kEast>(men, open);
    expect_slides_as_walked<Direction::kWest>(men, open);
  }
}

TEST(SlidesTest, OppositeDirectionsUndoEachOther) {
  const Bitboard inner = squares({"d4"});
  EXPECT_EQ(step<opposite(Direction::kNorth)>(step<Direction::kNorth>(inner)), inner);
  EXPECT_EQ(step<opposite(Direction::kEast)>(step<Direction::kEast>(inner)), inner);
  for (const Direction direction : kDirections) EXPECT_EQ(opposite(opposite(direction)), direction);
}

TEST(SlidesTest, ARookAttacksUpToTheFirstPieceOnEachSide) {
  const Bitboard occupied = squares({"d2", "d7", "d8", "b4", "a4", "f4"});
  EXPECT_EQ(rook_attacks(*parse_square("d4"), occupied),
            squares({"d3", "d2", "d5", "d6", "d7", "c4", "b4", "e4", "f4"}));
}

TEST(SlidesTest, AttacksSlidesAndCountsAgree) {
  std::mt19937_64 rng(2);
  for (int i = 0; i < 1000; ++i) {
    const Bitboard men = rng() & rng(), occupied = men | (rng() & rng());
    Bitboard reached = 0;
    int moves = 0;
    for (Bitboard rest = men; rest;) {
      const Bitboard slides = rook_attacks(pop_first(&rest), occupied) & ~occupied;
      reached |= slides;
      moves += size(slides);
    }
    ASSERT_EQ(rook_slides(men, ~occupied), reached);
    ASSERT_EQ(count_rook_slides(men, ~occupied), moves);
  }
}

}  // namespace
}  // namespace makzero::game
