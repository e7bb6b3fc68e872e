// A stand-in for a network whose answers are a fixed pseudo-random function of the position: for tests and
// the simulated card.
#pragma once

#include "mcts/evaluator.h"

namespace makzero::mcts {

// Thread-safe.
class HashEvaluator : public Evaluator {
 public:
  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override;
};

}  // namespace makzero::mcts
