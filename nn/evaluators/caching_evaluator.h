// Remembers evaluations: a fixed-size table in front of another evaluator.
#pragma once

#include <cstddef>
#include <memory>

#include "mcts/evaluator.h"

namespace makzero::nn {

// Keyed by ruleset, position, counting state and occurrences, all of them compared in full, not only hashed.
// Equal requests are evaluated once: within a batch, and among the batches under way. Where the inner
// evaluator fails, so do all batches that wait for its evaluations. Not thread-safe: one per worker.
// `entries` is rounded up to a power of two.
std::unique_ptr<mcts::Evaluator> make_caching_evaluator(std::unique_ptr<mcts::Evaluator> inner,
                                                        std::size_t entries);

}  // namespace makzero::nn
