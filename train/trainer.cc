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

nn::NetworkShape network_shape(std::span<const game::GamePtr> games, const Config& config) {
  const NetworkConfig& network = config.network();
  const nn::TacticalPlanes tactics = {network.capture_planes(), network.exposure_planes()};
  return {static_cast<int>(nn::shared_planes(games, tactics).size()),
          network.blocks(),
          network.channels(),
          network.attention(),
          network.hidden(),
          tactics};
}

nn::NetworkShape first_network_shape(std::span<const game::GamePtr> games, const Config& config) {
  nn::NetworkShape shape = network_shape(games, config);
  if (config.network().first_blocks() > 0) shape.blocks = config.network().first_blocks();
  if (config.network().first_channels() > 0) shape.channels = config.network().first_channels();
  return shape;
}

Trainer::Trainer(const std::vector<TaughtGame>& games, const Config& config, int threads, std::uint64_t seed)
    : batch_(config.learning().batch()), rng_(seed), learner_options_(learner_options(config, threads)) {
  std::vector<game::GamePtr> rules;
  rules.reserve(games.size());
  for (const TaughtGame& taught : games) rules.push_back(taught.game);
  BatchOptions options = batch_options(config);
  planes_ = nn::shared_planes(rules, options.tactics);
  for (const TaughtGame& taught : games) {
    options.planes = nn::planes_as_seen_by(*taught.game, planes_);
    subjects_.push_back({taught, options.planes, BatchMaker(*taught.game, options)});
  }
  shape_ = first_network_shape(rules, config);
  learner_ = std::make_unique<nn::Learner>(shape_, learner_options_, rng_.next());
}

void Trainer::update_window() {
  for (Subject& subject : subjects_) subject.batches.update(*subject.taught.store);
}

nn::Weights Trainer::weights_for(const game::Game& game) const {
  return nn::with_planes(learner_->ema_weights(), nn::planes_as_seen_by(game, planes_),
                         nn::Encoder(game, shape_.tactics).planes());
}

nn::NetworkShape Trainer::shape_for(const game::Game& game) const {
  nn::NetworkShape shape = shape_;
  shape.planes = nn::Encoder(game, shape.tactics).plane_count();
  return shape;
}

void Trainer::restore(const nn::NetworkShape& shape, const nn::LearnerState& state) {
  take_shape(shape);
  learner_->restore(state);
}

void Trainer::restore(nn::NetworkShape shape, std::int64_t steps, const std::vector<nn::Weights>& weights) {
  const auto own_planes = [&](const Subject& subject) {
    return nn::Encoder(*subject.taught.game, shape.tactics).planes();
  };
  nn::Weights shared = nn::with_planes(weights[0], own_planes(subjects_[0]), subjects_[0].planes);
  for (size_t i = 1; i < subjects_.size(); ++i)
    nn::copy_planes(weights[i], own_planes(subjects_[i]), subjects_[i].planes, &shared);
  shape.planes = static_cast<int>(planes_.size());
  restore(shape, steps, shared);
}

void Trainer::restore(const nn::NetworkShape& shape, std::int64_t steps, const nn::Weights& weights) {
  take_shape(shape);
  nn::LearnerState state = learner_->state();
  state.steps = steps;
  state.weights = state.ema_weights = weights;
  learner_->restore(state);
}

void Trainer::begin_from(const nn::NetworkShape& shape, const nn::Weights& weights,
                         const std::vector<std::string>& planes) {
  const nn::NetworkShape wanted = shape_;
  nn::Weights adapted = nn::with_planes(weights, planes, planes_);
  for (const Subject& subject : subjects_) nn::copy_planes(weights, planes, subject.planes, &adapted);
  restore(shape, 0, adapted);
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

// Equal shares of the batch for the games that have rows.
nn::TrainBatch Trainer::draw(Split split, mcts::Rng* rng) const {
  nn::TrainBatch batch;
  const int games = static_cast<int>(subjects_.size());
  for (int i = 0; i < games; ++i) {
    const Subject& subject = subjects_[i];
    const int rows = batch_ * (i + 1) / games - batch_ * i / games;
    subject.batches.add(subject.batches.draw(*subject.taught.store, split, rows, rng), rng, &batch);
  }
  return batch;
}

nn::Losses Trainer::learn(std::int64_t steps, const Progress& progress) {
  // While the learner takes a step, the next batch is drawn and made.
  const auto prepare = [this](std::uint64_t seed) {
    mcts::Rng rng(seed);
    return draw(Split::kLearning, &rng);
  };
  LossMean mean;
  if (steps <= 0) return mean.mean();
  auto next = std::async(std::launch::async, prepare, rng_.next());
  for (std::int64_t step = 0; step < steps; ++step) {
    const nn::TrainBatch batch = next.get();
    if (batch.rows == 0) break;
    if (step + 1 < steps) next = std::async(std::launch::async, prepare, rng_.next());
    mean.add(learner_->step(batch));
    if (!progress(step + 1)) break;
  }
  return mean.mean();
}

nn::Losses Trainer::validate(int rows) {
  LossMean mean;
  for (; rows > 0; rows -= batch_) {
    const nn::TrainBatch batch = draw(Split::kValidation, &rng_);
    if (batch.rows == 0) break;
    mean.add(learner_->evaluate(batch));
  }
  return mean.mean();
}

}  // namespace makzero::train
