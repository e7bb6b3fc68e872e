#include "nn/batching_evaluator.h"

#include <algorithm>
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

constexpr int kBatchSizes = 8;

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
        max_batch_(max_batch),
        thread_([this] { run_batches(); }) {
    assert(max_batch >= 1);
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    encoded_.notify_one();
    thread_.join();
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
    encoded_.notify_one();
  }

  // The device's thread. A batch that it takes from the queue gets no more rows.
  void run_batches() {
    std::unique_lock lock(mutex_);
    for (;;) {
      encoded_.wait(lock, [this] { return stop_ || !queue_.empty(); });
      if (queue_.empty()) return;
      Batch* batch = queue_.front();
      queue_.pop_front();
      encoded_.wait(lock, [batch] { return batch->encoding == 0; });
      lock.unlock();
      const auto begin = std::chrono::steady_clock::now();
      std::exception_ptr failure = run(batch);
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      lock.lock();
      ++statistics_.batches;
      statistics_.rows += batch->rows;
      statistics_.running_seconds += spent.count();
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
      if (std::exception_ptr why = wait_for(part.batch)) {
        failure = std::move(why);
      } else {
        device_->decode(*part.batch->memory, part.first, requests.subspan(begin, part.rows),
                        evaluations.subspan(begin, part.rows));
      }
      begin += part.rows;
      release(part.batch);
    }
    if (failure) std::rethrow_exception(failure);
  }

  std::exception_ptr wait_for(Batch* batch) {
    std::unique_lock lock(mutex_);
    batch->has_ended.wait(lock, [batch] { return batch->done; });
    return batch->failure;
  }

  void release(Batch* batch) {
    const std::lock_guard lock(mutex_);
    if (--batch->unread == 0) spare_.push_back(batch);
  }

  std::unique_ptr<Device> device_;
  const int step_;  // The sizes of batch are its multiples.
  const int max_batch_;

  mutable std::mutex mutex_;         // Of all that follows.
  std::condition_variable encoded_;  // Wakes the device's thread.
  bool stop_ = false;
  std::vector<std::unique_ptr<Batch>> batches_;  // All: under way, or spare.
  std::deque<Batch*> queue_;                     // For the device; the last has room for more.
  std::vector<Batch*> spare_;
  BatchingStatistics statistics_;
  std::thread thread_;  // Last: it uses the others.
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

}  // namespace makzero::nn
