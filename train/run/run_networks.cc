#include "train/run/run_networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "game/catalog.h"
#include "models/error.h"
#include "models/store.h"
#include "nn/morphism.h"
#include "train/config.h"
#include "train/run/kept_checkpoints.h"
#include "train/run/needs.h"

namespace makzero::train {
namespace {

constexpr int kValidationRows = 2048;

}  // namespace

bool continues(const models::Manifest& manifest, std::span<const game::GamePtr> games) {
  const std::vector<std::string> trained = models::games_trained(manifest);
  return manifest.generation() > 0 &&
         std::ranges::equal(trained, games, [](const std::string& ruleset, const game::GamePtr& game) {
           return game::ruleset_name(ruleset) == game::ruleset_name(game->info().ruleset);
         });
}

void require_fitting_size(std::span<const game::GamePtr> games, const Config& config) {
  const nn::NetworkArchitecture wanted = network_architecture(games, config);
  const models::Manifest manifest = models::read_manifest(config.from());
  const bool has_tower = !models::tower_id_of(manifest).empty();
  if (!trains_tower(config) || (config.self_play().small_share() > 0 && !has_tower)) return;
  if (!has_tower)
    throw models::Error(
        config.from(),
        "holds a small network alone, and this run begins with a tower: ask for --self_play.small_share too");
  nn::NetworkArchitecture shape = models::architecture_of(manifest);
  shape.planes = wanted.planes;
  shape.rule_features = wanted.rule_features;
  if (shape == wanted || nn::can_morph(shape, wanted)) return;
  throw models::Error(
      config.from(),
      fmt::format(
          "has {} blocks of {} channels, attention {} and hidden {}: a run with {}, {}, {} and {} cannot "
          "begin with it; ask for as many or more blocks and channels (--network.blocks, "
          "--network.channels), the rest equal",
          shape.blocks, shape.channels, shape.attention, shape.hidden, wanted.blocks, wanted.channels,
          wanted.attention, wanted.hidden));
}

RunNetworks::RunNetworks(GamePool* pool, const Config& config, const RunPaths& paths, int threads)
    : pool_(pool), config_(config), paths_(paths) {
  const float small_share = config.self_play().small_share();
  if (small_share < 1) tower_.emplace(pool, config, threads, config.seed());
  if (small_share > 0) small_.emplace(pool, config, paths, threads);
}

nn::Network RunNetworks::tower() const { return tower_ ? tower_->learner().network() : nn::Network(); }

std::optional<SmallNetworks> RunNetworks::small() const {
  return small_ && small_->knows_something() ? std::optional(small_->networks()) : std::nullopt;
}

std::int64_t RunNetworks::steps() const { return tower_ ? tower_->learner().steps() : small_->steps(); }

// --- What they go on with. ---

RunNetworks::Loaded RunNetworks::load(const std::vector<LedgerFault>& faults, const Warn& warn) {
  Loaded loaded;
  loaded.is_resumed = load_state(faults, warn, &loaded) || load_checkpoint(faults, warn, &loaded);
  if (!loaded.is_resumed && !config_.from().empty()) load_from(&loaded);
  return loaded;
}

bool RunNetworks::load_state(const std::vector<LedgerFault>& faults, const Warn& warn, Loaded* loaded) try {
  if (!std::filesystem::exists(paths_.learner())) return false;
  require_accounted(faults, paths_.learner());
  models::Manifest manifest;
  std::vector<nn::SmallLearnerState> small_networks;
  nn::LearnerState tower = models::read_learner_state(paths_.learner(), &manifest, &small_networks);
  if (small_) small_->load(small_networks);
  if (tower_) {
    if (tower.architecture.planes.empty()) tower.architecture.planes = planes_of_latest();
    tower_->load(tower);
  }
  loaded->counters = std::move(manifest);
  loaded->has_state = true;
  return true;
} catch (const models::Error& error) {
  warn(fmt::format("{}; going on from the newest checkpoint without the optimiser's state", error.what()));
  return false;
}

// Learner states of before 0.2 do not name their planes: they stand in the newest checkpoint. Throws
// models::Error where they cannot be known.
std::vector<std::string> RunNetworks::planes_of_latest() const {
  const auto latest = models::CheckpointStore(paths_.checkpoints()).latest();
  if (!latest) throw models::Error(paths_.learner(), "does not name its input planes");
  return models::architecture_of(models::read_manifest(latest->path)).planes;
}

// The newest that can be read.
bool RunNetworks::load_checkpoint(const std::vector<LedgerFault>& faults, const Warn& warn, Loaded* loaded) {
  std::vector<models::StoredCheckpoint> stored = models::CheckpointStore(paths_.checkpoints()).list();
  std::reverse(stored.begin(), stored.end());
  for (const models::StoredCheckpoint& candidate : stored) {
    try {
      require_accounted(faults, candidate.path);
      const models::Model checkpoint = models::read_model(candidate.path);
      if (tower_) tower_->load(checkpoint.tower, checkpoint.manifest.steps());
      if (small_) small_->load(checkpoint.small_networks);
      loaded->counters = checkpoint.manifest;
      return true;
    } catch (const models::Error& error) {
      warn(fmt::format("{}; trying the checkpoint before it", error.what()));
    }
  }
  return false;
}

// A checkpoint of the same games is gone on with, with what its tower sees and a new optimiser; what was
// learnt in others is where this run begins.
void RunNetworks::load_from(Loaded* loaded) {
  const models::Model checkpoint = models::read_model(config_.from());
  keep_checkpoint(config_.from(), paths_.root.string() + " began with it");
  if (small_) small_->load(checkpoint.small_networks);
  if (!tower_ || checkpoint.tower_id().empty()) {
    loaded->parent = checkpoint.id();
    return;
  }
  if (continues(checkpoint.manifest, pool_->games())) {
    tower_->load(checkpoint.tower, checkpoint.manifest.steps());
    loaded->counters = checkpoint.manifest;
    loaded->parent = checkpoint.manifest.parent();
    return;
  }
  require_fitting_size(pool_->games(), config_);
  tower_->load_from(checkpoint.tower);
  loaded->parent = checkpoint.tower_id();
}

void RunNetworks::save(models::Manifest metadata) const {
  metadata.set_ruleset(config_.game());
  models::write_learner_state(paths_.learner(), metadata,
                              tower_ ? tower_->learner().state() : nn::LearnerState(),
                              small_ ? small_->states() : std::vector<nn::SmallLearnerState>());
}

// --- Learning. ---

RunNetworks::Steps RunNetworks::prepare(RunGames* games, std::int64_t rows, std::int64_t small_rows,
                                        float rate, const Warn& warn) {
  static constexpr std::size_t kMostShown = 3;
  Steps steps;
  if (small_ && small_rows > 0) steps.small = small_->steps_for(small_rows);
  if (!tower_) return steps;
  games->update_window();
  tower_->set_window(games->window(), games->small_window());
  const std::vector<std::string>& faults = tower_->faults();
  for (std::size_t i = 0; i < std::min(faults.size(), kMostShown); ++i)
    warn("left out of learning: " + faults[i]);
  if (faults.size() > kMostShown)
    warn(fmt::format("left out of learning: {} more games", faults.size() - kMostShown));
  steps.tower = steps_for(config_.learning(), rows);
  steps.has_grown = morph();
  tower_->learner().scale_learning_rate(rate);
  return steps;
}

bool RunNetworks::morph() {
  nn::NetworkArchitecture wanted = network_architecture(pool_->games(), config_);
  wanted.planes = tower_->architecture().planes;
  wanted.rule_features = tower_->architecture().rule_features;
  if (!nn::can_morph(tower_->architecture(), wanted)) return false;
  tower_->morph(wanted);
  return true;
}

Learnt RunNetworks::learn(const Steps& steps, const Progress& progress) {
  const std::int64_t before = this->steps();
  Learnt learnt;
  if (tower_) {
    learnt.learning = tower_->learn(steps.tower, progress);
    HeldOutLosses held_out = tower_->validate(kValidationRows);
    learnt.validation = held_out.mean;
    learnt.largest = std::move(held_out.largest);
    learnt.small_games = tower_->validate(kValidationRows, Split::kSmallValidation).mean;
  }
  if (small_) {
    learnt.small =
        small_->learn(steps.small, [&](std::int64_t done) { return progress(steps.tower + done); });
  }
  learnt.steps = this->steps() - before;
  if (tower_) learnt.rows = learnt.steps * config_.learning().batch();
  return learnt;
}

void RunNetworks::anneal(
    float peak, const std::function<void(std::int64_t)>& begin, const Progress& progress,
    const std::function<void(const nn::Network&, std::int64_t, const nn::Losses&)>& use) {
  nn::Learner& learner = tower_->learner();
  const nn::LearnerState kept = learner.state();
  const auto steps = static_cast<std::int64_t>(
      std::ceil(config_.learning().annealed_share() * static_cast<double>(kept.steps)));
  const RateDecay decay{.share = 1, .peak = peak};
  begin(steps);
  bool is_whole = true;
  tower_->learn(steps, [&](std::int64_t done) {
    learner.scale_learning_rate(decay.factor(done, steps));
    return is_whole = progress(done);
  });
  if (is_whole) use(learner.network(), learner.steps(), tower_->validate(kValidationRows).mean);
  tower_->load(kept);
}

}  // namespace makzero::train
