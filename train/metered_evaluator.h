// Counts what another evaluator does: rows, batches and the processor time inside.
#pragma once

#include <atomic>
#include <cstdint>

#include "mcts/evaluator.h"

namespace makzero::train {

// What one thread writes and others read while it runs; relaxed order, since each number stands for itself.
struct EvaluatorMeter {
  std::atomic<std::int64_t> rows = 0, batches = 0, cpu_nanoseconds = 0;
};

// As thread-safe as `inner`. Owns neither.
class MeteredEvaluator : public mcts::Evaluator {
 public:
  MeteredEvaluator(mcts::Evaluator* inner, EvaluatorMeter* meter) : inner_(inner), meter_(meter) {}

  void evaluate(std::span<const mcts::EvalRequest> requests,
                std::span<mcts::Evaluation> evaluations) override;

 private:
  mcts::Evaluator* inner_;
  EvaluatorMeter* meter_;
};

}  // namespace makzero::train
