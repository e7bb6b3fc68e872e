// How the pieces of the chess family step and slide, on sets of squares; the same for every game of the
// family.
//
//        king        met         khon (White)  knight      pawn (White)   forward is north for White
//       x x x       x   x        x x x          x   x        x o x        x = moves and takes
//       x K x         M            S          x       x        P          o = moves only (pawn), takes on its
//       x x x x       x   x        x   x            N
#pragma once

#include <array>
#include <cstdint>

#include "game/color.h"
#include "game/slides.h"

namespace makzero::game {

// The kinds of the family in the order of Position::kind.
enum ChessKind : std::uint8_t { kKing, kMet, kKhon, kKnight, kRook, kPawn };

// "KMSNRP"[kind] is the letter of a kind.
inline constexpr const char* kChessKinds = "KMSNRP";

template <Color kSide>
constexpr Bitboard forward(Bitboard set) {
  return kSide == Color::kWhite ? north(set) : south(set);
}

// The two diagonal steps forward: what a pawn takes.
template <Color kSide>
constexpr Bitboard forward_diagonals(Bitboard set) {
  return forward<kSide>(east(set) | west(set));
}

constexpr Bitboard king_steps(Bitboard set) {
  const Bitboard row = set | east(set) | west(set);
  return (row | north(row) | south(row)) & ~set;
}

constexpr Bitboard knight_leaps(Bitboard set) {
  const Bitboard one = east(set) | west(set);
  const Bitboard two = east(east(set)) | west(west(set));
  return north(north(one) | two) | south(south(one) | two);
}

// The steps of one piece, by its square.
struct SquareSteps {
  Bitboard king = 0;
  Bitboard knight = 0;
};

inline constexpr auto kSteps = [] {
  std::array<SquareSteps, kSquares> steps;
  for (Square square = 0; square < kSquares; ++square) {
    steps[square] = {king_steps(bit(square)), knight_leaps(bit(square))};
  }
  return steps;
}();

inline constexpr int kPromotionRank = 6;  // White's; Black's is the third.

// Where a pawn of the side becomes a met, and beyond; `rank` is White's, 1 to 8.
constexpr Bitboard promotion_zone(Color side, int rank) {
  const int behind = 8 * (rank - 1);
  return side == Color::kWhite ? kAllSquares << behind : kAllSquares >> behind;
}

// The rank and the file of a square, without the square.
constexpr Bitboard rook_lines(Square square) {
  return (kRank1 << 8 * rank_of(square)) ^ (kFileA << file_of(square));
}

}  // namespace makzero::game
