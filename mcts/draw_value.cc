#include "mcts/draw_value.h"

namespace makzero::mcts {

double DrawValue::of(game::Reason reason, const game::Position& position, game::Color side) const {
  return reason == game::Reason::kRepetition ? 0.5 : expected(position, side);
}

double DrawValue::expected(const game::Position& position, game::Color side) const {
  if (!counts_material_) return 0.5;
  const int gain = material_gain(game_, position, side);
  if (gain == 0) return 0.5;
  return gain > 0 ? kOfLeader : 1 - kOfLeader;
}

}  // namespace makzero::mcts
