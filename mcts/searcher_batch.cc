#include "mcts/searcher_batch.h"

#include <algorithm>

namespace makzero::mcts {

bool SearcherBatch::step(std::span<Searcher* const> searchers, const StepBudget& budget,
                         Evaluator* evaluator) {
  shares_.clear();
  requests_.clear();
  for (Searcher* searcher : searchers) {
    if (searcher->done()) continue;
    const std::span<const EvalRequest> some = searcher->step(budget);
    shares_.push_back({searcher, some.size()});
    requests_.insert(requests_.end(), some.begin(), some.end());
  }
  evaluations_.resize(std::max(evaluations_.size(), requests_.size()));
  std::span<Evaluation> rest = std::span(evaluations_).first(requests_.size());
  if (!requests_.empty()) evaluator->evaluate(requests_, rest);
  for (const Share& share : shares_) {
    if (share.size > 0) share.searcher->backup(rest.first(share.size));
    rest = rest.subspan(share.size);
  }
  return !shares_.empty();
}

}  // namespace makzero::mcts
