#include "train/run/training_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <ctime>
#include <future>
#include <iostream>
#include <numbers>
#include <stop_token>
#include <utility>

#include "game/catalog.h"
#include "models/error.h"
#include "nn/machine.h"
#include "nn/morphism.h"
#include "nn/processors.h"
#include "nn/runtime.h"
#include "train/config.h"
#include "train/run/kept_checkpoints.h"
#include "train/run/needs.h"
#include "train/self_play/self_play_game.h"

namespace makzero::train {
namespace {

constexpr int kValidationRows = 2048;

int thread_count(const Config& config) {
  if (config.deterministic()) return 1;
  return config.threads() > 0 ? config.threads() : nn::usable_processors();
}

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
  if (config.self_play().small_share() == 1 || (config.self_play().small_share() > 0 && !has_tower)) return;
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

TrainingRun::TrainingRun(const std::vector<game::GamePtr>& games, const Config& config, const RunPaths& paths,
                         const SessionLimit& limit, RemoteGames* remote)
    : config_(config),
      schedule_(schedule_of(config)),
      paths_(paths),
      faults_(ledger_faults(paths.root, LedgerDepth::kQuick)),
      pool_(games, config.rulesets()),
      state_({.limit = limit, .threads = thread_count(config)}),
      display_(&std::cout, isatty(STDOUT_FILENO) == 1),
      phases_(&pool_, config, paths, state_, &display_, remote) {
  const float small_share = config.self_play().small_share();
  if (small_share < 1) trainer_.emplace(&pool_, config, state_.threads, config.seed());
  if (small_share > 0) small_.emplace(&pool_, config, paths, state_.threads);
  load();
}

void TrainingRun::train() {
  while (!state_.limit.reached() && !finished()) {
    if (!phases_.has_played()) play();
    if (state_.limit.reached()) break;
    if (learn()) make_generation();
    for (int i = 0; i < pool_.size() && !state_.limit.reached() && phases_.is_rating_due(); ++i)
      phases_.rate();
  }
  phases_.finish();
}

bool TrainingRun::finished() const {
  return (config_.generations() > 0 && state_.generation >= config_.generations()) ||
         (config_.evaluations() > 0 && state_.evaluations >= config_.evaluations()) ||
         phases_.has_passed(state_.limit.until);
}

// --- What the folder holds. ---

void TrainingRun::load() {
  for (const LedgerFault& fault : faults_) report().warn(fault.file.string() + ": " + fault.what);
  phases_.update_window();
  const bool resumed = load_learner() || load_checkpoints();
  if (!resumed && !config_.from().empty()) load_from(config_.from());
  state_.steps = learnt_steps();
  if (small_) phases_.set_small_networks(first_small_networks());
  if (!resumed) write_learner_state();
  phases_.begin(resumed, parent_, manifest(), tower());
  if (!trainer_) return;
  if (const std::string note = precision_note(config_, trainer_->learner().in_bf16()); !note.empty())
    report().note(note);
}

nn::Network TrainingRun::tower() const { return trainer_ ? trainer_->learner().network() : nn::Network(); }

std::int64_t TrainingRun::learnt_steps() const {
  return trainer_ ? trainer_->learner().steps() : small_->steps();
}

// Those of the newest checkpoint; before there is one what the run begins with, else they count material.
SmallNetworks TrainingRun::first_small_networks() const {
  const auto latest = phases_.checkpoints().latest();
  if (latest && latest->generation == state_.generation)
    return small_networks_for(pool_, models::read_head(latest->path).small_networks);
  return small_->knows_something() ? small_->networks() : small_networks_for(pool_);
}

bool TrainingRun::load_learner() {
  if (!std::filesystem::exists(paths_.learner())) return false;
  try {
    require_accounted(faults_, paths_.learner());
    models::Manifest manifest;
    std::vector<nn::SmallLearnerState> small_networks;
    nn::LearnerState tower = models::read_learner_state(paths_.learner(), &manifest, &small_networks);
    load_state(std::move(tower), small_networks);
    load_counters(manifest);
    return true;
  } catch (const models::Error& error) {
    report().warn(
        fmt::format("{}; going on from the newest checkpoint without the optimiser's state", error.what()));
    return false;
  }
}

void TrainingRun::load_state(nn::LearnerState tower,
                             const std::vector<nn::SmallLearnerState>& small_networks) {
  if (small_) small_->load(small_networks);
  if (!trainer_) return;
  if (tower.architecture.planes.empty()) tower.architecture.planes = planes_of_latest();
  trainer_->load(tower);
}

// Learner states of before 0.2 do not name their planes: they stand in the newest checkpoint. Throws
// models::Error where they cannot be known.
std::vector<std::string> TrainingRun::planes_of_latest() const {
  const auto latest = phases_.checkpoints().latest();
  if (!latest) throw models::Error(paths_.learner(), "does not name its input planes");
  return models::architecture_of(models::read_manifest(latest->path)).planes;
}

// The newest that can be read.
bool TrainingRun::load_checkpoints() {
  std::vector<models::StoredCheckpoint> stored = phases_.checkpoints().list();
  std::reverse(stored.begin(), stored.end());
  for (const models::StoredCheckpoint& candidate : stored) {
    try {
      require_accounted(faults_, candidate.path);
      const models::Model checkpoint = models::read_model(candidate.path);
      const models::Manifest& manifest = checkpoint.manifest;
      if (trainer_) trainer_->load(checkpoint.tower, manifest.steps());
      if (small_) small_->load(checkpoint.small_networks);
      load_counters(manifest);
      state_.steps = manifest.steps();
      write_learner_state();
      return true;
    } catch (const models::Error& error) {
      report().warn(fmt::format("{}; trying the checkpoint before it", error.what()));
    }
  }
  return false;
}

// A checkpoint of the same games is gone on with; what was learnt in others is where this run begins.
void TrainingRun::load_from(const std::filesystem::path& path) {
  const models::Model checkpoint = models::read_model(path);
  keep_checkpoint(path, paths_.root.string() + " began with it");
  if (small_) small_->load(checkpoint.small_networks);
  if (!trainer_ || checkpoint.tower_id().empty()) {
    parent_ = checkpoint.id();
    return;
  }
  if (continues(checkpoint.manifest, pool_.games())) return continue_training(checkpoint);
  require_fitting_size(pool_.games(), config_);
  trainer_->load_from(checkpoint.tower);
  parent_ = checkpoint.tower_id();
}

// With what its network sees; the optimiser's state is not in a checkpoint and begins anew.
void TrainingRun::continue_training(const models::Model& checkpoint) {
  const models::Manifest& manifest = checkpoint.manifest;
  trainer_->load(checkpoint.tower, manifest.steps());
  load_counters(manifest);
  parent_ = manifest.parent();
}

void TrainingRun::load_counters(const models::Manifest& manifest) {
  state_.generation = manifest.generation();
  state_.evaluations = manifest.evaluations();
  state_.earlier_seconds = manifest.seconds_trained();
  state_.earlier_processor_seconds = manifest.processor_seconds();
}

// --- Self-play. ---

// Falls evenly to 0: what the evaluator knows is learnt by then, and its judgement would stay in every
// target.
float TrainingRun::material_blend_weight() const {
  static constexpr float kGenerations = 4;
  const float past = static_cast<float>(state_.generation - 1) / kGenerations;
  return config_.self_play().material_blend_weight() * std::clamp(1 - past, 0.0f, 1.0f);
}

SelfPlayer TrainingRun::player_now() const {
  return {evaluator_of(config_, state_.generation), material_blend_weight(), tower()};
}

void TrainingRun::play() { state_.evaluations += phases_.play(player_now()); }

// --- Learning. ---

double TrainingRun::progress() const {
  double progress = 0;
  if (state_.limit.deadline) {
    const std::chrono::duration<double> session = *state_.limit.deadline - state_.begin;
    progress = state_.session_seconds() / session.count();
  }
  if (config_.evaluations() > 0) {
    progress = std::max(progress,
                        static_cast<double>(state_.evaluations) / static_cast<double>(config_.evaluations()));
  }
  return std::min(1.0, progress);
}

// Half a cosine from 1 to the final share over the second half of the budget.
float TrainingRun::budget_decay() const {
  static constexpr double kBegin = 0.5;
  static constexpr float kFinal = 0.1f;
  const double done = progress();
  if (done <= kBegin) return 1;
  const double fall = (done - kBegin) / (1 - kBegin);
  const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * fall));
  return static_cast<float>(kFinal + (1 - kFinal) * cosine);
}

float TrainingRun::rate_factor() const {
  return schedule_.empty() ? budget_decay() : schedule_.factor(phases_.replay().rows());
}

// To the size that the configuration asks for by now.
void TrainingRun::morph_network() {
  nn::NetworkArchitecture wanted = network_architecture(pool_.games(), config_);
  wanted.planes = trainer_->architecture().planes;
  wanted.rule_features = trainer_->architecture().rule_features;
  if (!nn::can_morph(trainer_->architecture(), wanted)) return;
  trainer_->morph(wanted);
  report().log(fmt::format("grow blocks={} channels={} evaluations={}", wanted.blocks, wanted.channels,
                           state_.evaluations));
}

bool TrainingRun::learn() {
  const RunState::Clock::time_point begin = RunState::Clock::now();
  const Steps steps = prepare_steps();
  const bool beside = config_.learning().beside_self_play() && !config_.deterministic() &&
                      evaluator_of(config_, state_.generation) == SelfPlayConfig::NETWORK;
  phases_.begin_learning(beside ? "learning beside self-play" : "learning", steps.tower + steps.small);
  Learnt learnt = beside ? learn_beside_self_play(steps) : take_steps(steps, [this](std::int64_t done) {
    phases_.show(done);
    phases_.collect();
    return !state_.limit.reached();
  });
  phases_.set_learnt(learnt.learning, std::move(learnt.validation), learnt.small, seconds_since(begin));
  return learnt_steps() > std::exchange(state_.steps, learnt_steps());
}

// With the games that are there by now.
TrainingRun::Steps TrainingRun::prepare_steps() {
  Steps steps;
  if (small_ && phases_.new_small_rows() > 0) steps.small = small_->steps_for(phases_.new_small_rows());
  if (!trainer_) return steps;
  phases_.update_window();
  trainer_->set_window(phases_.replay().window(), phases_.small_window());
  phases_.warn_of_faults(trainer_->faults());
  steps.tower = train::steps_for(config_.learning(), phases_.rows_to_learn());
  morph_network();
  trainer_->learner().scale_learning_rate(rate_factor());
  return steps;
}

TrainingRun::Learnt TrainingRun::take_steps(const Steps& steps, const Trainer::Progress& progress) {
  Learnt learnt;
  if (trainer_) {
    learnt.learning = trainer_->learn(steps.tower, progress);
    learnt.validation = trainer_->validate(kValidationRows);
  }
  if (small_) {
    learnt.small =
        small_->learn(steps.small, [&](std::int64_t done) { return progress(steps.tower + done); });
  }
  return learnt;
}

// The networks before play for the next generation. The trainers are another thread's meanwhile.
TrainingRun::Learnt TrainingRun::learn_beside_self_play(const Steps& steps) {
  const SelfPlayer player = player_now();
  std::atomic<std::int64_t> done = 0;  // For the display alone: no order needed.
  std::stop_source stop;               // Self-play has failed.
  auto learning = std::async(std::launch::async, [&] {
    return take_steps(steps, [&](std::int64_t step) {
      done.store(step, std::memory_order_relaxed);
      return !stop.stop_requested() && !state_.limit.reached();
    });
  });
  const auto goes_on = [&](std::chrono::milliseconds wait) {
    return learning.wait_for(wait) != std::future_status::ready;
  };
  try {
    state_.evaluations += phases_.play_ahead(
        player, [&] { return goes_on({}); }, [&] { return done.load(std::memory_order_relaxed); });
  } catch (...) {
    stop.request_stop();  // The future waits for the thread.
    throw;
  }
  while (goes_on(std::chrono::milliseconds(200))) {
    phases_.show(done.load(std::memory_order_relaxed));
    phases_.collect();
  }
  return learning.get();
}

void TrainingRun::make_generation() {
  phases_.sync();
  phases_.require_lease();
  ++state_.generation;
  write_learner_state();
  if (anneals()) anneal_copy();
  if (small_ && small_->knows_something()) phases_.set_small_networks(small_->networks());
  phases_.make_generation(manifest(), tower());
  nn::release_unused_memory();
}

bool TrainingRun::anneals() const {
  static constexpr std::uint64_t kFirst = 4;
  const auto generation = static_cast<std::uint64_t>(state_.generation);
  return trainer_ && config_.learning().annealed_share() > 0 && generation >= kFirst &&
         std::has_single_bit(generation);
}

// Learning goes on afterwards as if it had not been.
void TrainingRun::anneal_copy() {
  const nn::LearnerState kept = trainer_->learner().state();
  const auto steps = static_cast<std::int64_t>(
      std::ceil(config_.learning().annealed_share() * static_cast<double>(kept.steps)));
  const RateDecay decay{.share = 1, .peak = schedule_.factor(phases_.replay().rows())};
  phases_.begin_phase("learning with a falling rate", steps);
  trainer_->learn(steps, [&](std::int64_t done) {
    trainer_->learner().scale_learning_rate(decay.factor(done, steps));
    phases_.show(done);
    phases_.collect();
    return !state_.limit.reached();
  });
  if (!state_.limit.reached()) {
    models::Manifest metadata = manifest();
    metadata.set_steps(trainer_->learner().steps());
    phases_.write_annealed(metadata, tower(), trainer_->validate(kValidationRows).mean);
  }
  trainer_->load(kept);
}

void TrainingRun::write_learner_state() {
  models::Manifest manifest = this->manifest();
  manifest.set_ruleset(config_.game());
  manifest.set_parent(phases_.network_id());
  models::write_learner_state(paths_.learner(), manifest,
                              trainer_ ? trainer_->learner().state() : nn::LearnerState(),
                              small_ ? small_->states() : std::vector<nn::SmallLearnerState>());
}

// The run metadata of a checkpoint.
models::Manifest TrainingRun::manifest() const {
  models::Manifest manifest;
  manifest.set_generation(state_.generation);
  manifest.set_steps(state_.steps);
  manifest.set_evaluations(state_.evaluations);
  manifest.set_commit(MAKZERO_VERSION);
  manifest.set_config(config_text(config_));
  manifest.set_created_unix(std::time(nullptr));
  manifest.set_material_blend_weight(material_blend_weight());
  models::set_search_options(search_options(config_), &manifest);
  manifest.set_machine(nn::machine_text());
  manifest.set_seconds_trained(state_.seconds());
  manifest.set_processor_seconds(state_.processor_seconds());
  return manifest;
}

}  // namespace makzero::train
