#include "nn/small_learner.h"

#include <torch/torch.h>

#include <cmath>
#include <stdexcept>

#include "nn/runtime.h"

namespace makzero::nn {

using mcts::SmallNetwork;
using torch::Tensor;

namespace {

constexpr std::int64_t kHidden = mcts::kSmallHidden;

// The tensor over a vector's memory, which must outlive it.
template <class Number>
Tensor view(const std::vector<Number>& values, at::IntArrayRef shape, torch::ScalarType type) {
  return torch::from_blob(const_cast<Number*>(values.data()), shape, type);  // NOLINT: only read.
}

template <class Integer>
std::vector<Integer> quantised(const Tensor& weights, double scale) {
  const Tensor rounded = (weights.detach() * scale).round().to(torch::kInt).contiguous().view({-1});
  const int* values = rounded.data_ptr<int>();
  return {values, values + rounded.numel()};
}

}  // namespace

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

class SmallLearner::Impl {
 public:
  Impl(const game::GameInfo& info, const SmallLearnerOptions& options)
      : empty_(mcts::empty_small_network(info)) {
    set_thread_count(options.threads);
    torch::manual_seed(options.seed);
    const auto rules = static_cast<std::int64_t>(empty_.rule_features.size());
    features_ = torch::randn({mcts::kSmallFeatures, kHidden}) * 0.05;
    rules_ = torch::zeros({rules, kHidden});
    bias_ = torch::full({kHidden}, 0.3);
    output_ = (torch::randn({2 * kHidden}) * 0.05).repeat({mcts::kSmallBuckets, 1});
    output_bias_ = torch::zeros({mcts::kSmallBuckets});
    for (Tensor* weights : all()) weights->set_requires_grad(true);
    std::vector<Tensor> parameters;
    for (Tensor* weights : all()) parameters.push_back(*weights);
    optimizer_ = std::make_unique<torch::optim::Adam>(
        parameters, torch::optim::AdamOptions(options.learning_rate).betas({0.9, 0.99}));
    learning_rate_ = options.learning_rate;
  }

  float step(const SmallBatch& batch) {
    optimizer_->zero_grad();
    const Tensor loss = loss_of(batch);
    loss.backward();
    optimizer_->step();
    clip();
    const auto value = loss.item<float>();
    if (!std::isfinite(value)) throw std::runtime_error("the loss is not finite: take a lower learning rate");
    return value;
  }

  float evaluate(const SmallBatch& batch) {
    const torch::NoGradGuard no_grad;
    return loss_of(batch).item<float>();
  }

  void scale_learning_rate(float factor) {
    for (auto& group : optimizer_->param_groups())
      static_cast<torch::optim::AdamOptions&>(group.options()).lr(factor * learning_rate_);
  }

  SmallNetwork network() const {
    static constexpr double kOne = SmallNetwork::kActivationOne, kWeight = SmallNetwork::kWeightOne;
    SmallNetwork network = empty_;
    network.features = quantised<std::int16_t>(features_, kOne);
    network.rules = quantised<std::int16_t>(rules_, kOne);
    network.bias = quantised<std::int16_t>(bias_, kOne);
    network.output = quantised<std::int16_t>(output_, kWeight);
    network.output_bias = quantised<std::int32_t>(output_bias_, kOne * kWeight);
    return network;
  }

 private:
  std::vector<Tensor*> all() { return {&features_, &rules_, &bias_, &output_, &output_bias_}; }

  // [rows] logits of what the side to move may expect.
  Tensor forward(const SmallBatch& batch) {
    const std::int64_t rows = batch.rows;
    const Tensor rules = view(batch.rules, {rows, rules_.size(0)}, torch::kFloat);
    const Tensor base = torch::addmm(bias_, rules, rules_);  // [rows, H]
    std::array<Tensor, 2> sides;
    for (int part = 0; part < 2; ++part) {
      const auto size = static_cast<std::int64_t>(batch.features[part].size());
      const Tensor sums = std::get<0>(
          torch::embedding_bag(features_, view(batch.features[part], {size}, torch::kLong),
                               view(batch.offsets[part], {rows}, torch::kLong), false, /*mode=sum*/ 0));
      sides[part] = (sums + base).clamp(0, 1).square();
    }
    const Tensor buckets = view(batch.buckets, {rows}, torch::kLong);
    const Tensor weights = output_.index_select(0, buckets);  // [rows, 2 H]
    return (torch::cat({sides[0], sides[1]}, 1) * weights).sum(1) + output_bias_.index_select(0, buckets);
  }

  Tensor loss_of(const SmallBatch& batch) {
    return torch::binary_cross_entropy_with_logits(forward(batch),
                                                   view(batch.targets, {batch.rows}, torch::kFloat));
  }

  // Keeps the weights within what their quantised form can hold.
  void clip() {
    const torch::NoGradGuard no_grad;
    static constexpr double kMostFeature =
        1.0 * SmallNetwork::kMostFeatureWeight / SmallNetwork::kActivationOne;
    static constexpr double kMostOutput = 1.0 * SmallNetwork::kMostOutputWeight / SmallNetwork::kWeightOne;
    for (Tensor* weights : {&features_, &rules_, &bias_}) weights->clamp_(-kMostFeature, kMostFeature);
    output_.clamp_(-kMostOutput, kMostOutput);
  }

  SmallNetwork empty_;
  Tensor features_;     // [kSmallFeatures, H]
  Tensor rules_;        // [rule features, H]
  Tensor bias_;         // [H]
  Tensor output_;       // [kSmallBuckets, 2 H]
  Tensor output_bias_;  // [kSmallBuckets]
  std::unique_ptr<torch::optim::Adam> optimizer_;
  float learning_rate_ = 0;
};

SmallLearner::SmallLearner(const game::GameInfo& info, const SmallLearnerOptions& options)
    : impl_(std::make_unique<Impl>(info, options)) {}
SmallLearner::~SmallLearner() = default;

float SmallLearner::step(const SmallBatch& batch) { return impl_->step(batch); }
float SmallLearner::evaluate(const SmallBatch& batch) { return impl_->evaluate(batch); }
void SmallLearner::scale_learning_rate(float factor) { impl_->scale_learning_rate(factor); }
SmallNetwork SmallLearner::network() const { return impl_->network(); }

}  // namespace makzero::nn
