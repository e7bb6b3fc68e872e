#include "train/trainer.h"

#include <future>
#include <utility>
#include <vector>

#include "nn/growth.h"
#include "nn/planes.h"

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

nn::NetworkArchitecture network_architecture(std::span<const game::GamePtr> games, const Config& config,
                                             std::vector<std::string> rule_features) {
  const NetworkConfig& network = config.network();
  std::vector<const game::GameInfo*> infos;
  std::vector<std::vector<std::string>> planes;
  for (const game::GamePtr& game : games) {
    infos.push_back(&game->info());
    planes.push_back(nn::default_planes(game->info(), network.capture_planes()));
  }
  return {rule_features.empty() ? nn::shared_planes(infos, planes) : nn::joint_planes(planes),
          network.blocks(),
          network.channels(),
          network.attention(),
          network.hidden(),
          std::move(rule_features)};
}

Trainer::Trainer(const std::vector<TaughtGame>& games, const Config& config, int threads, std::uint64_t seed)
    : batch_options_(batch_options(config)),
      batch_(config.learning().batch()),
      rng_(seed),
      learner_options_(learner_options(config, threads)) {
  std::vector<game::GamePtr> rules;
  rules.reserve(games.size());
  for (const TaughtGame& taught : games) {
    rules.push_back(taught.game);
    subjects_.push_back({taught, BatchMaker(*taught.game, batch_options_)});
  }
  use(network_architecture(rules, config));
}

void Trainer::update_window() {
  for (Subject& subject : subjects_) subject.batches.update(*subject.taught.store);
}

nn::Weights Trainer::weights_for(const game::Game& game) const {
  return nn::with_planes(learner_->ema_weights(), nn::planes_for_game(game.info(), architecture_.planes),
                         architecture_for(game).planes);
}

nn::NetworkArchitecture Trainer::architecture_for(const game::Game& game) const {
  nn::NetworkArchitecture architecture = architecture_;
  if (subjects_.size() > 1) architecture.planes = nn::planes_of_game(game.info(), architecture.planes);
  return architecture;
}

void Trainer::restore(const nn::NetworkArchitecture& architecture, const nn::LearnerState& state) {
  use(architecture);
  learner_->restore(state);
}

void Trainer::restore(std::int64_t steps, const std::vector<GameNetwork>& networks) {
  std::vector<const game::GameInfo*> games;
  std::vector<std::vector<std::string>> planes;
  for (size_t i = 0; i < subjects_.size(); ++i) {
    games.push_back(&subjects_[i].taught.game->info());
    planes.push_back(networks[i].architecture.planes);
  }
  nn::NetworkArchitecture shared = networks.front().architecture;
  shared.planes = nn::shared_planes(games, planes);
  nn::Weights weights =
      nn::with_planes(networks[0].weights, planes[0], nn::planes_for_game(*games[0], shared.planes));
  for (size_t i = 1; i < networks.size(); ++i)
    nn::copy_planes(networks[i].weights, planes[i], nn::planes_for_game(*games[i], shared.planes), &weights);
  restore_weights(shared, steps, weights);
}

void Trainer::restore_weights(const nn::NetworkArchitecture& architecture, std::int64_t steps,
                              const nn::Weights& weights) {
  use(architecture);
  nn::LearnerState state = learner_->state();
  state.steps = steps;
  state.weights = state.ema_weights = weights;
  learner_->restore(state);
}

void Trainer::begin_from(nn::NetworkArchitecture architecture, const nn::Weights& weights) {
  const nn::NetworkArchitecture wanted = architecture_;
  const std::vector<std::string> planes = std::exchange(architecture.planes, wanted.planes);
  nn::Weights adapted = nn::with_planes(weights, planes, wanted.planes);
  for (const Subject& subject : subjects_)
    nn::copy_planes(weights, planes, nn::planes_for_game(subject.taught.game->info(), wanted.planes),
                    &adapted);
  adapted = nn::with_rule_features(adapted, architecture.rule_features, wanted.rule_features);
  architecture.rule_features = wanted.rule_features;
  restore_weights(architecture, 0, adapted);
  if (!(architecture == wanted)) grow(wanted);
}

// A new learner, and encoders that write its planes.
void Trainer::use(const nn::NetworkArchitecture& architecture) {
  if (architecture == architecture_) return;
  architecture_ = architecture;
  learner_ = std::make_unique<nn::Learner>(architecture, learner_options_, rng_.next());
  for (Subject& subject : subjects_) subject.batches.set_inputs(architecture);
}

void Trainer::grow(const nn::NetworkArchitecture& architecture) {
  restore(architecture, nn::grow(learner_->state(), architecture_, architecture, rng_.next()));
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
