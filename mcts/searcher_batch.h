// Step of many searchers at once: the positions that they need evaluated are one batch, or two.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mcts/searcher.h"
#include "mcts/ticket.h"

namespace makzero::mcts {

// Keeps the memory of its batches. Not thread-safe.
class SearcherBatch {
 public:
  // One step of each search that is not done; false where all are. Where the evaluator computes elsewhere,
  // some steps: half of the searches step while the batch of the others is computed, and a search alone
  // gathers half of its leaves while the others are. Throws what the evaluator throws: the searches cannot go
  // on then. REQUIRES: an evaluator, unless no search needs one.
  bool step(std::span<Searcher* const> searchers, const StepBudget& budget, Evaluator* evaluator);

 private:
  // Most turns of the two parts in a step, which ends earlier where the searches of a part are done. Its end
  // waits for what is computed elsewhere, which costs the more the fewer turns there are; a search of many
  // that is done idles until then.
  static constexpr int kTurns = 8, kTurnsAlone = 32;

  bool step_ahead(std::span<Searcher* const> searchers, StepBudget budget, Evaluator* evaluator);

  // Some of the searchers, and the batch of their positions.
  class Part {
   public:
    // Steps those that are not done; false where all are.
    bool begin(std::span<Searcher* const> searchers, const StepBudget& budget, Evaluator* evaluator);
    void backup();
    void abandon() { ticket_ = {}; }

   private:
    struct Share {
      Searcher* searcher;
      std::size_t size;  // Of its part of the batch.
    };

    std::vector<Share> shares_;
    std::vector<EvalRequest> requests_;
    std::vector<Evaluation> evaluations_;  // At least one for each request: their memory is reused.
    Ticket ticket_;                        // Last: it is finished before its batch goes.
  };

  std::vector<Searcher*> active_;  // Of a step ahead.
  std::array<Part, 2> parts_;
};

}  // namespace makzero::mcts
