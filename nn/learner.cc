#include "nn/learner.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nn/autocast.h"
#include "nn/environment.h"
#include "nn/losses.h"
#include "nn/network.h"
#include "nn/tensors.h"

namespace makzero::nn {
namespace {

using torch::Tensor;

// AdamW (Loshchilov and Hutter 2019) with its usual constants.
constexpr float kFirstDecay = 0.9f;
constexpr float kSecondDecay = 0.999f;
constexpr float kEpsilon = 1e-8f;

// Linear warm-up, then constant. A function of the steps of the moments: new ones are warmed up again.
float learning_rate_at(std::int64_t step, const LearnerOptions& options) {
  if (step >= options.warmup_steps) return options.learning_rate;
  return options.learning_rate * static_cast<float>(step + 1) / static_cast<float>(options.warmup_steps);
}

// The first steps average over few networks: a run of a hundred steps must not play with its initial weights.
float ema_decay_at(std::int64_t step, const LearnerOptions& options) {
  const auto steps = static_cast<float>(step);
  return std::min(options.ema_decay, (1 + steps) / (10 + steps));
}

NamedTensors zeros_like(const NamedTensors& tensors) {
  NamedTensors zeros;
  for (const auto& [name, tensor] : tensors) zeros.emplace_back(name, torch::zeros_like(tensor));
  return zeros;
}

Losses to_losses(const LossTensors& losses) {
  // One copy from the device for all of them.
  const Tensor all = torch::stack({losses.total, losses.policy, losses.value, losses.moves_left, losses.reply,
                                   losses.survival, losses.short_term, losses.policy_entropy})
                         .detach()
                         .to(torch::kCPU);
  const float* values = all.data_ptr<float>();
  Losses result;
  result.total = values[0];
  result.policy = values[1];
  result.value = values[2];
  result.moves_left = values[3];
  result.reply = values[4];
  result.survival = values[5];
  result.short_term = values[6];
  result.policy_entropy = values[7];
  return result;
}

}  // namespace

class Learner::Impl {
 public:
  Impl(const NetworkArchitecture& shape, const LearnerOptions& options, std::uint64_t seed)
      : shape_(shape),
        options_(options),
        device_(find_device(options.device)),
        network_(shape),
        averaged_(shape) {
    mixed_precision_ = options.mixed_precision && (device_.is_cuda() || cpu_has_bf16());
    const Weights weights = initial_weights(shape, seed);
    for (Network network : {network_, averaged_}) {
      copy_weights(weights, tensors_of(*network));
      network->to(device_);
      to_channels_last(network.get());
    }
    averaged_->eval();
    parameters_ = parameters_of(*network_);
    first_moment_ = zeros_like(parameters_);
    second_moment_ = zeros_like(parameters_);
  }

  Losses step(const TrainBatch& batch) {
    set_threads();
    const TensorBatch tensors = to_tensors(batch, shape_, device_);
    network_->train();
    const LossTensors losses = forward(network_, tensors);
    Losses result = to_losses(losses);
    require_finite(result.total, "the loss");
    for (auto& [name, parameter] : parameters_) parameter.mutable_grad().reset();
    losses.total.backward();

    torch::NoGradGuard no_grad;
    result.gradient_norm = clip_gradients();
    result.learning_rate = rate_factor_ * learning_rate_at(moment_steps_, options_);
    update_parameters(result.learning_rate);
    update_average();
    ++steps_;
    ++moment_steps_;
    return result;
  }

  Losses evaluate(const TrainBatch& batch) {
    set_threads();
    const c10::InferenceMode inference;
    return to_losses(forward(averaged_, to_tensors(batch, shape_, device_)));
  }

  void scale_learning_rate(float factor) { rate_factor_ = factor; }
  std::int64_t steps() const { return steps_; }
  Weights ema_weights() const { return to_weights(tensors_of(*averaged_)); }

  LearnerState state() const {
    return {steps_,
            to_weights(tensors_of(*network_)),
            ema_weights(),
            to_weights(first_moment_),
            to_weights(second_moment_),
            moment_steps_};
  }

  void restore(const LearnerState& state) {
    copy_weights(state.weights, tensors_of(*network_));
    copy_weights(state.ema_weights, tensors_of(*averaged_));
    copy_weights(state.first_moment, first_moment_);
    copy_weights(state.second_moment, second_moment_);
    steps_ = state.steps;
    moment_steps_ = state.moment_steps;
  }

 private:
  void set_threads() const {
    if (device_.is_cpu()) set_thread_count(options_.threads);
  }

  LossTensors forward(Network network, const TensorBatch& batch) const {
    TrainOutput output;
    {
      const Autocast autocast(device_.type(), mixed_precision_);
      output = network->train_all(batch.planes, batch.rules);
    }
    return losses_of(output, batch, shape_.attention, options_);
  }

  void require_finite(float value, const char* what) const {
    if (std::isfinite(value)) return;
    throw std::runtime_error(std::string(what) + " is not finite at step " + std::to_string(steps_) +
                             ": lower the learning rate or look for a broken training batch");
  }

  // Scales the gradients down to the largest norm. Returns the norm before.
  float clip_gradients() {
    std::vector<Tensor> norms;
    for (const auto& [name, parameter] : parameters_) {
      if (parameter.grad().defined()) norms.push_back(parameter.grad().norm());
    }
    const float norm = torch::stack(norms).norm().item<float>();
    require_finite(norm, "the gradient");
    if (norm <= options_.gradient_clip) return norm;
    for (const auto& [name, parameter] : parameters_) {
      if (parameter.grad().defined()) parameter.grad().mul_(options_.gradient_clip / norm);
    }
    return norm;
  }

  void update_parameters(float learning_rate) {
    const auto step = static_cast<double>(moment_steps_ + 1);
    const double first_bias = 1 - std::pow(kFirstDecay, step);
    const double second_bias = 1 - std::pow(kSecondDecay, step);
    for (size_t i = 0; i < parameters_.size(); ++i) {
      Tensor parameter = parameters_[i].second, first = first_moment_[i].second,
             second = second_moment_[i].second;
      const Tensor& gradient = parameter.grad();
      if (!gradient.defined()) continue;
      if (parameter.dim() >= 2) parameter.mul_(1 - learning_rate * options_.weight_decay);
      first.mul_(kFirstDecay).add_(gradient, 1 - kFirstDecay);
      second.mul_(kSecondDecay).addcmul_(gradient, gradient, 1 - kSecondDecay);
      const Tensor scale = second.div(second_bias).sqrt_().add_(kEpsilon);
      parameter.addcdiv_(first, scale, -learning_rate / first_bias);
    }
  }

  // Averages the batch-norm statistics like the weights that they belong to.
  void update_average() {
    const float decay = ema_decay_at(steps_, options_);
    const NamedTensors current = tensors_of(*network_), averaged = tensors_of(*averaged_);
    for (size_t i = 0; i < current.size(); ++i) {
      Tensor average = averaged[i].second;
      average.lerp_(current[i].second, 1 - decay);
    }
  }

  NetworkArchitecture shape_;
  LearnerOptions options_;
  torch::Device device_;
  bool mixed_precision_ = false;
  Network network_, averaged_;
  NamedTensors parameters_;  // Of network_.
  NamedTensors first_moment_, second_moment_;
  std::int64_t steps_ = 0;
  std::int64_t moment_steps_ = 0;
  float rate_factor_ = 1;
};

Learner::Learner(const NetworkArchitecture& shape, const LearnerOptions& options, std::uint64_t seed)
    : impl_(std::make_unique<Impl>(shape, options, seed)) {}

Learner::~Learner() = default;

Losses Learner::step(const TrainBatch& batch) { return impl_->step(batch); }
Losses Learner::evaluate(const TrainBatch& batch) { return impl_->evaluate(batch); }
void Learner::scale_learning_rate(float factor) { impl_->scale_learning_rate(factor); }
std::int64_t Learner::steps() const { return impl_->steps(); }
Weights Learner::ema_weights() const { return impl_->ema_weights(); }
LearnerState Learner::state() const { return impl_->state(); }
void Learner::restore(const LearnerState& state) { impl_->restore(state); }

}  // namespace makzero::nn
