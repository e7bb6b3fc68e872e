// A position of any game of the family: a plain value that is copied, never undone.
#pragma once

#include <cstdint>
#include <type_traits>

#include "game/bitboard.h"
#include "game/color.h"

namespace makzero::game {

inline constexpr int kKinds = 6;

// Who counts towards a draw after an own declaration (chess family, manual counting).
enum class Counter : std::uint8_t { kNobody, kWhite, kBlack };

// Sides are disjoint; kinds are disjoint and together exactly the pieces; all stand on the board, and
// obligations lead to empty squares.
struct Position {
  Bitboard side[2] = {};  // Pieces of White and of Black; disjoint.
  Bitboard kind[kKinds] =
      {};  // Pieces by kind, in the order of GameInfo::kinds; disjoint, together the pieces.
  // Destinations of the moves that the side to move must choose from, going down (south, west) and up (north,
  // east). Each lies between two enemies beside the way, so that the board tells its axis. None: every move.
  Bitboard obliged[2] = {};
  std::uint8_t hand[2] = {};  // Pieces that are still to be dropped.
  Color to_move = Color::kWhite;
  std::uint8_t rights = 0;  // First-move rights: White's in the low half, Black's in the high half; a bit
                            // means the same piece as its own side sees it. The game says which bit is which.
  Counter counter = Counter::kNobody;
  std::uint16_t count_limit = 0;        // Plies at which the count draws; 0 = no count is running.
  std::uint16_t count = 0;              // Plies counted.
  std::uint16_t no_progress_plies = 0;  // Plies since the last irreversible move (capture, drop, pawn step),
                                        // modulo 65,536: only games without a limit to them come so far.
  std::uint16_t first_ply = 0;  // Plies before the given position by its text's move number; for texts alone.
  std::uint16_t ply = 0;        // Plies played since the initial position, or since the one that was given,
                                // modulo 65,536: only games without a limit to them come so far.

  Bitboard occupied() const { return side[0] | side[1]; }
  Bitboard own() const { return side[index(to_move)]; }
  Bitboard enemy() const { return side[index(other(to_move))]; }

  bool operator==(const Position&) const = default;
};

static_assert(std::is_trivially_copyable_v<Position>);

// Hash of what repetition compares: placement, hands, side to move, rights, obligations.
// Counters do not take part.
std::uint64_t repetition_key(const Position& position);

// Hash of all that an evaluation may depend on: the repetition key and every counter but the ply.
std::uint64_t evaluation_key(const Position& position);

// The same where its repetition key is known.
std::uint64_t evaluation_key(const Position& position, std::uint64_t repetition_key);

}  // namespace makzero::game
