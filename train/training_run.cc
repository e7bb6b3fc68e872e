#include "train/training_run.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>

#include "mcts/material_evaluator.h"
#include "mcts/uniform_evaluator.h"
#include "models/error.h"
#include "nn/encoder.h"
#include "nn/environment.h"
#include "nn/growth.h"
#include "nn/machine.h"
#include "nn/torch_evaluator.h"
#include "train/config.h"
#include "train/game_replay.h"

namespace makzero::train {
namespace {

constexpr int kValidationRows = 2048;

int thread_count(const Config& config) {
  if (config.deterministic()) return 1;
  return config.threads() > 0 ? config.threads()
                              : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::int64_t window_size(const ReplayConfig& config, std::int64_t rows) {
  const auto least = static_cast<double>(config.minimum_window());
  const double grown =
      least * std::pow(std::max(1.0, static_cast<double>(rows) / least), config.window_exponent());
  return std::min(config.maximum_window(), static_cast<std::int64_t>(grown));
}

std::int64_t now_unix() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

nn::NetworkShape shape_to_begin_with(const game::Game& game, const Config& config) {
  const nn::NetworkShape wanted = first_network_shape(game, config);
  nn::NetworkShape shape = models::shape_of(models::read_manifest(config.from()));
  shape.planes = wanted.planes;
  shape.tactics = wanted.tactics;
  if (shape == wanted || nn::can_grow(shape, wanted)) return shape;
  throw models::Error(
      config.from(),
      fmt::format(
          "has {} blocks of {} channels, attention {} and hidden {}: a run with {}, {}, {} and {} cannot "
          "begin "
          "with it; ask for as many or more blocks and channels (--network.blocks, --network.channels), the "
          "rest equal",
          shape.blocks, shape.channels, shape.attention, shape.hidden, wanted.blocks, wanted.channels,
          wanted.attention, wanted.hidden));
}

TrainingRun::TrainingRun(const game::Game& game, const Config& config, const RunPaths& paths,
                         const SessionLimit& limit)
    : game_(game),
      config_(config),
      paths_(paths),
      limit_(limit),
      threads_(thread_count(config)),
      report_(game, paths),
      replay_(paths.replay(), config.replay().games_per_shard(), 0),
      checkpoints_(paths.checkpoints()),
      trainer_(game, config, threads_, config.seed(), replay_),
      rater_(game, config, paths.root, threads_) {
  display_.title =
      fmt::format("{} ({}), run {}", game.info().title, game.info().ruleset, paths.root.string());
  restore();
  // A resumed run must not play its first games again.
  const std::uint64_t seed = mcts::Rng(config.seed() + replay_.next_number()).next();
  const bool stagger = config.self_play().stagger_caps() && replay_.games() == 0;
  self_play_.emplace(game, config, threads_, seed, stagger);
}

void TrainingRun::train() {
  while (!limit_.reached() && !finished()) {
    if (new_rows_ < rows_wanted()) play();
    if (limit_.reached()) break;
    if (learn()) make_generation();
    if (!limit_.reached() && rater_.is_due(session_seconds())) rate();
  }
  replay_.sync();
  sync_metrics();
  display_.phase = rater_.has_passed(limit_.until) ? "stopped, " + limit_.until + " is beaten" : "stopped";
  report_.finish(display_);
  report_.log(fmt::format("stop generation={} games={} steps={}", generation_, replay_.games(),
                          trainer_.learner().steps()));
}

bool TrainingRun::finished() const {
  return (config_.generations() > 0 && generation_ >= config_.generations()) ||
         (config_.evaluations() > 0 && evaluations_ >= config_.evaluations()) ||
         rater_.has_passed(limit_.until);
}

// --- What the folder holds. ---

void TrainingRun::restore() {
  replay_.set_window(window_size(config_.replay(), replay_.rows()));
  for (const std::string& warning : replay_.warnings()) report_.warn(warning);
  const bool resumed = restore_learner() || restore_checkpoint();
  if (!resumed && !config_.from().empty()) begin_from(config_.from());
  if (!resumed) models::write_learner_state(paths_.learner(), manifest(), trainer_.learner().state());
  const auto latest = checkpoints_.latest();
  if (!latest || latest->generation != generation_) {
    network_id_ = write_checkpoint().id();
  } else {
    network_id_ = models::read_checkpoint(latest->path).id();
  }
  count_new_rows();
  sync_metrics();
  report_.log(
      fmt::format("{} generation={} games={} rows={} new_rows={} steps={} network={} threads={} device={}",
                  resumed ? "resume" : "begin", generation_, replay_.games(), replay_.rows(), new_rows_,
                  trainer_.learner().steps(), network_id_, threads_, config_.device()));
}

bool TrainingRun::restore_learner() {
  if (!std::filesystem::exists(paths_.learner())) return false;
  try {
    models::Manifest manifest;
    const nn::LearnerState state = models::read_learner_state(paths_.learner(), &manifest);
    // States of before networks could grow do not name their shape: it is that of the newest checkpoint.
    if (const auto latest = checkpoints_.latest(); !manifest.has_shape() && latest)
      *manifest.mutable_shape() = models::read_manifest(latest->path).shape();
    trainer_.restore(models::shape_of(manifest), state);
    adopt(manifest);
    return true;
  } catch (const models::Error& error) {
    report_.warn(
        fmt::format("{}; going on from the newest checkpoint without the optimiser's state", error.what()));
    return false;
  }
}

bool TrainingRun::restore_checkpoint() {
  std::vector<models::StoredCheckpoint> stored = checkpoints_.list();
  std::reverse(stored.begin(), stored.end());
  for (const models::StoredCheckpoint& candidate : stored) {
    try {
      const models::Checkpoint checkpoint = models::read_checkpoint(candidate.path);
      trainer_.restore(models::shape_of(checkpoint.manifest), checkpoint.manifest.steps(),
                       checkpoint.weights);
      adopt(checkpoint.manifest);
      models::write_learner_state(paths_.learner(), manifest(), trainer_.learner().state());
      return true;
    } catch (const models::Error& error) {
      report_.warn(fmt::format("{}; trying the checkpoint before it", error.what()));
    }
  }
  return false;
}

// What was learnt in another game, or by a smaller network, is where this run begins.
void TrainingRun::begin_from(const std::filesystem::path& path) {
  const nn::NetworkShape shape = shape_to_begin_with(game_, config_);
  const models::Checkpoint checkpoint = models::read_checkpoint(path);
  const auto& planes = checkpoint.manifest.planes();
  trainer_.begin_from(
      shape, nn::with_planes(checkpoint.weights, std::vector<std::string>(planes.begin(), planes.end()),
                             nn::Encoder(game_, shape.tactics).planes()));
  network_id_ = checkpoint.id();
}

void TrainingRun::adopt(const models::Manifest& manifest) {
  generation_ = manifest.generation();
  evaluations_ = manifest.evaluations();
  seconds_before_ = manifest.seconds_trained();
  processor_seconds_before_ = manifest.processor_seconds();
}

// The games that the current network has already played, all newer than the window's beginning.
void TrainingRun::count_new_rows() {
  for (const auto& record : replay_.window()) {
    if (record->generation() != generation_) continue;
    for (const PlyRecord& ply : record->plies()) new_rows_ += ply.full_search();
    metrics_.played.add(*record, pieces_taken(game_, *record));
  }
}

// --- Self-play. ---

std::int64_t TrainingRun::rows_wanted() const {
  return generation_ == 0 ? config_.learning().first_generation_rows()
                          : config_.learning().rows_per_generation();
}

// Who evaluates in this generation: the network of generation 0 has learnt nothing, or another game.
SelfPlayConfig::FirstEvaluator TrainingRun::evaluator_now() const {
  const SelfPlayConfig::FirstEvaluator first = config_.self_play().first_evaluator();
  const bool knows_something = !config_.from().empty() && first == SelfPlayConfig::UNIFORM;
  return generation_ > 0 || knows_something ? SelfPlayConfig::NETWORK : first;
}

void TrainingRun::play() {
  const SelfPlayConfig::FirstEvaluator who = evaluator_now();
  const bool by_network = who == SelfPlayConfig::NETWORK;
  const nn::Weights weights = trainer_.learner().ema_weights();
  const EvaluatorFactory make_evaluator = [&]() -> std::unique_ptr<mcts::Evaluator> {
    if (who == SelfPlayConfig::UNIFORM) return std::make_unique<mcts::UniformEvaluator>();
    if (who == SelfPlayConfig::MATERIAL) return std::make_unique<mcts::MaterialEvaluator>(game_);
    nn::TorchEvaluatorOptions options;
    options.device = config_.device();
    return mcts::beside_material(
        std::make_unique<nn::TorchEvaluator>(game_, trainer_.shape(), weights, options), game_,
        config_.self_play().material_share());
  };
  const Clock::time_point begin = Clock::now();
  const SelfPlayStatistics before = self_play_->statistics();
  const std::int64_t games_before = replay_.games();
  ReanalysisQueue reanalysis(by_network ? rows_to_reanalyse() : std::vector<Sample>());
  begin_phase(by_network ? "self-play" : "self-play without a network", rows_wanted());
  const SelfPlayConfig& self_play = config_.self_play();
  self_play_->set_simulations(!by_network && self_play.first_simulations() > 0 ? self_play.first_simulations()
                                                                               : self_play.simulations());
  self_play_->run(
      make_evaluator,
      [&](std::vector<GameRecord> finished) {
        for (GameRecord& record : finished) keep_game(std::move(record));
        const double seconds = std::max(1e-3, seconds_since(begin));
        display_.self_play = metrics_.self_play = self_play_->statistics() - before;
        display_.games_per_second = static_cast<double>(replay_.games() - games_before) / seconds;
        display_.evaluations_per_second = static_cast<double>(metrics_.self_play.evaluations) / seconds;
        show(new_rows_);
        return new_rows_ < rows_wanted() && !limit_.reached();
      },
      &reanalysis);
  for (RenewedRow& row : reanalysis.take()) replay_.renew(row.sample, std::move(row.ply));
  metrics_.self_play_seconds = seconds_since(begin);
  if (by_network) evaluations_ += metrics_.self_play.evaluations;
}

std::vector<Sample> TrainingRun::rows_to_reanalyse() {
  const double share = config_.learning().reanalysed_share();
  const auto count = static_cast<int>(share * static_cast<double>(rows_wanted() - new_rows_));
  if (count <= 0 || replay_.window_rows() == 0) return {};
  mcts::Rng rng(config_.seed() + static_cast<std::uint64_t>(evaluations_));
  return replay_.sample(count, &rng);
}

void TrainingRun::keep_game(GameRecord record) {
  record.set_number(replay_.next_number());
  record.set_generation(generation_);
  record.set_network(network_id_);
  record.set_build(MAKZERO_VERSION);
  for (const PlyRecord& ply : record.plies()) new_rows_ += ply.full_search();
  metrics_.played.add(record, pieces_taken(game_, record));
  report_.add_game(record);
  replay_.add(std::move(record));
}

// --- Learning. ---

double TrainingRun::progress() const {
  double progress = 0;
  if (limit_.deadline)
    progress = session_seconds() / std::chrono::duration<double>(*limit_.deadline - begin_).count();
  if (config_.evaluations() > 0)
    progress =
        std::max(progress, static_cast<double>(evaluations_) / static_cast<double>(config_.evaluations()));
  return std::min(1.0, progress);
}

// Half a cosine from 1 to the final fraction over the last part of the budget.
float TrainingRun::budget_decay() const {
  const LearningConfig& learning = config_.learning();
  const double begin = learning.time_decay_begin();
  const double done = progress();
  if (done <= begin) return 1;
  const double fall = (done - begin) / (1 - begin);
  const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * fall));
  return static_cast<float>(learning.final_learning_rate() + (1 - learning.final_learning_rate()) * cosine);
}

// Once the small network of the beginning has served, or a larger one is asked for.
void TrainingRun::grow() {
  const nn::NetworkShape wanted = progress() < config_.network().grow_at()
                                      ? first_network_shape(game_, config_)
                                      : network_shape(game_, config_);
  if (!nn::can_grow(trainer_.shape(), wanted)) return;
  trainer_.grow(wanted);
  report_.log(
      fmt::format("grow blocks={} channels={} evaluations={}", wanted.blocks, wanted.channels, evaluations_));
}

bool TrainingRun::learn() {
  const Clock::time_point begin = Clock::now();
  const LearningConfig& learning = config_.learning();
  replay_.set_window(window_size(config_.replay(), replay_.rows()));
  trainer_.update_window();
  const auto steps = static_cast<std::int64_t>(
      std::ceil(static_cast<double>(new_rows_) * learning.samples_per_row() / learning.batch()));
  grow();
  begin_phase("learning", steps);
  const std::int64_t steps_before = trainer_.learner().steps();
  trainer_.learner().scale_learning_rate(budget_decay());
  metrics_.learning = trainer_.learn(steps, [&](std::int64_t done) {
    show(done);
    return !limit_.reached();
  });
  metrics_.validation = trainer_.validate(kValidationRows);
  metrics_.learning_seconds = seconds_since(begin);
  return trainer_.learner().steps() > steps_before;
}

void TrainingRun::make_generation() {
  replay_.sync();
  ++generation_;
  models::write_learner_state(paths_.learner(), manifest(), trainer_.learner().state());
  network_id_ = write_checkpoint().id();
  sync_metrics();
  report_.finish_generation(metrics_);
  display_.last = metrics_;
  metrics_.played = GameStatistics();
  metrics_.self_play = SelfPlayStatistics();
  metrics_.rating_seconds = 0;
  new_rows_ = 0;
  nn::release_unused_memory();
}

models::Manifest TrainingRun::manifest() const {
  models::Manifest manifest;
  manifest.set_ruleset(game_.info().ruleset);
  manifest.set_rules_certificate(models::rules_certificate(game_.info().ruleset));
  models::set_shape(trainer_.shape(), &manifest);
  manifest.set_generation(generation_);
  manifest.set_steps(trainer_.learner().steps());
  manifest.set_games(replay_.games());
  manifest.set_evaluations(evaluations_);
  manifest.set_parent(network_id_);
  manifest.set_commit(MAKZERO_VERSION);
  manifest.set_config(config_text(config_));
  manifest.set_created_unix(now_unix());
  manifest.set_material_share(config_.self_play().material_share());
  manifest.set_machine(nn::machine_text());
  manifest.set_seconds_trained(seconds_before_ + session_seconds());
  manifest.set_processor_seconds(processor_seconds_before_ + processor_seconds() - processor_begin_);
  return manifest;
}

models::Checkpoint TrainingRun::write_checkpoint() {
  models::Checkpoint checkpoint =
      models::make_checkpoint(game_, trainer_.shape(), trainer_.learner().ema_weights());
  checkpoint.manifest.MergeFrom(manifest());
  checkpoints_.add(checkpoint);
  return checkpoint;
}

// --- Rating. ---

void TrainingRun::rate() {
  const Clock::time_point begin = Clock::now();
  begin_phase("rating against " + rater_.next_opponent(generation_), config_.rating().games());
  const auto found = rater_.rate(generation_, [&](int played, int games) {
    display_.total = games;
    show(played);
    return !limit_.reached();
  });
  metrics_.rating_seconds = seconds_since(begin);
  if (!found) return;
  metrics_.elo = found->rating.elo;
  metrics_.elo_low = found->rating.low;
  metrics_.elo_high = found->rating.high;
  metrics_.rated_generation = generation_;
  sync_metrics();
  const MatchScore& score = found->score;
  report_.log(fmt::format(
      "rating generation={} evaluations={} opponent={} games={} wins={} draws={} losses={} score={:.3f} "
      "score_by_material={:.3f} captures={:.1f} decisive={:.3f} elo={:.0f} elo_low={:.0f} elo_high={:.0f}",
      generation_, evaluations_, found->opponent, score.games, score.wins, score.draws, score.losses,
      score.score(), score.score_by_material(), score.captures_per_game, score.decisive_share(),
      found->rating.elo, found->rating.low, found->rating.high));
}

// --- Telling. ---

double TrainingRun::session_seconds() const { return seconds_since(begin_); }

void TrainingRun::sync_metrics() {
  metrics_.generation = generation_;
  metrics_.seconds = seconds_before_ + session_seconds();
  metrics_.games = replay_.games();
  metrics_.rows = replay_.rows();
  metrics_.evaluations = evaluations_;
  metrics_.steps = trainer_.learner().steps();
  metrics_.window_rows = replay_.window_rows();
  GenerationMetrics& last = display_.last;
  last.generation = generation_;
  last.seconds = metrics_.seconds;
  last.games = metrics_.games;
  last.rows = metrics_.rows;
  last.evaluations = evaluations_;
  last.steps = metrics_.steps;
  last.elo = metrics_.elo;
  last.elo_low = metrics_.elo_low;
  last.elo_high = metrics_.elo_high;
  last.rated_generation = metrics_.rated_generation;
}

void TrainingRun::begin_phase(const std::string& name, std::int64_t total) {
  sync_metrics();
  display_.phase = name;
  display_.done = 0;
  display_.total = total;
  report_.begin_phase(display_);
}

void TrainingRun::show(std::int64_t done) {
  display_.done = done;
  display_.last.games = replay_.games();
  display_.last.rows = replay_.rows();
  display_.elapsed_seconds = session_seconds();
  if (limit_.deadline)
    display_.seconds_left =
        std::max(0.0, std::chrono::duration<double>(*limit_.deadline - Clock::now()).count());
  report_.update(display_);
}

}  // namespace makzero::train
