// The search of "alphabeta:N".
#pragma once

#include "mcts/alpha_beta/alpha_beta.h"

namespace makzero::testing {

inline mcts::MaterialSearch::Result material_search(
    const game::Game& game, const game::Position& position, const game::History& history,
    const mcts::AlphaBetaLimits& limits, const mcts::AlphaBetaOptions& options = mcts::kBaselineOptions) {
  return mcts::MaterialSearch(game, mcts::MaterialEvaluation(game.info()), options, 1 << 14)
      .search(position, history, limits);
}

}  // namespace makzero::testing
