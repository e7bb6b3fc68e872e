#include <torch/torch.h>

#include <cmath>
#include <stdexcept>

#include "nn/torch/guarded.h"
#include "nn/torch/learners.h"
#include "nn/torch/runtime.h"
#include "nn/torch/tensors.h"

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
    weights_ = {{"features", features_},
                {"rules", rules_},
                {"bias", bias_},
                {"output", output_},
                {"output_bias", output_bias_}};
    for (auto& [name, weights] : weights_) {
      first_moment_.emplace_back(name, torch::zeros_like(weights));
      second_moment_.emplace_back(name, torch::zeros_like(weights));
      weights.set_requires_grad(true);
    }
    peak_rate_ = rate_ = options.learning_rate;
  }

  TorchStatus step(const SmallBatch& batch, float* value) noexcept override {
    return guarded([&] {
      const Tensor loss = loss_of(batch);
      loss.backward();
      update();
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

  void scale_learning_rate(float factor) noexcept override { rate_ = factor * peak_rate_; }

  TorchStatus network(SmallNetwork* network) const noexcept override {
    return guarded([&] { *network = quantised_network(); });
  }

  TorchStatus state(SmallLearnerState* state) const noexcept override {
    return guarded([&] {
      *state = {empty_.game, steps_, to_weights(weights_), to_weights(first_moment_),
                to_weights(second_moment_)};
    });
  }

  TorchStatus load(const SmallLearnerState& state) noexcept override {
    return guarded([&] {
      const torch::NoGradGuard no_grad;
      copy_weights(state.weights, weights_);
      steps_ = state.steps;
      if (state.first_moment.empty()) {
        for (auto* moments : {&first_moment_, &second_moment_})
          for (auto& [name, moment] : *moments) moment.zero_();
        steps_ = 0;
        return;
      }
      copy_weights(state.first_moment, first_moment_);
      copy_weights(state.second_moment, second_moment_);
    });
  }

  std::int64_t steps() const noexcept override { return steps_; }

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

  // Adam (Kingma and Ba 2015).
  void update() {
    static constexpr double kFirstDecay = 0.9, kSecondDecay = 0.99, kEpsilon = 1e-8;
    const torch::NoGradGuard no_grad;
    const auto step = static_cast<double>(++steps_);
    const double first_bias = 1 - std::pow(kFirstDecay, step);
    const double second_bias = 1 - std::pow(kSecondDecay, step);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      Tensor &weights = weights_[i].second, &mean = first_moment_[i].second,
             &square = second_moment_[i].second;
      Tensor& gradient = weights.mutable_grad();
      mean.mul_(kFirstDecay).add_(gradient, 1 - kFirstDecay);
      square.mul_(kSecondDecay).addcmul_(gradient, gradient, 1 - kSecondDecay);
      weights.addcdiv_(mean, square.div(second_bias).sqrt_().add_(kEpsilon), -rate_ / first_bias);
      gradient.zero_();
    }
  }

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
  Tensor features_;                                      // [kSmallFeatures, H]
  Tensor rules_;                                         // [rule features, H]
  Tensor bias_;                                          // [H]
  Tensor output_;                                        // [kSmallBuckets, 2 H]
  Tensor output_bias_;                                   // [kSmallBuckets]
  NamedTensors weights_, first_moment_, second_moment_;  // Those above by name.
  std::int64_t steps_ = 0;
  double peak_rate_ = 0, rate_ = 0;
};

}  // namespace

std::unique_ptr<TorchSmallLearner> make_small_learner(const SmallNetwork& empty,
                                                      const SmallLearnerOptions& options) {
  return std::make_unique<AdamLearner>(empty, options);
}

}  // namespace makzero::nn
