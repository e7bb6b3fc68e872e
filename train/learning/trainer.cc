#include "train/learning/trainer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "game/rule_features.h"
#include "nn/morphism.h"
#include "nn/planes.h"
#include "train/settings.h"

namespace makzero::train {
namespace {

// A running mean of losses.
class LossMean {
 public:
  void add(const nn::Losses& losses, float weight) {
    for (const auto part : kMeans) sum_.*part += weight * losses.*part;
    for (const nn::HeadInfo& info : nn::kHeads) sum_.heads[info.head] += weight * losses[info.head];
    sum_.learning_rate = losses.learning_rate;
    weight_ += weight;
  }

  nn::Losses mean() const {
    nn::Losses mean = sum_;
    const float weight = weight_ > 0 ? weight_ : 1;
    for (const auto part : kMeans) mean.*part /= weight;
    for (float& loss : mean.heads.values) loss /= weight;
    return mean;
  }

 private:
  static constexpr float nn::Losses::*kMeans[] = {&nn::Losses::total, &nn::Losses::policy_entropy,
                                                  &nn::Losses::gradient_norm};

  nn::Losses sum_;
  float weight_ = 0;
};

// Reading the losses waits for a card, which has worked on for these steps.
constexpr std::int64_t kStepsUnread = 16;

// A card takes a batch faster than one thread makes it; the learner's threads of a CPU need the processors
// themselves.
int batches_ahead(const nn::LearnerOptions& options) {
  return options.device.starts_with("cuda") ? std::clamp(options.threads - 1, 1, 8) : 1;
}

}  // namespace

nn::LearnerOptions learner_options(const Config& config, int threads) {
  const LearningConfig& learning = config.learning();
  nn::LearnerOptions options;
  options.device = config.device();
  read_settings(learning, kLearnerSettings, &options);
  options.threads = learning.threads() > 0 ? learning.threads() : threads;
  read_loss_weights(learning, &options);
  return options;
}

nn::NetworkArchitecture network_architecture(std::span<const game::GamePtr> games, const Config& config) {
  const NetworkConfig& network = config.network();
  nn::NetworkArchitecture architecture{.planes = nn::joint_planes(games, network.capture_planes())};
  read_settings(network, kNetworkSettings, &architecture);
  std::vector<std::string>& features = architecture.rule_features;
  for (const game::GamePtr& game : games) {
    for (const std::string_view feature : game::rule_feature_names(game->info().family))
      if (std::find(features.begin(), features.end(), feature) == features.end())
        features.emplace_back(feature);
  }
  return architecture;
}

Trainer::Trainer(GamePool* pool, const Config& config, int threads, std::uint64_t seed)
    : batch_(config.learning().batch()),
      rng_(seed),
      batches_(pool, batch_options(config)),
      learner_options_(learner_options(config, threads)) {
  use(network_architecture(pool->games(), config));
}

void Trainer::set_window(std::span<const std::unique_ptr<GameRecord>> window,
                         std::span<const std::unique_ptr<GameRecord>> small_window) {
  batches_.update(window, small_window);
}

void Trainer::load(const nn::LearnerState& state) {
  use(state.architecture);
  learner_->load(state);
}

void Trainer::load(const nn::Network& network, std::int64_t steps) {
  use(network.architecture);
  nn::LearnerState state = learner_->state();
  state.steps = steps;
  state.weights = state.ema_weights = network.weights;
  learner_->load(state);
}

void Trainer::load_from(const nn::Network& network) {
  const nn::NetworkArchitecture wanted = architecture_;
  const nn::Network adapted =
      nn::with_rule_features(nn::remap_planes(network, wanted.planes), wanted.rule_features);
  load(adapted, 0);
  if (!(adapted.architecture == wanted)) morph(wanted);
}

// A new learner, and batches of what its network sees.
void Trainer::use(const nn::NetworkArchitecture& architecture) {
  if (learner_ && architecture == architecture_) return;
  architecture_ = architecture;
  learner_ = std::make_unique<nn::Learner>(architecture, learner_options_, rng_.next());
  batches_.set_inputs(architecture);
}

void Trainer::morph(const nn::NetworkArchitecture& architecture) {
  load(nn::morph(learner_->state(), architecture, rng_.next()));
}

std::shared_ptr<const nn::StagedBatch> Trainer::sample_batch(mcts::Rng* rng) const {
  nn::TrainBatch batch;
  batches_.add(batches_.sample(Split::kLearning, batch_, rng), rng, &batch);
  return batch.rows > 0 ? learner_->stage(batch) : nullptr;
}

BatchPipeline Trainer::batches(std::int64_t steps, int ahead) {
  const auto make = [this](std::uint64_t seed) {
    mcts::Rng rng(seed);
    return sample_batch(&rng);
  };
  return BatchPipeline(make, steps, ahead, rng_.next());
}

nn::Losses Trainer::learn(std::int64_t steps, const Progress& progress) {
  LossMean mean;
  BatchPipeline batches = this->batches(steps, batches_ahead(learner_options_));
  std::int64_t unread = 0;
  const auto read = [&] {
    if (unread > 0) mean.add(learner_->losses(), static_cast<float>(std::exchange(unread, 0)));
  };
  for (std::int64_t step = 1; const auto batch = batches.next(); ++step) {
    learner_->step(*batch);
    if (++unread == kStepsUnread) read();
    if (!progress(step)) break;
  }
  read();
  return mean.mean();
}

HeldOutLosses Trainer::validate(int rows, Split split) {
  static constexpr std::size_t kLargest = 20;  // Of single rows: as many as a person looks at.
  LossMean mean;
  LargestLosses largest(&batches_, kLargest);
  for (; rows > 0; rows -= batch_) {
    const std::vector<Sample> samples = batches_.sample(split, batch_, &rng_);
    if (samples.empty()) break;
    nn::TrainBatch batch;
    batches_.add(samples, &rng_, &batch);
    const nn::Validation validation = learner_->evaluate(*learner_->stage(batch));
    mean.add(validation.losses, 1);
    largest.add(samples, batch, validation.predictions);
  }
  return {mean.mean(), largest.rows()};
}

}  // namespace makzero::train
