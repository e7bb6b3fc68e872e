#include "train/self_play/counting_evaluator.h"

#include <utility>

#include "nn/system.h"

namespace makzero::train {

mcts::Ticket CountingEvaluator::begin(std::span<const mcts::EvalRequest> requests,
                                      std::span<mcts::Evaluation> evaluations) {
  const std::int64_t begin = nn::thread_cpu_nanoseconds();
  mcts::Ticket inner = inner_->begin(requests, evaluations);
  add_time_since(begin);
  meter_->rows.fetch_add(static_cast<std::int64_t>(requests.size()), std::memory_order_relaxed);
  meter_->batches.fetch_add(1, std::memory_order_relaxed);
  if (inner.done()) return inner;
  return mcts::Ticket([this, inner = std::move(inner)]() mutable {
    const std::int64_t begin = nn::thread_cpu_nanoseconds();
    inner.finish();
    add_time_since(begin);
  });
}

void CountingEvaluator::add_time_since(std::int64_t begin) {
  meter_->cpu_nanoseconds.fetch_add(nn::thread_cpu_nanoseconds() - begin, std::memory_order_relaxed);
}

}  // namespace makzero::train
