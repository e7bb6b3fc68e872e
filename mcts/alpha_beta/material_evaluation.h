// Material as the evaluation of an alpha-beta search.
#pragma once

#include "game/game.h"
#include "mcts/score.h"

namespace makzero::mcts {

// Keeps a reference to the info.
class MaterialEvaluation {
 public:
  using Score = Centipawns;
  struct Accumulator {};  // Material is counted anew.

  explicit MaterialEvaluation(const game::GameInfo& info) : info_(info) {}

  void refresh(const game::Position&, Accumulator*) const {}
  void update(const game::Position&, const Accumulator&, const game::Position&, Accumulator*) const {}

  // The lead of the side to move.
  Centipawns evaluate(const game::Position& position, const Accumulator&) const {
    return {material_lead(info_, position, position.to_move)};
  }

  // All draws are even, whoever has taken more.
  static Centipawns draw_score(double) { return {}; }

 private:
  const game::GameInfo& info_;
};

}  // namespace makzero::mcts
