// Knows nothing: equal priors, an even value.
#pragma once

#include "mcts/evaluator.h"

namespace makzero::mcts {

// Thread-safe.
class UniformEvaluator : public Evaluator {
 public:
  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override;
};

}  // namespace makzero::mcts
