// Two opinions as one: the weighted mean of what two evaluators say.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mcts/evaluator.h"

namespace makzero::mcts {

// Not thread-safe.
class BlendedEvaluator : public AsynchronousEvaluator {
 public:
  // `share` is what `second` has to say, in [0, 1].
  BlendedEvaluator(std::unique_ptr<Evaluator> first, std::unique_ptr<Evaluator> second, float share)
      : first_(std::move(first)), second_(std::move(second)), share_(share) {}

  // `second` computes while `first` is under way.
  Ticket begin(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override;
  int batches_under_way() const override { return first_->batches_under_way(); }

 private:
  void blend(std::span<const Evaluation> of_second, std::span<Evaluation> evaluations) const;

  std::unique_ptr<Evaluator> first_, second_;
  float share_;
  std::vector<std::vector<Evaluation>> spare_;  // Working memory for the evaluations of `second_`.
};

}  // namespace makzero::mcts
