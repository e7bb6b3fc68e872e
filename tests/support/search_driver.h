// Runs searches in tests from a position with no past.
#pragma once

#include "mcts/lockstep.h"

namespace makzero::testing {

// A whole search of a position with no past.
inline mcts::SearchResult search_position(const game::Game& game, const game::Position& position,
                                          const mcts::SearchOptions& options, mcts::Evaluator* evaluator,
                                          std::uint64_t seed = 1) {
  mcts::Search search(game, options, seed);
  search.set_root(position, game::History(position));
  return run_search(&search, evaluator);
}

}  // namespace makzero::testing
