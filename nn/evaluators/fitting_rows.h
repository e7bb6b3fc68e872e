// The part of a batch that a device has memory for.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>

#include "nn/device.h"

namespace makzero::nn {

// Runs batches in parts that fit: whole ones until the device says that its memory is full, from then on half
// of what did not fit. Thread-safe.
class FittingRows {
 public:
  static constexpr int kLeast = 32;  // Rows that a device must have memory for.

  // Calls run(first, rows) for all rows from 0 to `count`. Throws DeviceMemoryError where kLeast do not fit.
  template <class Run>
  void run(int count, const Run& run) {
    for (int first = 0; first < count;) {
      const int rows = std::min(count - first, limit());
      try {
        run(first, rows);
        first += rows;
      } catch (const DeviceMemoryError&) {
        if (rows <= kLeast) throw;
        shrink(rows);
      }
    }
  }

  // The largest part from now on; kAll before anything failed.
  int limit() const { return limit_.load(std::memory_order_relaxed); }
  static constexpr int kAll = std::numeric_limits<int>::max();

 private:
  // Parts begin at multiples of kLeast, as rows are padded. Another thread may have come first.
  void shrink(int rows) {
    const int half = std::max(kLeast, rows / 2 / kLeast * kLeast);
    int limit = limit_.load(std::memory_order_relaxed);
    while (half < limit && !limit_.compare_exchange_weak(limit, half, std::memory_order_relaxed)) {
    }
  }

  std::atomic<int> limit_ = kAll;
};

}  // namespace makzero::nn
