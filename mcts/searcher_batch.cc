#include "mcts/searcher_batch.h"

#include <algorithm>

namespace makzero::mcts {

bool SearcherBatch::Part::begin(std::span<Searcher* const> searchers, const StepBudget& budget,
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
  if (!requests_.empty())
    ticket_ = evaluator->begin(requests_, std::span(evaluations_).first(requests_.size()));
  return !shares_.empty();
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
  if (evaluator && evaluator->batches_under_way() > 1) return step_ahead(searchers, budget, evaluator);
  const bool any = parts_[0].begin(searchers, budget, evaluator);
  parts_[0].backup();
  return any;
}

bool SearcherBatch::step_ahead(std::span<Searcher* const> searchers, StepBudget budget,
                               Evaluator* evaluator) {
  // Where one batch fails, the other is finished before its searches may go.
  const struct Finish {
    std::array<Part, 2>& parts;
    ~Finish() {
      for (Part& part : parts) part.abandon();
    }
  } finish{parts_};
  active_.clear();
  for (Searcher* searcher : searchers)
    if (!searcher->done()) active_.push_back(searcher);
  if (active_.empty()) return false;
  const std::span all(active_);
  const bool alone = all.size() == 1;
  if (alone) budget.leaves = (budget.leaves + 1) / 2;
  const std::span first = all.first((all.size() + 1) / 2);
  const std::span<Searcher* const> halves[] = {first, alone ? first : all.subspan(first.size())};
  parts_[0].begin(halves[0], budget, evaluator);
  const int turns = alone ? kTurnsAlone : kTurns;
  for (int turn = 1; turn < turns; ++turn) {
    const bool any = parts_[turn % 2].begin(halves[turn % 2], budget, evaluator);
    parts_[(turn + 1) % 2].backup();
    if (!any) return true;
  }
  parts_[(turns + 1) % 2].backup();
  return true;
}

}  // namespace makzero::mcts
