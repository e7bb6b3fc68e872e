#include "train/self_play/leaf_logging_evaluator.h"

#include <utility>

namespace makzero::train {

LeafLoggingEvaluator::LeafLoggingEvaluator(std::unique_ptr<mcts::Evaluator> network, float share,
                                           std::uint64_t seed, LeafLog* log)
    : network_(std::move(network)), share_(share), rng_(seed), log_(log) {}

mcts::Ticket LeafLoggingEvaluator::begin(std::span<const mcts::EvalRequest> requests,
                                         std::span<mcts::Evaluation> evaluations) {
  return network_->begin(requests, evaluations).then([this, requests, evaluations] {
    log(requests, evaluations);
  });
}

void LeafLoggingEvaluator::log(std::span<const mcts::EvalRequest> requests,
                               std::span<const mcts::Evaluation> evaluations) {
  sampled_.clear();
  const game::Game* game = nullptr;  // Of the leaves in sampled_: batches mix games.
  for (size_t i = 0; i < requests.size(); ++i) {
    if (rng_.uniform() >= share_) continue;
    if (requests[i].game != game) log_sampled(game);
    game = requests[i].game;
    const auto leaf =
        make_leaf(game->info(), *requests[i].position, requests[i].occurrences, evaluations[i].value);
    if (leaf) sampled_.push_back(*leaf);
  }
  log_sampled(game);
}

void LeafLoggingEvaluator::log_sampled(const game::Game* game) {
  if (!sampled_.empty()) log_->add(game->info().ruleset, sampled_);
  sampled_.clear();
}

}  // namespace makzero::train
