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
// Within a batch equal requests are evaluated once. Not thread-safe: one per worker.
class CachingEvaluator : public mcts::Evaluator {
 public:
  // Does not own `inner`. `entries` is rounded up to a power of two.
  CachingEvaluator(mcts::Evaluator* inner, std::size_t entries);
  // The same, but owns `inner`.
  CachingEvaluator(std::unique_ptr<mcts::Evaluator> inner, std::size_t entries);
  ~CachingEvaluator() override;

  void evaluate(std::span<const mcts::EvalRequest> requests,
                std::span<mcts::Evaluation> evaluations) override;

  void clear();  // After the weights changed.
  CacheStatistics statistics() const;

 private:
  class Impl;
  std::unique_ptr<mcts::Evaluator> owned_;  // Null where the inner evaluator belongs to somebody else.
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::nn
