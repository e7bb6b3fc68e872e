// A position in 28 bytes, for records of which there are billions.
#pragma once

#include <cstdint>
#include <optional>

#include "game/game.h"

namespace makzero::game {

// Pieces are numbered by their squares, a1 first. State, from the lowest bit:
//
//    1 bit    side to move, 1 = Black
//    2 bits   occurrences - 1
//   14 bits   ply
//   14 bits   no-progress plies in rulesets that limit them (GameInfo::no_progress), first-move rights in the
//   others
//    1 bit    1 = the last word of the pieces is the extension
//
// The extension is for hands and a running count, which come with boards of at most 24 pieces. From its
// lowest bit: 8 bits limit of the count, 8 bits count, 7 bits White's hand, 1 bit White counts, 7 bits
// Black's hand, 1 bit Black counts.
//
// A nibble a piece compresses better than four planes of bits (leaves of Makruk: 16.2 bytes instead of 18.8).
struct PackedPosition {
  std::uint32_t occupied[2] = {};  // The lower and the upper half of Position::occupied().
  std::uint32_t pieces[4] = {};    // Piece i: bits 4 * (i % 8) of pieces[i / 8], its kind, + 8 if Black's.
  std::uint32_t state = 0;

  bool operator==(const PackedPosition&) const = default;
};

static_assert(sizeof(PackedPosition) == 28);

struct UnpackedPosition {
  Position position;
  int occurrences = 1;  // How often the position has stood on the board, this time included.
};

// Everything that an evaluation may depend on: the position but for no-progress plies in rulesets without a
// limit to them and the move number of its text, and the occurrences where repetition ends games. None for
// what does not fit: more than 32 pieces, obligations, more than four occurrences, a hand or a running count
// beside more than 24 pieces, first-move rights beside a limit of no-progress plies, plies above 16383,
// counts above 255. In games from the start of any named ruleset none of this happens but for the obligations
// of Min Rek Chanh. The position must be well formed.
std::optional<PackedPosition> pack(const GameInfo& info, const Position& position, int occurrences);

// The position again, with 0 no-progress plies and one occurrence where those are not kept. None for what
// pack() does not make in this ruleset.
std::optional<UnpackedPosition> unpack(const GameInfo& info, const PackedPosition& packed);

}  // namespace makzero::game
