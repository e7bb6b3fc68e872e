// What every turn of the sliding games does to a position.
#pragma once

#include "game/move.h"
#include "game/position.h"

namespace makzero::game {

// Hands the turn over. `irreversible`: a piece was taken or dropped.
inline void end_turn(bool irreversible, Position* position) {
  ++position->ply;
  position->quiet_plies = irreversible ? 0 : position->quiet_plies + 1;
  position->to_move = other(position->to_move);
}

// The pieces of a side after one of them has moved.
inline Bitboard moved(Bitboard side, Move move) {
  return side ^ bit(move.origin()) ^ bit(move.destination());
}

}  // namespace makzero::game
