// Value of a draw to each side, by what they have taken.
//
// Careful play draws most custodial games. That a search may prefer one draw to another, and a win to any,
// the side that has taken more gets three quarters of a draw. Both sides get a half of a repetition, and of
// every draw in games that have no limit_result=material: the chess family and the hunt.
#pragma once

#include "game/game.h"

namespace makzero::mcts {

// Keeps a reference to the game.
class DrawValue {
 public:
  static constexpr double kOfLeader = 0.75;  // Between a draw, 0.5, and a win, 1.

  explicit DrawValue(const game::Game& game)
      : game_(game), counts_material_(material_result_option(game.info()) != nullptr) {}

  // The share of `side`, in [0, 1], of a game that is drawn for this reason in `position`.
  double of(game::Reason reason, const game::Position& position, game::Color side) const;

  // The same of a position whose game is drawn later: it goes by who has taken more so far.
  double expected(const game::Position& position, game::Color side) const;

 private:
  const game::Game& game_;
  bool counts_material_;
};

}  // namespace makzero::mcts
