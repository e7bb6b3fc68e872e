// What evaluates encoded batches: a card, or what stands in for one.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <stdexcept>

#include "mcts/evaluator.h"

namespace makzero::nn {

// The memory of a device is full; the message says what may be lowered.
struct DeviceMemoryError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The memory of one batch on its way through a device: its inputs, later its outputs.
class DeviceBatch {
 public:
  DeviceBatch() = default;
  DeviceBatch(const DeviceBatch&) = delete;
  DeviceBatch& operator=(const DeviceBatch&) = delete;
  virtual ~DeviceBatch() = default;
};

// Two threads run batches, so that the next is prepared while one is computed; meanwhile others encode and
// decode other batches, or different rows of one. A batch belongs to the device that made it.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  virtual std::unique_ptr<DeviceBatch> make_batch(int rows) const = 0;

  // Writes the requests into the rows of the batch from `first` on. Thread-safe.
  virtual void encode(std::span<const mcts::EvalRequest> requests, int first, DeviceBatch* batch) const = 0;

  // Computes the outputs of the first `rows` rows; waits for them. Throws what the device reports.
  // Two threads may call it at the same time, for different batches.
  virtual void run(int rows, DeviceBatch* batch) = 0;

  // The most rows that it has memory for at once, as far as it knows; larger batches take longer.
  virtual int row_limit() const { return std::numeric_limits<int>::max(); }

  // Reads the outputs of the rows from `first` on, which these requests were written into. Thread-safe.
  virtual void decode(const DeviceBatch& batch, int first, std::span<const mcts::EvalRequest> requests,
                      std::span<mcts::Evaluation> evaluations) const = 0;
};

}  // namespace makzero::nn
