#include "nn/torch/replica_exchange.h"

#include <stdexcept>

namespace makzero::nn {
namespace {

// Before a thread sleeps, some 10 us: replicas arrive at almost the same time, and waking a thread up takes
// longer.
constexpr int kSpins = 2000;

}  // namespace

void ReplicaExchange::begin(int replicas) {
  replicas_ = replicas;
  arrived_ = 0;
  abandoned_ = false;
  for (auto& parts : parts_) parts.assign(replicas, {});
}

torch::Tensor ReplicaExchange::sum(int replica, const torch::Tensor& part) {
  if (replicas_ == 1) return part;
  const int round = round_.load(std::memory_order_acquire);
  require_all();
  std::vector<torch::Tensor>& parts = parts_[round % 2];
  parts[replica] = part;
  wait_for_all(round);
  require_all();
  torch::Tensor sum = parts.front().to(part.device()).clone();
  for (int other = 1; other < replicas_; ++other) sum.add_(parts[other].to(part.device()));
  return sum;
}

void ReplicaExchange::wait_for_all(int round) {
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == replicas_) {
    arrived_.store(0, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_acq_rel);
    round_.notify_all();
  } else {
    for (int spins = 0; spins < kSpins && round_.load(std::memory_order_acquire) == round; ++spins) {
    }
    round_.wait(round, std::memory_order_acquire);
  }
}

void ReplicaExchange::require_all() const {
  if (abandoned_.load(std::memory_order_acquire))
    throw std::runtime_error("another replica of the learner has failed");
}

// The flag before the round: who reads the new round sees the flag.
void ReplicaExchange::abandon() {
  abandoned_.store(true, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_acq_rel);
  round_.notify_all();
}

}  // namespace makzero::nn
