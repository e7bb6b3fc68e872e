#include "nn/small_learner.h"

#include <algorithm>
#include <utility>

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

SmallLearnerState SmallLearner::state() const {
  SmallLearnerState state;
  require(torch_->state(&state));
  return state;
}

void SmallLearner::load(const SmallLearnerState& state) { require(torch_->load(state)); }

std::int64_t SmallLearner::steps() const { return torch_->steps(); }

namespace {

template <class Integer>
NamedTensor tensor_of(std::string name, std::vector<std::int64_t> shape, const std::vector<Integer>& values,
                      double scale) {
  NamedTensor tensor{std::move(name), std::move(shape), {}};
  tensor.data.reserve(values.size());
  for (const Integer value : values) tensor.data.push_back(static_cast<float>(value / scale));
  return tensor;
}

}  // namespace

SmallLearnerState state_from(const game::GameInfo& info, const mcts::SmallNetwork& network) {
  using mcts::SmallNetwork;
  static constexpr std::int64_t kHidden = mcts::kSmallHidden;
  static constexpr double kOne = SmallNetwork::kActivationOne, kWeight = SmallNetwork::kWeightOne;
  const SmallNetwork own = mcts::empty_small_network(info);
  std::vector<std::int16_t> rules(own.rules.size());
  for (std::size_t i = 0; i < own.rule_features.size(); ++i) {
    const auto known = std::ranges::find(network.rule_features, own.rule_features[i]);
    if (known == network.rule_features.end()) continue;
    const auto row = network.rules.begin() + (known - network.rule_features.begin()) * kHidden;
    std::copy_n(row, kHidden, rules.begin() + static_cast<std::ptrdiff_t>(i) * kHidden);
  }
  SmallLearnerState state{.game = own.game};
  state.weights = {
      tensor_of("features", {mcts::kSmallFeatures, kHidden}, network.features, kOne),
      tensor_of("rules", {static_cast<std::int64_t>(own.rule_features.size()), kHidden}, rules, kOne),
      tensor_of("bias", {kHidden}, network.bias, kOne),
      tensor_of("output", {mcts::kSmallBuckets, 2 * kHidden}, network.output, kWeight),
      tensor_of("output_bias", {mcts::kSmallBuckets}, network.output_bias, kOne * kWeight)};
  return state;
}

}  // namespace makzero::nn
