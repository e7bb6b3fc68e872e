// Step of many searchers at once: the positions that they need evaluated are one batch.
#pragma once

#include <span>
#include <vector>

#include "mcts/searcher.h"

namespace makzero::mcts {

// Keeps the memory of its batches. Not thread-safe.
class SearcherBatch {
 public:
  // One step of each search that is not done; false where all are. Throws what the evaluator throws: the
  // searches cannot go on then. REQUIRES: an evaluator, unless no search needs one.
  bool step(std::span<Searcher* const> searchers, const StepBudget& budget, Evaluator* evaluator);

 private:
  struct Share {
    Searcher* searcher;
    std::size_t size;  // Of its part of the batch.
  };

  std::vector<Share> shares_;
  std::vector<EvalRequest> requests_;
  std::vector<Evaluation> evaluations_;  // At least one for each request: their memory is reused.
};

}  // namespace makzero::mcts
