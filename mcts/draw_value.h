// What a drawn game is worth to a search that has no tower's win, draw and loss.
//
// Careful play draws most custodial games. That a search may prefer one draw to another, and a win to any,
// the side that has taken more gets three quarters of a draw. In games whose rules give a drawn game to
// nobody, the chess family and the hunt, both get a half.
#pragma once

#include "game/game.h"

namespace makzero::mcts {

class DrawValue {
 public:
  static constexpr double kOfLeader = 0.75;  // Between a draw, 0.5, and a win, 1.

  explicit DrawValue(const game::Game& game);

  // In [0, 1]: 1/2, kOfLeader where `side` has taken more on the way to the position, 1 - kOfLeader where the
  // other has.
  double of(const game::Position& position, game::Color side) const;

 private:
  const game::GameInfo& info_;
  bool counts_material_ = false;
  int initial_lead_ = 0;  // White's: the sides of Gala begin with unequal men.
};

}  // namespace makzero::mcts
