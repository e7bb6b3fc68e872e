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
class CountingEvaluator : public mcts::AsynchronousEvaluator {
 public:
  CountingEvaluator(mcts::Evaluator* inner, EvaluatorMeter* meter) : inner_(inner), meter_(meter) {}

  mcts::Ticket begin(std::span<const mcts::EvalRequest> requests,
                     std::span<mcts::Evaluation> evaluations) override;
  int batches_under_way() const override { return inner_->batches_under_way(); }

 private:
  void add_time_since(std::int64_t begin);

  mcts::Evaluator* inner_;
  EvaluatorMeter* meter_;
};

}  // namespace makzero::train
