// The requests of many threads joined into large batches for one device.
#pragma once

#include <cstdint>
#include <memory>

#include "mcts/evaluator.h"
#include "nn/device.h"

namespace makzero::nn {

struct BatchingStatistics {
  std::int64_t batches = 0, rows = 0;
  double running_seconds = 0;  // That the device was running batches, by the wall clock.
};

// A thread of its own runs the device: when it is free it takes what has come meanwhile. Workers encode and
// decode in their own threads and wait without spinning, so each needs a second group of games to search
// meanwhile. Thread-safe but for set_device().
class BatchingEvaluator : public mcts::AsynchronousEvaluator {
 public:
  // `max_batch`: rows. The device sees few sizes of batch, the multiples of an eighth of it: a new size costs
  // the preparation of all kernels.
  BatchingEvaluator(std::unique_ptr<Device> device, int max_batch);
  ~BatchingEvaluator() override;

  // Goes on with another device, as with new weights; the thread stays. REQUIRES: no batch is under way.
  void set_device(std::unique_ptr<Device> device);

  mcts::Ticket begin(std::span<const mcts::EvalRequest> requests,
                     std::span<mcts::Evaluation> evaluations) override;
  int batches_under_way() const override { return 2; }

  // An evaluator that passes its batches on to this one, which must outlive it.
  std::unique_ptr<mcts::Evaluator> share();

  BatchingStatistics statistics() const;

  // Device::row_limit() of the device.
  int row_limit() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::nn
