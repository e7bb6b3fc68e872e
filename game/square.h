// Squares of the 8x8 grid, a1 = 0, b1 = 1, ... h8 = 63. A 7x7 board uses files a-g and ranks 1-7 of the same
// grid.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace makzero::game {

using Square = int;

inline constexpr int kSquares = 64;

constexpr int file_of(Square square) { return square & 7; }
constexpr int rank_of(Square square) { return square >> 3; }
constexpr Square square_at(int file, int rank) { return rank * 8 + file; }

// "a1" ... "h8".
inline std::string square_text(Square square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

// The square that a two-character text names, or none.
constexpr std::optional<Square> parse_square(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
    return std::nullopt;
  return square_at(text[0] - 'a', text[1] - '1');
}

}  // namespace makzero::game
