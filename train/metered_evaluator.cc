#include "train/metered_evaluator.h"

#include <ctime>

namespace makzero::train {

std::int64_t thread_cpu_nanoseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void MeteredEvaluator::evaluate(std::span<const mcts::EvalRequest> requests,
                                std::span<mcts::Evaluation> evaluations) {
  const std::int64_t begin = thread_cpu_nanoseconds();
  inner_->evaluate(requests, evaluations);
  meter_->cpu_nanoseconds.fetch_add(thread_cpu_nanoseconds() - begin, std::memory_order_relaxed);
  meter_->rows.fetch_add(static_cast<std::int64_t>(requests.size()), std::memory_order_relaxed);
  meter_->batches.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace makzero::train
