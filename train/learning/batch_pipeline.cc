#include "train/learning/batch_pipeline.h"

#include <chrono>
#include <utility>

namespace makzero::train {

BatchPipeline::BatchPipeline(Make make, std::int64_t count, int ahead, std::uint64_t seed)
    : make_(std::move(make)), left_(count), seeds_(seed) {
  for (int i = 0; i < ahead; ++i) begin_one();
}

void BatchPipeline::begin_one() {
  if (left_ <= 0) return;
  --left_;
  begun_.push_back(std::async(std::launch::async, make_, seeds_.next()));
}

std::shared_ptr<const nn::StagedBatch> BatchPipeline::next() {
  if (begun_.empty()) return nullptr;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  auto batch = begun_.front().get();
  if (!std::exchange(first_, false))
    waited_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
  begun_.pop_front();
  if (batch) begin_one();
  return batch;
}

}  // namespace makzero::train
