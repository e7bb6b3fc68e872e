// Random games of the chess family that reach every phase, to be compared with what other programs say of
// them.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"

namespace makzero::game {

// A position of a random game, and how the game came to it.
struct RandomStop {
  std::string start;
  std::string moves;  // "e3e4 d6d5".
  Position position;
  MoveList legal;
  Outcome outcome;
};

class RandomGames {
 public:
  RandomGames(const Game& game, std::uint64_t seed) : game_(game), rng_(seed) {}

  // The stops of one more game: one ply in `stride`, and the last. Every other game begins with few pieces.
  std::vector<RandomStop> next(int stride) {
    Position position = ++games_ % 2 ? game_.initial() : thinned();
    History history(position);
    std::vector<RandomStop> stops;
    RandomStop stop;
    stop.start = position_text(game_, position);
    for (int ply = 0;; ++ply) {
      stop.position = position;
      game_.legal_moves(position, &stop.legal);
      stop.outcome = game_.outcome(position, !stop.legal.empty(), history.occurrences());
      const bool last = stop.outcome.over() || ply == kMostPlies;
      if (last || below(stride) == 0) stops.push_back(stop);
      if (last) return stops;
      const Move move = chosen_move(position, stop.legal);
      stop.moves += (ply ? " " : "") + move_text(game_, position, move);
      game_.apply(move, &position);
      history.push(position);
    }
  }

 private:
  static constexpr int kMostPlies = 300;

  int below(int bound) { return static_cast<int>(rng_() % static_cast<std::uint64_t>(bound)); }

  // Any move; one time in four a move that leaves no reply, where there is one.
  Move chosen_move(const Position& position, const MoveList& legal) {
    if (below(4) == 0) {
      for (const Move move : legal) {
        Position child = position;
        game_.apply(move, &child);
        if (game_.count_moves(child) == 0) return move;
      }
    }
    return legal[below(legal.size())];
  }

  // The start without most of its pieces and without first-move rights.
  Position thinned() {
    for (;;) {
      Position position = game_.initial();
      position.rights = 0;
      const int kept = 1 + below(7);  // Of 16 pieces, kings aside.
      for (Bitboard pieces = position.occupied() & ~position.kind[0]; pieces;) {
        const Bitboard piece = bit(pop_first(&pieces));
        if (below(16) < kept) continue;
        for (Bitboard& side : position.side) side &= ~piece;
        for (Bitboard& kind : position.kind) kind &= ~piece;
      }
      if (parse_position(game_, position_text(game_, position))) return position;
    }
  }

  const Game& game_;
  std::mt19937_64 rng_;
  int games_ = 0;
};

}  // namespace makzero::game
