#include "nn/evaluators/batching_evaluator.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace makzero::nn {
namespace {

using mcts::EvalRequest;
using mcts::Evaluation;

using Clock = std::chrono::steady_clock;

constexpr int kBatchSizes = 8;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Passes everything on to an evaluator that others use as well.
class SharedEvaluator : public mcts::AsynchronousEvaluator {
 public:
  explicit SharedEvaluator(mcts::Evaluator* inner) : inner_(inner) {}

  mcts::Ticket begin(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override {
    return inner_->begin(requests, evaluations);
  }
  int batches_under_way() const override { return inner_->batches_under_way(); }

 private:
  mcts::Evaluator* inner_;
};

}  // namespace

class BatchingEvaluator::Impl {
 public:
  Impl(std::unique_ptr<Device> device, int max_batch)
      : device_(std::move(device)),
        step_(std::max(1, (max_batch + kBatchSizes - 1) / kBatchSizes)),
        max_batch_(max_batch) {
    assert(max_batch >= 1);
    for (std::thread& thread : threads_) thread = std::thread([this] { run_batches(); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void set_device(std::unique_ptr<Device> device) {
    const std::lock_guard lock(mutex_);
    assert(queue_.empty() && spare_.size() == batches_.size());
    spare_.clear();
    batches_.clear();
    device_ = std::move(device);
  }

  mcts::Ticket begin(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
    assert(requests.size() == evaluations.size());
    std::vector<Part> parts;
    for (size_t begin = 0; begin < requests.size(); begin += parts.back().rows) {
      const Part part = parts.emplace_back(reserve(static_cast<int>(requests.size() - begin)));
      device_->encode(requests.subspan(begin, part.rows), part.first, part.batch->memory.get());
      add_encoded(part.batch);
    }
    return mcts::Ticket(
        [this, requests, evaluations, parts = std::move(parts)] { finish(parts, requests, evaluations); });
  }

  BatchingStatistics statistics() const {
    const std::lock_guard lock(mutex_);
    return statistics_;
  }

  int row_limit() const {
    const std::lock_guard lock(mutex_);
    return device_->row_limit();
  }

 private:
  // Everything but the memory is guarded by the mutex.
  struct Batch {
    std::unique_ptr<DeviceBatch> memory;
    int rows = 0;                  // That are taken.
    int encoding = 0, unread = 0;  // Parts of it that are being encoded, that are not read yet.
    bool done = false;             // The outputs are there, or will never be:
    std::exception_ptr failure;
    std::condition_variable has_ended;
  };

  // Neighbouring rows of one caller.
  struct Part {
    Batch* batch;
    int first, rows;
  };

  // As many rows as there is room for, at most `wanted`.
  Part reserve(int wanted) {
    const std::lock_guard lock(mutex_);
    if (queue_.empty() || queue_.back()->rows == max_batch_) queue_.push_back(take_batch());
    Batch* batch = queue_.back();
    const Part part = {batch, batch->rows, std::min(wanted, max_batch_ - batch->rows)};
    batch->rows += part.rows;
    ++batch->encoding;
    ++batch->unread;
    return part;
  }

  Batch* take_batch() {
    if (spare_.empty()) {
      batches_.push_back(std::make_unique<Batch>());
      batches_.back()->memory = device_->make_batch(step_ * kBatchSizes);
      return batches_.back().get();
    }
    Batch* batch = spare_.back();
    spare_.pop_back();
    batch->rows = 0;
    batch->done = false;
    batch->failure = nullptr;
    return batch;
  }

  void add_encoded(Batch* batch) {
    const std::lock_guard lock(mutex_);
    --batch->encoding;
    if (is_next_due()) changed_.notify_one();
  }

  // Whether the next batch shall go to the device: while another runs, only a full one, as rows may still
  // come.
  bool is_next_due() const {
    if (queue_.empty() || queue_.front()->encoding > 0) return false;
    return running_ == 0 || queue_.front()->rows == max_batch_;
  }

  // The device's threads. A batch that one takes from the queue gets no more rows.
  void run_batches() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return is_next_due() || (stop_ && queue_.empty()); });
      if (queue_.empty()) return;
      Batch* batch = queue_.front();
      queue_.pop_front();
      if (running_++ == 0) busy_since_ = Clock::now();
      if (is_next_due() || stop_) changed_.notify_one();  // The other thread.
      lock.unlock();
      std::exception_ptr failure = run(batch);
      lock.lock();
      if (--running_ == 0) statistics_.running_seconds += seconds_since(busy_since_);
      ++statistics_.batches;
      statistics_.rows += batch->rows;
      batch->failure = std::move(failure);
      batch->done = true;
      batch->has_ended.notify_all();
    }
  }

  std::exception_ptr run(Batch* batch) {
    try {
      device_->run((batch->rows + step_ - 1) / step_ * step_, batch->memory.get());
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  // Waits for the parts and reads them. All of them, also after a failure: then their batches are free again.
  void finish(std::span<const Part> parts, std::span<const EvalRequest> requests,
              std::span<Evaluation> evaluations) {
    std::exception_ptr failure;
    size_t begin = 0;
    for (const Part& part : parts) {
      try {
        wait_for(part.batch);
        device_->decode(*part.batch->memory, part.first, requests.subspan(begin, part.rows),
                        evaluations.subspan(begin, part.rows));
      } catch (...) {
        failure = std::current_exception();
      }
      begin += part.rows;
      release(part.batch);
    }
    if (failure) std::rethrow_exception(failure);
  }

  void wait_for(Batch* batch) {
    std::unique_lock lock(mutex_);
    batch->has_ended.wait(lock, [batch] { return batch->done; });
    if (batch->failure) std::rethrow_exception(batch->failure);
  }

  void release(Batch* batch) {
    const std::lock_guard lock(mutex_);
    if (--batch->unread == 0) spare_.push_back(batch);
  }

  std::unique_ptr<Device> device_;
  const int step_;  // The sizes of batch are its multiples.
  const int max_batch_;

  mutable std::mutex mutex_;         // Of all that follows.
  std::condition_variable changed_;  // Wakes the device's threads.
  bool stop_ = false;
  std::vector<std::unique_ptr<Batch>> batches_;  // All: under way, or spare.
  std::deque<Batch*> queue_;                     // For the device; the last has room for more.
  std::vector<Batch*> spare_;
  int running_ = 0;               // Batches.
  Clock::time_point busy_since_;  // While there are some.
  BatchingStatistics statistics_;
  std::array<std::thread, 2> threads_;  // Last: they use the others.
};

BatchingEvaluator::BatchingEvaluator(std::unique_ptr<Device> device, int max_batch)
    : impl_(std::make_unique<Impl>(std::move(device), max_batch)) {}

BatchingEvaluator::~BatchingEvaluator() = default;

void BatchingEvaluator::set_device(std::unique_ptr<Device> device) { impl_->set_device(std::move(device)); }

mcts::Ticket BatchingEvaluator::begin(std::span<const EvalRequest> requests,
                                      std::span<Evaluation> evaluations) {
  return impl_->begin(requests, evaluations);
}

std::unique_ptr<mcts::Evaluator> BatchingEvaluator::share() {
  return std::make_unique<SharedEvaluator>(this);
}

BatchingStatistics BatchingEvaluator::statistics() const { return impl_->statistics(); }
int BatchingEvaluator::row_limit() const { return impl_->row_limit(); }

}  // namespace makzero::nn
