#include "train/metered_evaluator.h"

#include "nn/environment.h"

namespace makzero::train {

void MeteredEvaluator::evaluate(std::span<const mcts::EvalRequest> requests,
                                std::span<mcts::Evaluation> evaluations) {
  const std::int64_t begin = nn::thread_cpu_nanoseconds();
  inner_->evaluate(requests, evaluations);
  meter_->cpu_nanoseconds.fetch_add(nn::thread_cpu_nanoseconds() - begin, std::memory_order_relaxed);
  meter_->rows.fetch_add(static_cast<std::int64_t>(requests.size()), std::memory_order_relaxed);
  meter_->batches.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace makzero::train
