#include "play/commands/simulated_card.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "mcts/hash_evaluator.h"
#include "nn/system.h"

namespace makzero::play {
namespace {

struct SimulatedBatch : nn::DeviceBatch {
  std::vector<float> planes;  // [rows, planes, 8, 8]
};

}  // namespace

SimulatedCard::SimulatedCard(std::vector<std::string> planes, const SimulatedCardOptions& options)
    : encoder_(std::move(planes)), options_(options) {}

std::unique_ptr<nn::DeviceBatch> SimulatedCard::make_batch(int rows) const {
  auto batch = std::make_unique<SimulatedBatch>();
  batch->planes.resize(static_cast<size_t>(rows) * encoder_.plane_count() * game::kSquares);
  return batch;
}

void SimulatedCard::encode(std::span<const mcts::EvalRequest> requests, int first,
                           nn::DeviceBatch* batch) const {
  const size_t row = static_cast<size_t>(encoder_.plane_count()) * game::kSquares;
  float* planes = static_cast<SimulatedBatch*>(batch)->planes.data() + first * row;
  for (const mcts::EvalRequest& request : requests) {
    encoder_.encode(*request.game, *request.position, request.occurrences, planes);
    planes += row;
  }
}

void SimulatedCard::run(int rows, nn::DeviceBatch* /*batch*/) {
  const std::chrono::nanoseconds cost = options_.batch + rows * options_.row;
  const auto copied = std::chrono::steady_clock::now() + rows * options_.transfer;
  const std::int64_t launched = nn::thread_cpu_nanoseconds() + options_.launch.count();
  while (nn::thread_cpu_nanoseconds() < launched) continue;
  std::chrono::steady_clock::time_point end;
  {
    const std::lock_guard lock(mutex_);
    end = free_from_ = std::max(free_from_, copied) + cost;
  }
  std::this_thread::sleep_until(end);
  busy_nanoseconds_.fetch_add(cost.count(), std::memory_order_relaxed);
}

void SimulatedCard::decode(const nn::DeviceBatch& /*batch*/, int /*first*/,
                           std::span<const mcts::EvalRequest> requests,
                           std::span<mcts::Evaluation> evaluations) const {
  mcts::HashEvaluator().evaluate(requests, evaluations);
}

double SimulatedCard::busy_seconds() const {
  return 1e-9 * static_cast<double>(busy_nanoseconds_.load(std::memory_order_relaxed));
}

}  // namespace makzero::play
