#include "game/symmetry.h"

#include <cassert>
#include <utility>

namespace makzero::game {

Symmetry::Symmetry(int id, int files, int ranks) {
  assert(id >= 0 && id < kSymmetries && (files == ranks || !(id & 4)));
  for (Square square = 0; square < kSquares; ++square) {
    int file = file_of(square), rank = rank_of(square);
    const bool on_board = file < files && rank < ranks;
    if (id & 4) std::swap(file, rank);
    if (id & 1) file = files - 1 - file;
    if (id & 2) rank = ranks - 1 - rank;
    map_[square] = static_cast<std::uint8_t>(on_board ? square_at(file, rank) : square);
  }
}

Bitboard Symmetry::operator()(Bitboard set) const {
  Bitboard image = 0;
  while (set) image |= bit(map_[pop_first(&set)]);
  return image;
}

Move Symmetry::operator()(Move move) const {
  if (move.is_pass()) return move;
  if (move.is_drop()) return Move::drop(map_[move.destination()]);
  return Move::step(map_[move.origin()], map_[move.destination()], move.alternative());
}

// A mirror reverses the moves along its axis: what went up goes down. A move between enemies to the east and
// west goes along a file.
void Symmetry::map_obligations(Position* position) const {
  auto& [down, up] = position->obliged;
  const Bitboard along_files = east(position->enemy()) & west(position->enemy());
  const Bitboard reversed = (map_[8] < map_[0] ? along_files : 0) | (map_[1] < map_[0] ? ~along_files : 0);
  const Bitboard exchanged = (down ^ up) & reversed;
  down = (*this)(down ^ exchanged);
  up = (*this)(up ^ exchanged);
}

Position Symmetry::operator()(Position position) const {
  if (position.obliged[0] | position.obliged[1]) map_obligations(&position);
  for (Bitboard& side : position.side) side = (*this)(side);
  for (Bitboard& kind : position.kind) kind = (*this)(kind);
  return position;
}

Symmetry rotation(const GameInfo& info) { return {0b011, info.files, info.ranks}; }

}  // namespace makzero::game
