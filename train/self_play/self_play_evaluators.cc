#include "train/self_play/self_play_evaluators.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "mcts/material_evaluator.h"
#include "mcts/uniform_evaluator.h"
#include "nn/evaluators/fitting_rows.h"
#include "train/config.h"

namespace makzero::train {

SelfPlayConfig::BootstrapEvaluator evaluator_of(const Config& config, std::int64_t generation) {
  const float small_share = config.self_play().small_share();
  SelfPlayConfig::BootstrapEvaluator first = config.self_play().bootstrap_evaluator();
  if (small_share == 1) first = SelfPlayConfig::ALPHA_BETA;
  if (small_share < 1 && first == SelfPlayConfig::ALPHA_BETA && small_row_share(config) == 0)
    first = SelfPlayConfig::MATERIAL;
  const bool knows_something = !config.from().empty() && first == SelfPlayConfig::UNIFORM;
  return generation > 0 || knows_something ? SelfPlayConfig::NETWORK : first;
}

SelfPlayPhase phase_of(const Config& config, SelfPlayConfig::BootstrapEvaluator who,
                       std::int64_t generation) {
  const SelfPlayConfig& self_play = config.self_play();
  const bool by_network = who == SelfPlayConfig::NETWORK;
  const bool other_simulations = !by_network && self_play.bootstrap_simulations() > 0;
  return {.simulations = other_simulations ? self_play.bootstrap_simulations() : self_play.simulations(),
          .adjudicates = !by_network && self_play.adjudicate_by_material(),
          .generation = generation,
          .by_alpha_beta = who == SelfPlayConfig::ALPHA_BETA};
}

nn::TorchEvaluatorOptions SelfPlayEvaluators::options(const PlayingNetwork& playing,
                                                      const std::string& device) const {
  const nn::Backend backend = backend_of(config_, device);
  return {.device = backend.device, .precision = backend.precision, .network = playing.id};
}

void SelfPlayEvaluators::load(const PlayingNetwork& playing) {
  if (config_.device() == "cpu") return;
  const int max_batch = config_.self_play().max_batch();
  const std::vector<std::string> devices = nn::device_names(config_.device());
  for (size_t i = 0; i < devices.size(); ++i) {
    nn::TorchEvaluatorOptions with_batch = options(playing, devices[i]);
    with_batch.max_batch = max_batch;
    auto device = std::make_unique<nn::TorchEvaluator>(pool_->games(), playing.network, with_batch);
    if (i < cards_.size()) {
      cards_[i]->set_device(std::move(device));
    } else {
      cards_.push_back(std::make_unique<nn::BatchingEvaluator>(std::move(device), max_batch));
    }
  }
}

std::unique_ptr<mcts::Evaluator> SelfPlayEvaluators::make_network(const PlayingNetwork& playing) {
  if (!cards_.empty()) return cards_[turn_.fetch_add(1, std::memory_order_relaxed) % cards_.size()]->share();
  return std::make_unique<nn::TorchEvaluator>(pool_->games(), playing.network,
                                              options(playing, config_.device()));
}

nn::BatchingStatistics SelfPlayEvaluators::card_statistics() const {
  nn::BatchingStatistics all;
  for (const auto& card : cards_) {
    const nn::BatchingStatistics one = card->statistics();
    all.batches += one.batches;
    all.rows += one.rows;
    all.running_seconds += one.running_seconds / static_cast<double>(cards_.size());
  }
  return all;
}

int SelfPlayEvaluators::card_row_limit() const {
  int limit = nn::FittingRows::kAll;
  for (const auto& card : cards_) limit = std::min(limit, card->row_limit());
  return limit;
}

std::unique_ptr<mcts::Evaluator> make_bootstrap_evaluator(SelfPlayConfig::BootstrapEvaluator who) {
  if (who == SelfPlayConfig::UNIFORM) return std::make_unique<mcts::UniformEvaluator>();
  return std::make_unique<mcts::MaterialEvaluator>();
}

}  // namespace makzero::train
