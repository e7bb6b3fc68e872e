// Plays random games from the position: equal priors, the mean result as value.
#pragma once

#include <cstdint>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "mcts/rng.h"

namespace makzero::mcts {

struct RolloutOptions {
  int rollouts = 1;  // Games per position.
  int max_plies =
      300;  // A longer game is decided by material: random games of the custodial family do not end.
};

// Not thread-safe.
class RolloutEvaluator : public Evaluator {
 public:
  RolloutEvaluator(const RolloutOptions& options, std::uint64_t seed);

  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override;

 private:
  RolloutOptions options_;
  Rng rng_;
};

}  // namespace makzero::mcts
