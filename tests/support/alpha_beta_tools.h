// Alpha-beta with a table of its own, whose searches are one call.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "mcts/alpha_beta/alpha_beta.h"

namespace makzero::testing {

template <class Evaluation>
class WholeSearch : public mcts::AlphaBeta<Evaluation> {
 public:
  using Base = mcts::AlphaBeta<Evaluation>;

  WholeSearch(const game::Game& game, Evaluation evaluation, const mcts::AlphaBetaOptions& options,
              std::size_t table_entries)
      : Base(game, std::move(evaluation), options,
             std::make_shared<mcts::TranspositionTable>(table_entries)) {}

  const typename Base::Result& search(const game::Position& position, const game::History& history,
                                      const mcts::AlphaBetaLimits& limits) {
    this->begin(position, history, limits);
    while (!this->done()) this->step();
    return this->result();
  }
};

using NetworkSearch = WholeSearch<mcts::SmallEvaluator>;
using MaterialSearch = WholeSearch<mcts::MaterialEvaluation>;

}  // namespace makzero::testing
