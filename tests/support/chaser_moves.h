// How many moves a count leaves to a chaser.
#pragma once

#include "tests/support/playthrough.h"

namespace makzero::game {

// White's moves until the count draws, when nobody gives mate and no piece is lost.
inline int chaser_moves(Playthrough game) {
  int moves = 0;
  while (!game.outcome().over()) {
    const Color mover = game.position().to_move;
    const int ply = game.position().ply;
    for (const Move move : game.legal()) {
      Playthrough next = game;
      next.play(move);
      const Outcome outcome = next.outcome();
      const bool piece_lost = size(next.position().occupied()) < size(game.position().occupied());
      if (piece_lost || (outcome.over() && outcome.reason != Reason::kCountExceeded)) continue;
      game = next;
      break;
    }
    if (game.position().ply == ply) {
      ADD_FAILURE() << "every move mates or loses a piece: " << game.text();
      return moves;
    }
    moves += mover == Color::kWhite;
  }
  EXPECT_EQ(game.outcome(), (Outcome{Result::kDraw, Reason::kCountExceeded}));
  return moves;
}

}  // namespace makzero::game
