#include "train/trainer.h"

#include <future>
#include <utility>
#include <vector>

#include "nn/encoder.h"
#include "nn/growth.h"

namespace makzero::train {
namespace {

// A running mean of losses.
class LossMean {
 public:
  void add(const nn::Losses& losses) {
    sum_.total += losses.total;
    sum_.policy += losses.policy;
    sum_.value += losses.value;
    sum_.moves_left += losses.moves_left;
    sum_.reply += losses.reply;
    sum_.survival += losses.survival;
    sum_.short_term += losses.short_term;
    sum_.policy_entropy += losses.policy_entropy;
    sum_.gradient_norm += losses.gradient_norm;
    sum_.learning_rate = losses.learning_rate;
    ++count_;
  }

  nn::Losses mean() const {
    nn::Losses mean = sum_;
    const float count = count_ ? static_cast<float>(count_) : 1;
    for (float* part : {&mean.total, &mean.policy, &mean.value, &mean.moves_left, &mean.reply, &mean.survival,
                        &mean.short_term, &mean.policy_entropy, &mean.gradient_norm})
      *part /= count;
    return mean;
  }

 private:
  nn::Losses sum_;
  int count_ = 0;
};

}  // namespace

nn::LearnerOptions learner_options(const Config& config, int threads) {
  const LearningConfig& learning = config.learning();
  nn::LearnerOptions options;
  options.device = config.device();
  options.learning_rate = learning.learning_rate();
  options.warmup_steps = learning.warmup_steps();
  options.final_learning_rate = learning.final_learning_rate();
  options.schedule_steps = learning.schedule_steps();
  options.weight_decay = learning.weight_decay();
  options.gradient_clip = learning.gradient_clip();
  options.ema_decay = learning.ema_decay();
  options.threads = threads;
  options.mixed_precision = learning.mixed_precision();
  options.policy_weight = learning.policy_weight();
  options.value_weight = learning.value_weight();
  options.moves_left_weight = learning.moves_left_weight();
  options.reply_weight = learning.reply_weight();
  options.survival_weight = learning.survival_weight();
  options.short_term_weight = learning.short_term_weight();
  return options;
}

nn::NetworkShape network_shape(const game::Game& game, const Config& config) {
  const NetworkConfig& network = config.network();
  const nn::TacticalPlanes tactics = {network.capture_planes(), network.exposure_planes()};
  return {nn::Encoder(game, tactics).plane_count(),
          network.blocks(),
          network.channels(),
          network.attention(),
          network.hidden(),
          tactics};
}

nn::NetworkShape first_network_shape(const game::Game& game, const Config& config) {
  nn::NetworkShape shape = network_shape(game, config);
  if (config.network().first_blocks() > 0) shape.blocks = config.network().first_blocks();
  if (config.network().first_channels() > 0) shape.channels = config.network().first_channels();
  return shape;
}

Trainer::Trainer(const game::Game& game, const Config& config, int threads, std::uint64_t seed,
                 const ReplayStore& store)
    : store_(store),
      batch_(config.learning().batch()),
      rng_(seed),
      batches_(game, batch_options(config)),
      learner_options_(learner_options(config, threads)),
      shape_(first_network_shape(game, config)),
      learner_(std::make_unique<nn::Learner>(shape_, learner_options_, rng_.next())) {}

void Trainer::restore(const nn::NetworkShape& shape, const nn::LearnerState& state) {
  take_shape(shape);
  learner_->restore(state);
}

void Trainer::restore(const nn::NetworkShape& shape, std::int64_t steps, const nn::Weights& weights) {
  take_shape(shape);
  nn::LearnerState state = learner_->state();
  state.steps = steps;
  state.weights = state.ema_weights = weights;
  learner_->restore(state);
}

void Trainer::begin_from(const nn::NetworkShape& shape, const nn::Weights& weights) {
  const nn::NetworkShape wanted = shape_;
  restore(shape, 0, weights);
  if (!(shape == wanted)) grow(wanted);
}

void Trainer::take_shape(const nn::NetworkShape& shape) {
  if (shape == shape_) return;
  learner_ = std::make_unique<nn::Learner>(shape, learner_options_, rng_.next());
  shape_ = shape;
}

void Trainer::grow(const nn::NetworkShape& shape) {
  restore(shape, nn::grow(learner_->state(), shape_, shape, rng_.next()));
}

nn::Losses Trainer::learn(std::int64_t steps, const Progress& progress) {
  // While the learner takes a step, the next batch is drawn and made.
  const auto prepare = [this](std::uint64_t seed) {
    mcts::Rng rng(seed);
    auto batch = std::make_unique<nn::TrainBatch>();
    const std::vector<Sample> samples = batches_.draw(store_, Split::kLearning, batch_, &rng);
    batches_.make(samples, &rng, batch.get());
    return batch;
  };
  LossMean mean;
  if (steps <= 0) return mean.mean();
  auto next = std::async(std::launch::async, prepare, rng_.next());
  for (std::int64_t step = 0; step < steps; ++step) {
    const std::unique_ptr<nn::TrainBatch> batch = next.get();
    if (batch->rows == 0) break;
    if (step + 1 < steps) next = std::async(std::launch::async, prepare, rng_.next());
    mean.add(learner_->step(*batch));
    if (!progress(step + 1)) break;
  }
  return mean.mean();
}

nn::Losses Trainer::validate(int rows) {
  LossMean mean;
  nn::TrainBatch batch;
  for (; rows > 0; rows -= batch_) {
    batches_.make(batches_.draw(store_, Split::kValidation, batch_, &rng_), &rng_, &batch);
    if (batch.rows == 0) break;
    mean.add(learner_->evaluate(batch));
  }
  return mean.mean();
}

}  // namespace makzero::train
