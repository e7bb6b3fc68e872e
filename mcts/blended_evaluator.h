// Two opinions as one: the weighted mean of what two evaluators say.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mcts/evaluator.h"

namespace makzero::mcts {

// Not thread-safe.
class BlendedEvaluator : public Evaluator {
 public:
  // `share` is what `second` has to say, in [0, 1].
  BlendedEvaluator(std::unique_ptr<Evaluator> first, std::unique_ptr<Evaluator> second, float share)
      : first_(std::move(first)), second_(std::move(second)), share_(share) {}

  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override;

 private:
  std::unique_ptr<Evaluator> first_, second_;
  float share_;
  std::vector<Evaluation> of_second_;  // Working memory.
};

}  // namespace makzero::mcts
