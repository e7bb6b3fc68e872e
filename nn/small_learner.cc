#include "nn/small_learner.h"

#include "nn/torch_plugin.h"

namespace makzero::nn {

void SmallBatch::clear() {
  rows = 0;
  for (int side = 0; side < 2; ++side) {
    features[side].clear();
    offsets[side].clear();
  }
  rules.clear();
  buckets.clear();
  targets.clear();
}

void SmallBatch::add(const game::GameInfo& info, const game::Position& position,
                     const std::vector<float>& rule_features, float target) {
  for (int part = 0; part < 2; ++part) {
    const game::Color side = part == 0 ? position.to_move : other(position.to_move);
    offsets[part].push_back(static_cast<std::int64_t>(features[part].size()));
    const mcts::FeatureList list = mcts::small_features(info, position, side);
    features[part].insert(features[part].end(), list.begin(), list.end());
  }
  rules.insert(rules.end(), rule_features.begin(), rule_features.end());
  buckets.push_back(mcts::small_bucket(position));
  targets.push_back(target);
  ++rows;
}

SmallLearner::SmallLearner(const game::GameInfo& info, const SmallLearnerOptions& options) {
  require(torch_plugin().make_small_learner(mcts::empty_small_network(info), options, &torch_));
}

SmallLearner::~SmallLearner() = default;

float SmallLearner::step(const SmallBatch& batch) {
  float loss = 0;
  require(torch_->step(batch, &loss));
  return loss;
}

float SmallLearner::evaluate(const SmallBatch& batch) {
  float loss = 0;
  require(torch_->evaluate(batch, &loss));
  return loss;
}

void SmallLearner::scale_learning_rate(float factor) { torch_->scale_learning_rate(factor); }

mcts::SmallNetwork SmallLearner::network() const {
  mcts::SmallNetwork network;
  require(torch_->network(&network));
  return network;
}

}  // namespace makzero::nn
