#include "nn/torch/learners.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "nn/bf16.h"
#include "nn/thread_team.h"
#include "nn/torch/card_work.h"
#include "nn/torch/devices.h"
#include "nn/torch/guarded.h"
#include "nn/torch/replica.h"
#include "nn/torch/runtime.h"

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

// Where replicas learn: on the CPU one for each thread, else one on each card that is named.
std::vector<torch::Device> devices_of(const LearnerOptions& options) {
  std::vector<torch::Device> named = find_devices(options.device);
  if (!named.front().is_cpu()) return named;
  return std::vector<torch::Device>(named.size() > 1 ? named.size() : std::max(1, options.threads),
                                    torch::kCPU);
}

// A vector [kLosses + 1] with the norm of the gradient behind the losses.
Losses to_losses(const Tensor& vector) {
  const Tensor values = vector.to(torch::kCPU, torch::kFloat);
  const float* at = values.data_ptr<float>();
  Losses losses;
  std::copy_n(at, kHeads.size(), losses.heads.values.begin());
  losses.total = at[kTotal];
  losses.policy_entropy = at[kPolicyEntropy];
  losses.gradient_norm = at[kLosses];
  return losses;
}

std::vector<float> to_vector(const Tensor& tensor) {
  const Tensor values = tensor.to(torch::kCPU, torch::kFloat).contiguous();
  return {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()};
}

class ReplicaLearner {
 public:
  ReplicaLearner(const NetworkArchitecture& shape, const LearnerOptions& options, std::uint64_t seed)
      : devices_(devices_of(options)),
        stream_(devices_.size() == 1 ? take_stream(devices_.front()) : std::nullopt),
        setup_{shape, options, options.mixed_precision && multiplies_bf16(devices_.front()),
               devices_.size() == 1 && !at::globalContext().deterministicAlgorithms()},
        averaged_(shape),
        average_(flatten(averaged_.get(), devices_.front())),
        team_(static_cast<int>(devices_.size())) {
    for (const torch::Device device : devices_) {
      const int number = static_cast<int>(replicas_.size());
      replicas_.push_back(std::make_unique<Replica>(setup_, device, &exchange_, number));
    }
    const NamedTensors parameters = parameters_of(*averaged_);
    moments_ = {FlatTensors(parameters, devices_.front()), FlatTensors(parameters, devices_.front())};
    averaged_->eval();
    const Weights weights = library::initial_weights(shape, seed);
    copy_weights(weights, average_.parts());
    copy_weights(weights, first().parts());
    share_weights();
    forget_losses();
    finish_work(devices_.front());
  }

  // Through which all else goes; none on a CPU, and on several cards, which wait for each other.
  const std::optional<c10::Stream>& stream() const { return stream_; }

  std::shared_ptr<const StagedBatch> stage(const TrainBatch& batch) const {
    require_sizes(batch, setup_.shape);
    auto staged = std::make_shared<StagedBatch>();
    const int list_step = devices_.front().is_cpu() ? 1 : kCardListStep;
    const int parts = std::clamp(batch.rows / kFewestRows, 1, static_cast<int>(devices_.size()));
    for (int part = 0; part < parts; ++part) {
      const int begin = batch.rows * part / parts, end = batch.rows * (part + 1) / parts;
      staged->parts.emplace_back(to_tensors(batch, setup_.shape, begin, end, list_step), devices_[part]);
    }
    return staged;
  }

  void step(const StagedBatch& batch) {
    const int parts = static_cast<int>(batch.parts.size());
    exchange_.begin(parts);
    for_each_part(parts, [&](int part) { replicas_[part]->learn(batch.parts[part]); });

    torch::NoGradGuard no_grad;
    const Tensor gradient = replicas_.front()->gradients().all();
    Tensor losses = replicas_.front()->losses();
    for (int part = 1; part < parts; ++part) {
      gradient.add_(replicas_[part]->gradients().all().to(gradient.device()));
      losses = losses + replicas_[part]->losses().to(losses.device());
    }
    const Tensor norm = clip(gradient);
    learning_rate_ = rate_factor_ * learning_rate_at(moment_steps_, setup_.options);
    update_weights(gradient);
    average_.all().lerp_(first().all(), 1 - ema_decay_at(steps_, setup_.options));
    share_weights();
    losses_.add_(torch::cat({losses, norm.view({1})}));
    ++losses_steps_;
    ++steps_;
    ++moment_steps_;
  }

  Losses losses() {
    Losses losses = to_losses(losses_ / static_cast<double>(losses_steps_));
    losses.learning_rate = learning_rate_;
    forget_losses();
    require_finite(losses.total, "the loss");
    require_finite(losses.gradient_norm, "the gradient");
    return losses;
  }

  Validation evaluate(const StagedBatch& batch) {
    std::vector<Tensor> losses(batch.parts.size()), policies(losses.size()), values(losses.size());
    for_each_part(static_cast<int>(losses.size()), [&](int part) {
      const c10::InferenceMode inference;
      const TensorBatch rows = batch.parts[part].on(devices_.front());
      const TrainOutput output = forward(averaged_, setup_, rows);
      losses[part] =
          torch::stack(losses_of(output, rows, setup_.shape.attention, setup_.options.loss_weights));
      policies[part] = policy_of(output, rows, setup_.shape.attention);
      values[part] = value_of(output);
    });
    const Tensor sum = torch::stack(losses).sum(0);
    return {to_losses(torch::cat({sum, torch::zeros({1}, sum.options())})),
            {to_vector(torch::cat(policies)), to_vector(torch::cat(values))}};
  }

  void scale_learning_rate(float factor) { rate_factor_ = factor; }
  std::int64_t steps() const { return steps_; }
  bool in_bf16() const { return setup_.mixed_precision; }
  Network network() const { return {setup_.shape, to_weights(average_.parts())}; }

  LearnerState state() const {
    return {setup_.shape,
            steps_,
            to_weights(first().parts()),
            to_weights(average_.parts()),
            to_weights(moments_.front().parts()),
            to_weights(moments_.back().parts()),
            moment_steps_};
  }

  void load(const LearnerState& state) {
    copy_weights(state.weights, first().parts());
    copy_weights(state.ema_weights, average_.parts());
    copy_weights(state.first_moment, moments_.front().parts());
    copy_weights(state.second_moment, moments_.back().parts());
    share_weights();
    steps_ = state.steps;
    moment_steps_ = state.moment_steps;
  }

 private:
  static constexpr int kFewestRows = 8;  // Of a part: fewer are not worth a thread.
  // Moves: of few lengths of lists each has its recording.
  static constexpr int kCardListStep = 64;

  // The weights that the optimiser works on.
  const FlatTensors& first() const { return replicas_.front()->weights(); }

  // Calls work(part) for all parts at the same time; rethrows what the first to fail threw.
  void for_each_part(int parts, const std::function<void(int)>& work) {
    std::mutex mutex;
    std::exception_ptr error;
    team_.start([&](int number) {
      if (number >= parts) return;
      try {
        library::use_threads(1);
        const StreamScope scope(stream_);
        work(number);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        exchange_.abandon();
      }
    });
    team_.wait();
    if (error) std::rethrow_exception(error);
  }

  void forget_losses() {
    losses_ = torch::zeros({kLosses + 1}, torch::TensorOptions(devices_.front()).dtype(torch::kDouble));
    losses_steps_ = 0;
  }

  void require_finite(float value, const char* what) const {
    if (std::isfinite(value)) return;
    throw std::runtime_error(std::string(what) + " is not finite at step " + std::to_string(steps_) +
                             ": lower the learning rate or look for a broken training batch");
  }

  // Scales the gradient down to the largest norm. Returns the norm before.
  Tensor clip(const Tensor& gradient) const {
    Tensor norm = gradient.norm();
    gradient.mul_((setup_.options.gradient_clip / norm).clamp_max(1));
    return norm;
  }

  void update_weights(const Tensor& gradient) {
    const auto step = static_cast<double>(moment_steps_ + 1);
    const double first_bias = 1 - std::pow(kFirstDecay, step);
    const double second_bias = 1 - std::pow(kSecondDecay, step);
    const Tensor &mean = moments_.front().all(), &square = moments_.back().all();
    first().decayed().mul_(1 - learning_rate_ * setup_.options.weight_decay);
    mean.mul_(kFirstDecay).add_(gradient, 1 - kFirstDecay);
    square.mul_(kSecondDecay).addcmul_(gradient, gradient, 1 - kSecondDecay);
    const Tensor scale = square.div(second_bias).sqrt_().add_(kEpsilon);
    first().learnt().addcdiv_(mean, scale, -learning_rate_ / first_bias);
  }

  // The other replicas go on with the weights of the first.
  void share_weights() {
    torch::NoGradGuard no_grad;
    for (size_t i = 1; i < replicas_.size(); ++i) replicas_[i]->weights().all().copy_(first().all());
  }

  std::vector<torch::Device> devices_;  // Of the replicas; the optimiser works on the first.
  std::optional<c10::Stream> stream_;
  LearnerSetup setup_;
  ReplicaExchange exchange_;
  std::vector<std::unique_ptr<Replica>> replicas_;
  NetworkModule averaged_;
  FlatTensors average_;               // Of averaged_.
  std::vector<FlatTensors> moments_;  // First and second.
  Tensor losses_;                     // [kLosses + 1] sums since losses() was called.
  int losses_steps_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t moment_steps_ = 0;
  float rate_factor_ = 1;
  float learning_rate_ = 0;  // Of the last step.
  ThreadTeam team_;          // A thread for each replica. Last: it uses the others.
};

class GuardedLearner final : public TorchLearner {
 public:
  GuardedLearner(const NetworkArchitecture& shape, const LearnerOptions& options, std::uint64_t seed)
      : learner_(shape, options, seed) {}

  TorchStatus stage(const TrainBatch& batch,
                    std::shared_ptr<const StagedBatch>* staged) const noexcept override {
    return guarded([&] { *staged = learner_.stage(batch); });
  }
  TorchStatus step(const StagedBatch& batch) noexcept override {
    return on_stream([&] { learner_.step(batch); });
  }
  TorchStatus losses(Losses* losses) noexcept override {
    return on_stream([&] { *losses = learner_.losses(); });
  }
  TorchStatus evaluate(const StagedBatch& batch, Validation* validation) noexcept override {
    return on_stream([&] { *validation = learner_.evaluate(batch); });
  }
  void scale_learning_rate(float factor) noexcept override { learner_.scale_learning_rate(factor); }
  std::int64_t steps() const noexcept override { return learner_.steps(); }
  bool in_bf16() const noexcept override { return learner_.in_bf16(); }
  TorchStatus network(Network* network) const noexcept override {
    return on_stream([&] { *network = learner_.network(); });
  }
  TorchStatus state(LearnerState* state) const noexcept override {
    return on_stream([&] { *state = learner_.state(); });
  }
  TorchStatus load(const LearnerState& state) noexcept override {
    return on_stream([&] { learner_.load(state); });
  }

 private:
  TorchStatus on_stream(const auto& work) const {
    return guarded([&] {
      const StreamScope scope(learner_.stream());
      work();
    });
  }

  ReplicaLearner learner_;
};

}  // namespace

std::unique_ptr<TorchLearner> make_learner(const NetworkArchitecture& shape, const LearnerOptions& options,
                                           std::uint64_t seed) {
  return std::make_unique<GuardedLearner>(shape, options, seed);
}

}  // namespace makzero::nn
