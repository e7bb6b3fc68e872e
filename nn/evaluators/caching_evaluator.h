// Remembers evaluations: a fixed-size table in front of another evaluator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "mcts/evaluator.h"

namespace makzero::nn {

struct CacheStatistics {
  std::uint64_t lookups = 0, hits = 0;
};

// Keyed by ruleset, position, counting state and occurrences, all of them compared in full, not only hashed.
// Equal requests are evaluated once: within a batch, and among the batches under way. Where the inner
// evaluator fails, so do all batches that wait for its evaluations. Not thread-safe: one per worker.
class CachingEvaluator : public mcts::AsynchronousEvaluator {
 public:
  // Does not own `inner`. `entries` is rounded up to a power of two.
  CachingEvaluator(mcts::Evaluator* inner, std::size_t entries);
  // The same, but owns `inner`.
  CachingEvaluator(std::unique_ptr<mcts::Evaluator> inner, std::size_t entries);
  ~CachingEvaluator() override;

  mcts::Ticket begin(std::span<const mcts::EvalRequest> requests,
                     std::span<mcts::Evaluation> evaluations) override;
  int batches_under_way() const override;

  void clear();  // After the weights changed. REQUIRES: no batch is under way.
  CacheStatistics statistics() const;

 private:
  class Impl;
  std::unique_ptr<mcts::Evaluator> owned_;  // Null where the inner evaluator is owned elsewhere.
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::nn
