#include "mcts/searcher_batch.h"

#include <algorithm>

namespace makzero::mcts {

void SearcherBatch::Part::begin(std::span<Searcher* const> searchers, const StepBudget& budget,
                                Evaluator* evaluator) {
  ticket_ = {};  // Of a step that failed.
  shares_.clear();
  requests_.clear();
  for (Searcher* searcher : searchers) {
    const std::span<const EvalRequest> some = searcher->step(budget);
    shares_.push_back({searcher, some.size()});
    requests_.insert(requests_.end(), some.begin(), some.end());
  }
  evaluations_.resize(std::max(evaluations_.size(), requests_.size()));
  if (!requests_.empty())
    ticket_ = evaluator->begin(requests_, std::span(evaluations_).first(requests_.size()));
}

void SearcherBatch::Part::backup() {
  ticket_.finish();
  std::span<const Evaluation> rest = evaluations_;
  for (const Share& share : shares_) {
    if (share.size > 0) share.searcher->backup(rest.first(share.size));
    rest = rest.subspan(share.size);
  }
}

bool SearcherBatch::step(std::span<Searcher* const> searchers, const StepBudget& budget,
                         Evaluator* evaluator) {
  active_.clear();
  for (Searcher* searcher : searchers)
    if (!searcher->done()) active_.push_back(searcher);
  const bool elsewhere = evaluator && evaluator->batches_under_way() > 1;
  const std::span all(active_);
  const std::span first = all.first(elsewhere ? (all.size() + 1) / 2 : all.size());
  const std::span second = all.subspan(first.size());
  parts_[0].begin(first, budget, evaluator);
  if (!second.empty()) parts_[1].begin(second, budget, evaluator);
  parts_[0].backup();
  if (!second.empty()) parts_[1].backup();
  return !active_.empty();
}

}  // namespace makzero::mcts
