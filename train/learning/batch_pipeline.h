// Makes batches ahead of the learner, in threads of their own.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>

#include "mcts/rng.h"
#include "nn/learner.h"

namespace makzero::train {

// Of one thread. The batches depend on the seed alone, not on how many are made ahead.
class BatchPipeline {
 public:
  // Makes a batch from a seed of its own, or null when there is nothing to make one of; called by several
  // threads.
  using Make = std::function<std::shared_ptr<const nn::StagedBatch>(std::uint64_t seed)>;

  // Up to `count` batches, `ahead` of them made while one is used.
  BatchPipeline(Make make, std::int64_t count, int ahead, std::uint64_t seed);

  // The next; null when there are no more. Rethrows what making it threw.
  std::shared_ptr<const nn::StagedBatch> next();

  // Time that next() has waited for batches behind the first.
  double waited_seconds() const { return waited_seconds_; }

 private:
  void begin_one();

  Make make_;
  std::int64_t left_;  // Not begun.
  mcts::Rng seeds_;
  double waited_seconds_ = 0;
  bool first_ = true;
  std::deque<std::future<std::shared_ptr<const nn::StagedBatch>>> begun_;
};

}  // namespace makzero::train
