#include "mcts/draw_value.h"

#include <algorithm>

namespace makzero::mcts {

using game::Color;

// The games that have the rule limit_result=material.
DrawValue::DrawValue(const game::Game& game)
    : info_(game.info()), initial_lead_(material_lead(info_, game.initial())) {
  for (const game::OptionInfo& option : info_.options) {
    if (option.name == "limit_result")
      counts_material_ =
          std::find(option.values.begin(), option.values.end(), "material") != option.values.end();
  }
}

double DrawValue::of(const game::Position& position, Color side) const {
  if (!counts_material_) return 0.5;
  const int white_gain = material_lead(info_, position) - initial_lead_;
  if (white_gain == 0) return 0.5;
  return (white_gain > 0) == (side == Color::kWhite) ? kOfLeader : 1 - kOfLeader;
}

}  // namespace makzero::mcts
