// The step of a search, gather, evaluate and backup, for many searches at once: their leaves are one batch.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "mcts/ticket.h"

namespace makzero::mcts {

// A batch of leaves of searches. Not thread-safe.
//
//   for (Search& search : searches) lockstep.gather(&search);
//   lockstep.step(evaluator);
//
// Where the evaluator computes elsewhere, begin() and backup() leave time in between for other searches.
class Lockstep {
 public:
  // Appends up to `most` leaves of the search and returns how many there were: fewer where it is done or all
  // else waits for its leaves, after so many collisions a leaf (Search::gather()). The search stays where it
  // is until they are backed up. REQUIRES: no evaluation is under way.
  int gather(Search* search, int most = 1, int most_collisions = 0) {
    int gathered = 0;
    for (; gathered < most; ++gathered) {
      const std::optional<Leaf> leaf = search->gather(most_collisions);
      if (!leaf) break;
      leaves_.emplace_back(search, *leaf);
      requests_.push_back(leaf->request);
    }
    return gathered;
  }

  bool empty() const { return leaves_.empty(); }
  int size() const { return static_cast<int>(leaves_.size()); }
  std::span<const EvalRequest> requests() const { return requests_; }  // Of the leaves.

  // Begins to evaluate the leaves; nothing where there are none. Throws what the evaluator throws.
  void begin(Evaluator* evaluator) {
    if (empty()) return;
    if (evaluations_.size() < leaves_.size()) evaluations_.resize(leaves_.size());  // Their memory is reused.
    ticket_ = evaluator->begin(requests_, std::span(evaluations_).first(leaves_.size()));
  }

  // Waits for the evaluations and backs up the leaves, in the order in which they were gathered. Throws what
  // the evaluation threw.
  void backup() {
    ticket_.finish();
    for (size_t i = 0; i < leaves_.size(); ++i) leaves_[i].first->backup(leaves_[i].second, evaluations_[i]);
    clear();
  }

  // Evaluates the leaves and backs them up.
  void step(Evaluator* evaluator) {
    begin(evaluator);
    backup();
  }

  // Forgets the leaves, whose searches do not go on.
  void clear() {
    leaves_.clear();
    requests_.clear();
  }

 private:
  std::vector<std::pair<Search*, Leaf>> leaves_;
  std::vector<EvalRequest> requests_;
  std::vector<Evaluation> evaluations_;  // At least one for each leaf.
  Ticket ticket_;                        // Last: it is finished before its batch goes.
};

// Runs a search to its end with up to `leaves` evaluations at a time.
inline SearchResult run_search(Search* search, Evaluator* evaluator, int leaves = 1) {
  Lockstep lockstep;
  while (!search->done()) {
    lockstep.gather(search, leaves);
    lockstep.step(evaluator);
  }
  return search->result();
}

}  // namespace makzero::mcts
