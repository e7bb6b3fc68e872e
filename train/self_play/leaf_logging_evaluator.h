// Writes a sample of what another evaluator returns into the leaf log.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mcts/evaluator.h"
#include "mcts/rng.h"
#include "train/self_play/leaf_log.h"

namespace makzero::train {

// The log must outlive it. Not thread-safe; several may share a log.
class LeafLoggingEvaluator : public mcts::AsynchronousEvaluator {
 public:
  // `share`: the probability with which an evaluation is logged.
  LeafLoggingEvaluator(std::unique_ptr<mcts::Evaluator> network, float share, std::uint64_t seed,
                       LeafLog* log);

  mcts::Ticket begin(std::span<const mcts::EvalRequest> requests,
                     std::span<mcts::Evaluation> evaluations) override;
  int batches_under_way() const override { return network_->batches_under_way(); }

 private:
  void log(std::span<const mcts::EvalRequest> requests, std::span<const mcts::Evaluation> evaluations);
  void log_sampled(const game::Game* game);

  std::unique_ptr<mcts::Evaluator> network_;
  float share_;
  mcts::Rng rng_;  // Of its own: games are the same with and without it.
  LeafLog* log_;
  std::vector<Leaf> sampled_;  // Working memory.
};

}  // namespace makzero::train
