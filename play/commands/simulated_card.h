// A device that costs time and computes nothing: what a card would make of self-play, on a machine without
// one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "nn/device.h"
#include "nn/encoder.h"

namespace makzero::play {

// Costs of a batch: for the card by the wall clock, and for the thread that runs it.
struct SimulatedCardOptions {
  std::chrono::nanoseconds batch = std::chrono::milliseconds(2);
  std::chrono::nanoseconds row = std::chrono::microseconds(5);  // Padding costs as much.

  // Processor time to launch its operations, while the card computes; a 10x128 network on an H100: 1.6 ms.
  std::chrono::nanoseconds launch{};
  std::chrono::nanoseconds transfer{300};  // Of a row to the card, while it computes another batch.
};

// Requests are encoded as for a network of these planes; evaluations are those of a HashEvaluator.
class SimulatedCard : public nn::Device {
 public:
  // REQUIRES: unknown_plane(planes) is empty.
  explicit SimulatedCard(std::vector<std::string> planes, const SimulatedCardOptions& options = {});

  std::unique_ptr<nn::DeviceBatch> make_batch(int rows) const override;
  void encode(std::span<const mcts::EvalRequest> requests, int first, nn::DeviceBatch* batch) const override;
  void run(int rows, nn::DeviceBatch* batch) override;
  void decode(const nn::DeviceBatch& batch, int first, std::span<const mcts::EvalRequest> requests,
              std::span<mcts::Evaluation> evaluations) const override;

  // What all batches so far have cost; that their thread wakes up late is not in it. Thread-safe.
  double busy_seconds() const;

 private:
  nn::Encoder encoder_;
  SimulatedCardOptions options_;
  std::mutex mutex_;                                 // Of the next.
  std::chrono::steady_clock::time_point free_from_;  // One batch is computed at a time.
  std::atomic<std::int64_t> busy_nanoseconds_ = 0;   // For readers of statistics: no order needed.
};

}  // namespace makzero::play
