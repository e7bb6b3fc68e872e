// Runs searches in tests: from a position with no past, one leaf or several at a time.
#pragma once

#include <vector>

#include "mcts/search.h"

namespace makzero::testing {

// Runs the search on, with up to `batch` leaves waiting at a time.
inline mcts::SearchResult run_batched(mcts::Search* search, mcts::Evaluator* evaluator, int batch) {
  while (!search->done()) {
    std::vector<mcts::Leaf> leaves;
    std::vector<mcts::EvalRequest> requests;
    while (static_cast<int>(leaves.size()) < batch) {
      const std::optional<mcts::Leaf> leaf = search->gather();
      if (!leaf) break;
      leaves.push_back(*leaf);
      requests.push_back(leaf->request);
    }
    std::vector<mcts::Evaluation> evaluations(leaves.size());
    evaluator->evaluate(requests, evaluations);
    for (size_t i = 0; i < leaves.size(); ++i) search->backup(leaves[i], evaluations[i]);
  }
  return search->result();
}

// A whole search of a position with no past.
inline mcts::SearchResult search_position(const game::Game& game, const game::Position& position,
                                          const mcts::SearchOptions& options, mcts::Evaluator* evaluator,
                                          std::uint64_t seed = 1) {
  mcts::Search search(game, options, seed);
  search.set_root(position, game::History(position));
  return run_search(&search, evaluator);
}

}  // namespace makzero::testing
