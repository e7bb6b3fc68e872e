// Tree search with an evaluator of its own: keeps the tree from move to move and evaluates several
// leaves at once.
#pragma once

#include <memory>
#include <mutex>

#include "mcts/evaluator.h"
#include "play/engine/searcher.h"
#include "play/engine/tree_search.h"

namespace makzero::play {

struct TreeSearcherOptions {
  int leaves_in_flight =
      8;  // Evaluated together; more is faster for a network and a little weaker per simulation.
  int simulations = 0;  // Where the limits name nothing; 0 = until stopped.
  TreeSearchOptions tree;
};

class TreeSearcher : public Searcher {
 public:
  TreeSearcher(game::GamePtr rules, std::unique_ptr<mcts::Evaluator> evaluator,
               const TreeSearcherOptions& options);

  SearchInfo search(const PlayedGame& game, const Limits& limits, const std::atomic<bool>& stop,
                    const SearchInfoHandler& report) override;
  void forget() override;
  std::vector<mcts::RootMove> moves_after(const PlayedGame& game,
                                          std::span<const game::Move> line) const override;

 private:
  int step(int most_leaves);

  std::unique_ptr<mcts::Evaluator> evaluator_;
  TreeSearcherOptions options_;
  mutable std::mutex
      mutex_;  // Of search_, which moves_after() reads beside search(); not held in evaluations.
  TreeSearch search_;

  // Reused by step().
  std::vector<mcts::EvalRequest> requests_;
  std::vector<mcts::Evaluation> evaluations_;
};

}  // namespace makzero::play
