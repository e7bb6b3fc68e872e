// How the pieces of the chess family step and slide, on sets of squares; the same for every game of the
// family.
//
//        king        met         khon (White)  knight      pawn (White)   forward is north for White
//       x x x       x   x        x x x          x   x        x o x        x = moves and takes
//       x K x         M            S          x       x        P          o = moves only (pawn), takes on its
//       x x x x       x   x        x   x            N
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "game/bitboard.h"
#include "game/color.h"

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

constexpr Bitboard diagonals(Bitboard set) {
  const Bitboard beside = east(set) | west(set);
  return north(beside) | south(beside);
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

// The squares of a board line on either side of a square.
struct Line {
  Bitboard below = 0;  // Towards a1.
  Bitboard above = 0;  // Towards h8.
};

// What the moves from one square look up; built at compile time.
struct SquareSteps {
  Line rank, file;
  Bitboard king = 0;
  Bitboard knight = 0;
};

constexpr std::array<SquareSteps, kSquares> square_steps() {
  std::array<SquareSteps, kSquares> steps;
  for (Square square = 0; square < kSquares; ++square) {
    const Bitboard below = bit(square) - 1;
    const Bitboard above = ~below & ~bit(square);
    const Bitboard rank = kRank1 << (8 * rank_of(square));
    const Bitboard file = kFileA << file_of(square);
    steps[square] = {{rank & below, rank & above},
                     {file & below, file & above},
                     king_steps(bit(square)),
                     knight_leaps(bit(square))};
  }
  return steps;
}

inline constexpr std::array<SquareSteps, kSquares> kSteps = square_steps();

// The rank and the file of a square, without the square.
constexpr Bitboard rook_lines(Square square) {
  const SquareSteps& steps = kSteps[square];
  return steps.rank.below | steps.rank.above | steps.file.below | steps.file.above;
}

// The squares of a line up to the nearest occupied one on either side, that one included: subtracting the
// nearest piece below from twice the nearest above sets every bit in between ("obstruction difference").
constexpr Bitboard line_attacks(const Line& line, Bitboard occupied) {
  const Bitboard lower = occupied & line.below;
  const Bitboard upper = occupied & line.above;
  const Bitboard nearest_below = (Bitboard{1} << 63) >> std::countl_zero(lower | 1);
  const Bitboard nearest_above = upper & (~upper + 1);
  return (2 * nearest_above - nearest_below) & (line.below | line.above);
}

constexpr Bitboard rook_attacks(Square square, Bitboard occupied) {
  const SquareSteps& steps = kSteps[square];
  return line_attacks(steps.rank, occupied) | line_attacks(steps.file, occupied);
}

// The squares strictly between two squares of one rank or file. REQUIRES: they share one.
constexpr Bitboard between(Square a, Square b) { return rook_attacks(a, bit(b)) & rook_attacks(b, bit(a)); }

}  // namespace makzero::game
