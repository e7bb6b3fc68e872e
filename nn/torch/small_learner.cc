#include <torch/torch.h>

#include <cmath>
#include <stdexcept>

#include "nn/torch/guarded.h"
#include "nn/torch/learners.h"
#include "nn/torch/runtime.h"

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

class AdamLearner final : public TorchSmallLearner {
 public:
  AdamLearner(const SmallNetwork& empty, const SmallLearnerOptions& options) : empty_(empty) {
    library::use_threads(options.threads);
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

  TorchStatus step(const SmallBatch& batch, float* value) noexcept override {
    return guarded([&] {
      optimizer_->zero_grad();
      const Tensor loss = loss_of(batch);
      loss.backward();
      optimizer_->step();
      clip();
      *value = loss.item<float>();
      if (!std::isfinite(*value))
        throw std::runtime_error("the loss is not finite: take a lower learning rate");
    });
  }

  TorchStatus evaluate(const SmallBatch& batch, float* loss) noexcept override {
    return guarded([&] {
      const torch::NoGradGuard no_grad;
      *loss = loss_of(batch).item<float>();
    });
  }

  void scale_learning_rate(float factor) noexcept override {
    for (auto& group : optimizer_->param_groups())
      static_cast<torch::optim::AdamOptions&>(group.options()).lr(factor * learning_rate_);
  }

  TorchStatus network(SmallNetwork* network) const noexcept override {
    return guarded([&] { *network = quantised_network(); });
  }

 private:
  SmallNetwork quantised_network() const {
    static constexpr double kOne = SmallNetwork::kActivationOne, kWeight = SmallNetwork::kWeightOne;
    SmallNetwork network = empty_;
    network.features = quantised<std::int16_t>(features_, kOne);
    network.rules = quantised<std::int16_t>(rules_, kOne);
    network.bias = quantised<std::int16_t>(bias_, kOne);
    network.output = quantised<std::int16_t>(output_, kWeight);
    network.output_bias = quantised<std::int32_t>(output_bias_, kOne * kWeight);
    return network;
  }

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

}  // namespace

std::unique_ptr<TorchSmallLearner> make_small_learner(const SmallNetwork& empty,
                                                      const SmallLearnerOptions& options) {
  return std::make_unique<AdamLearner>(empty, options);
}

}  // namespace makzero::nn
