#include "train/run/run_phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "mcts/material_evaluator.h"
#include "models/file_io.h"
#include "train/config.h"
#include "train/replay/game_replay.h"
#include "train/replay/shard_index.h"
#include "train/run/kept_checkpoints.h"
#include "train/run/ledger.h"
#include "train/run/needs.h"

namespace makzero::train {
namespace {

// A resumed run must not play its first games again.
std::uint64_t self_play_seed(const Config& config, const ReplayStore& replay) {
  return mcts::Rng(config.seed() + replay.next_number()).next();
}

// Where a run has a tower its small networks have matches of their own, on the same ladder.
std::vector<RunRating> open_raters(const GamePool& pool, const Config& config, const RunPaths& paths,
                                   int threads) {
  std::vector<RunRating> ratings;
  const float small_share = config.self_play().small_share();
  const auto add = [&](const game::Game& game, Rater::Rated rated, const std::filesystem::path& store) {
    std::filesystem::create_directories(store);
    const bool is_beside = rated == Rater::Rated::kSmall && small_share < 1;
    ratings.push_back({game.info().ruleset, is_beside,
                       std::make_unique<Rater>(game, config, paths.root, store, threads, rated, !is_beside)});
  };
  for (const game::GamePtr& game : pool.games()) {
    const auto store = pool.size() > 1 ? paths.ratings_of(game->info().ruleset) : paths.root;
    add(*game, small_share < 1 ? Rater::Rated::kTower : Rater::Rated::kSmall, store);
    if (small_share > 0 && small_share < 1)
      add(*game, Rater::Rated::kSmall, paths.ratings_of("small/" + game->info().ruleset));
  }
  return ratings;
}

int self_play_threads(const Config& config, int threads) {
  const int wanted = config.self_play().threads();
  return config.deterministic() || wanted < 0 ? threads : wanted;
}

std::string title_of(const GamePool& pool, const Config& config, const RunPaths& paths) {
  const std::string run = paths.root.string();
  if (pool.size() > 1) return fmt::format("{} ({} games), run {}", config.game(), pool.size(), run);
  return fmt::format("{} ({}), run {}", pool.games().front()->info().title, config.game(), run);
}

// A rated player, for people.
std::string described(const models::PlayerSpec& player) {
  return player.generation() >= 0 ? fmt::format("generation {}", player.generation()) : player.name();
}

}  // namespace

RunPhases::RunPhases(GamePool* pool, const Config& config, const RunPaths& paths, const RunState& run,
                     Display* display, RemoteGames* remote)
    : pool_(pool),
      config_(config),
      paths_(paths),
      run_(run),
      report_(pool, config.game(), paths, display),
      replay_(paths.replay(), config.replay().games_per_shard(), 0),
      checkpoints_(paths.checkpoints()),
      raters_(open_raters(*pool, config, paths, run.threads)),
      baselines_(*pool, config, models::Zoo::standard()),
      evaluators_(pool, config),
      self_play_(pool, config, self_play_threads(config, run.threads), self_play_seed(config, replay_),
                 replay_.games() == 0),
      remote_(remote) {
  if (config.self_play().small_share() > 0) {
    small_replay_.emplace(paths.small_replay(), config.replay().games_per_shard(), 0);
    small_replay_->set_most_rows(0);
  }
  display_.title = title_of(*pool, config, paths);
  if (!remote_) return;
  remote_->begin(pool, config.game(),
                 {[this](GameRecord record) { keep(std::move(record)); }, [this] { sync(); }}, marks());
}

// --- At the beginning. ---

// Workers may send more than a window while the network learns.
void RunPhases::update_window() {
  const std::int64_t rows = window_size(config_.replay(), replay_.rows());
  replay_.set_window(rows);
  if (remote_) replay_.set_most_rows(2 * rows);
  if (!small_replay_ || !has_tower()) return;
  const double share = config_.learning().small_row_share();
  const std::int64_t small_rows = std::max<std::int64_t>(
      std::llround(share / (1 - share) * static_cast<double>(rows)), rows - replay_.window_rows());
  small_replay_->set_window(small_rows);
  small_replay_->set_most_rows(2 * small_rows);
}

std::span<const std::unique_ptr<GameRecord>> RunPhases::small_window() const {
  return small_replay_ ? small_replay_->window() : std::span<const std::unique_ptr<GameRecord>>();
}

void RunPhases::begin(bool resumed, const std::string& parent, const models::Manifest& metadata,
                      const nn::Network& network) {
  for (const std::string& warning : replay_.warnings()) report_.warn(warning);
  if (small_replay_) {
    for (const std::string& warning : small_replay_->warnings()) report_.warn(warning);
  }
  for (const std::string& warning : baselines_.warnings()) report_.warn(warning);
  const auto latest = checkpoints_.latest();
  if (!latest || latest->generation != run_.generation) {
    network_id_ = parent;
    write_model(metadata, network);
  } else {
    network_id_ = models::read_model(latest->path).id();
  }
  count_new_rows();
  account();
  publish();
  sync_metrics();
  steps_before_ = run_.steps;
  report_.log(
      fmt::format("{} generation={} games={} rows={} new_rows={} steps={} network={} threads={} device={}",
                  resumed ? "resume" : "begin", run_.generation, games(), rows(), new_rows(), run_.steps,
                  network_id_, run_.threads, config_.device()));
  if (has_tower()) tell_needs(network);
}

void RunPhases::set_small_networks(SmallNetworks networks) {
  small_networks_ = std::make_shared<const SmallNetworks>(std::move(networks));
  self_play_.set_small_networks(small_networks_);
}

void RunPhases::tell_needs(const nn::Network& network) {
  const RunNeeds needs = needs_of(config_, network);
  report_.note(needs_text(needs));
  for (const std::string& line : shortages(needs, free_space(paths_.root))) report_.warn(line);
  if (run_.generation == 0) report_.note(first_network_text(config_.learning()));
}

// The games that the current network has already played, all newer than the window's beginning.
void RunPhases::count_new_rows() {
  for (const auto& record : replay_.window())
    if (record->generation() == run_.generation) count(*record, &played_);
  if (!small_replay_) return;
  const std::vector<Shard> shards = list_shards(paths_.small_replay());
  bool is_older = false;
  for (auto shard = shards.rbegin(); shard != shards.rend() && !is_older; ++shard) {
    models::Recovery recovery;
    for (const auto& record : read_shard(shard->path, &recovery)) {
      if (record->generation() == run_.generation) {
        count(*record, &played_);
      } else {
        is_older = true;
      }
    }
  }
}

void RunPhases::count(const GameRecord& record, Played* played) {
  const bool is_small = is_small_game(record);
  (is_small ? played->small_rows : played->rows) += count_rows(record);
  if (!is_small || by_alpha_beta())
    played->games.add(record, pieces_taken(*pool_->rules_of(record.ruleset()), record));
}

// --- Self-play. ---

bool RunPhases::by_alpha_beta() const {
  return !has_tower() || evaluator_of(config_, run_.generation) == SelfPlayConfig::ALPHA_BETA;
}

std::int64_t RunPhases::rows_wanted() const {
  const LearningConfig& learning = config_.learning();
  if (!has_tower()) return learning.small_rows_per_generation();
  std::int64_t rows = run_.generation == 0 ? learning.bootstrap_rows() : learning.rows_per_generation();
  // A training that goes on from a checkpoint alone fills the window before its first step.
  const bool first_games = this->rows() <= played_.rows + played_.small_rows;
  if (run_.generation > 0 && first_games) rows = std::max(rows, config_.replay().minimum_window());
  return rows;
}

std::int64_t RunPhases::play(const SelfPlayer& player) {
  const bool by_network = player.evaluator == SelfPlayConfig::NETWORK;
  begin_phase(by_network || by_alpha_beta() ? "self-play" : "self-play without a network", rows_wanted());
  return run_self_play(
      player, [this] { return !has_played() && !run_.limit.reached(); }, [this] { return new_rows(); });
}

std::int64_t RunPhases::play_ahead(const SelfPlayer& player, const std::function<bool()>& learning,
                                   const std::function<std::int64_t()>& steps) {
  const std::int64_t rows = config_.learning().rows_per_generation();
  return run_self_play(
      player, [&] { return learning() && ahead_.rows < rows && !run_.limit.reached(); }, steps);
}

std::int64_t RunPhases::run_self_play(const SelfPlayer& player, const std::function<bool()>& goes_on,
                                      const std::function<std::int64_t()>& done) {
  const bool by_network = player.evaluator == SelfPlayConfig::NETWORK;
  const PlayingNetwork network{player.network, network_id_};
  const EvaluatorFactory make_evaluator = [&]() -> std::unique_ptr<mcts::Evaluator> {
    if (!by_network) return make_bootstrap_evaluator(player.evaluator);
    return mcts::beside_material(evaluators_.make_network(network), player.material_blend_weight);
  };
  const RunState::Clock::time_point begin = RunState::Clock::now();
  if (by_network && has_tower() && self_play_.games_in_flight() > 0) evaluators_.load(network);
  self_play_.set_phase(phase_of(config_, player.evaluator, run_.generation));
  const SelfPlayStatistics before = self_play_statistics();
  const std::int64_t games_before = games();
  SelfPlayStatistics own;
  self_play_.run(make_evaluator, [&](std::vector<GameRecord> finished) {
    for (GameRecord& record : finished) keep_game(std::move(record));
    collect();
    const double seconds = std::max(1e-3, seconds_since(begin));
    display_.self_play = own = self_play_statistics() - before;
    display_.games_per_second = static_cast<double>(games() - games_before) / seconds;
    display_.evaluations_per_second = static_cast<double>(own.evaluations) / seconds;
    display_.positions_per_second = static_cast<double>(own.small_nodes) / seconds;
    show(done());
    return goes_on();
  });
  warn_of_card_memory();
  played_now().self_play += own;
  played_now().seconds += seconds_since(begin);
  const std::int64_t remote_evaluations = remote_ ? remote_->take_evaluations() : 0;
  return remote_evaluations + (by_network ? own.evaluations : 0);
}

SelfPlayStatistics RunPhases::self_play_statistics() const {
  SelfPlayStatistics statistics = self_play_.statistics();
  if (evaluators_.has_card()) {
    const nn::BatchingStatistics card = evaluators_.card_statistics();
    statistics.batches = card.batches;
    statistics.card_seconds = card.running_seconds;
  }
  return statistics;
}

void RunPhases::warn_of_card_memory() {
  if (evaluators_.card_row_limit() >= card_row_limit_) return;
  card_row_limit_ = evaluators_.card_row_limit();
  report_.warn(
      fmt::format("the card has memory for {} rows of a batch of {}: lower self_play.max_batch, or end what "
                  "else uses the card (nvidia-smi)",
                  card_row_limit_, config_.self_play().max_batch()));
}

void RunPhases::collect() {
  if (remote_) remote_->collect();
}

void RunPhases::publish() {
  if (!remote_) return;
  remote_->publish({network_id_, run_.generation},
                   models::read_text_file(checkpoints_.path(run_.generation)));
}

void RunPhases::keep_game(GameRecord record) {
  require_lease();
  record.set_network(network_id_);
  record.set_build(MAKZERO_VERSION);
  keep(std::move(record));
}

void RunPhases::keep(GameRecord record) {
  const bool is_small = is_small_game(record);
  ReplayStore& store = is_small ? *small_replay_ : replay_;
  record.set_number(store.next_number());
  record.set_generation(run_.generation + (is_learning_ ? 1 : 0));
  count(record, &played_now());
  if (!is_small || !has_tower()) report_.add_game(record);
  store.add(std::move(record));
}

// --- Learning. ---

void RunPhases::begin_learning(const std::string& how, std::int64_t steps) {
  is_learning_ = true;
  begin_phase(how, steps);
}

std::int64_t RunPhases::rows_to_learn() const {
  static constexpr std::int64_t kMostGenerations = 4;
  return remote_ ? std::min(new_rows(), kMostGenerations * rows_wanted()) : new_rows();
}

void RunPhases::warn_of_faults(const std::vector<std::string>& faults) {
  static constexpr std::size_t kMostShown = 3;
  for (std::size_t i = 0; i < std::min(faults.size(), kMostShown); ++i)
    report_.warn("left out of learning: " + faults[i]);
  if (faults.size() > kMostShown)
    report_.warn(fmt::format("left out of learning: {} more games", faults.size() - kMostShown));
}

void RunPhases::set_learnt(const nn::Losses& learning, HeldOutLosses validation, const SmallLosses& small,
                           double seconds) {
  metrics_.small = small;
  metrics_.learning = learning;
  metrics_.validation = validation.mean;
  largest_losses_ = std::move(validation.largest);
  metrics_.learning_seconds = seconds;
}

void RunPhases::make_generation(const models::Manifest& metadata, const nn::Network& network) {
  account();  // A checkpoint names the games that it was trained on.
  write_model(metadata, network);
  sync_metrics();
  metrics_.played = played_.games;
  metrics_.self_play = played_.self_play;
  metrics_.self_play_seconds = played_.seconds;
  metrics_.threads = run_.threads;
  metrics_.small_rows = played_.small_rows;
  if (has_tower()) metrics_.baseline = baselines_.compare(network);
  metrics_.rows_learnt = (run_.steps - steps_before_) * config_.learning().batch();
  steps_before_ = run_.steps;
  report_.finish_generation(metrics_, largest_losses_);
  account();
  delete_surplus();
  display_.last = metrics_;
  is_learning_ = false;
  metrics_.rating_seconds = 0;
  metrics_.annealed.reset();
  played_ = std::exchange(ahead_, {});
  publish();
}

models::Model RunPhases::model_of(models::Manifest metadata, const nn::Network& network) const {
  models::Model model;
  if (has_tower()) {
    model = models::make_model(*pool_->games().front(), network);
  } else {
    model.manifest.set_ruleset(pool_->games().front()->info().ruleset);
  }
  if (small_networks_) {
    for (const auto& [game, small] : *small_networks_) model.small_networks.push_back(small);
  }
  set_games_trained(*pool_, &metadata);
  metadata.set_games(games());
  metadata.set_rows(rows());
  metadata.set_data_hash(data_hash(paths_.root));
  metadata.set_device(config_.device());
  metadata.set_command(command_of(config_));
  metadata.set_parent(network_id_);
  model.manifest.MergeFrom(metadata);
  return model;
}

void RunPhases::write_model(const models::Manifest& metadata, const nn::Network& network) {
  const models::Model checkpoint = model_of(metadata, network);
  checkpoints_.add(checkpoint);
  network_id_ = checkpoint.id();
}

void RunPhases::write_annealed(const models::Manifest& metadata, const nn::Network& network,
                               const nn::Losses& validation) {
  const std::filesystem::path file = paths_.annealed(run_.generation);
  std::filesystem::create_directories(file.parent_path());
  models::write_model(file, model_of(metadata, network));
  metrics_.annealed = AnnealedFigures{validation, baselines_.compare(network)};
}

void RunPhases::account() {
  std::vector<ShardIndex> indices = {replay_.index()};
  if (small_replay_) indices.push_back(small_replay_->index());
  write_ledger(paths_.root, run_.generation, indices);
}

void RunPhases::sync() {
  replay_.sync();
  if (small_replay_) small_replay_->sync();
}

// Of both stores.
WorkerMarks RunPhases::marks() const {
  WorkerMarks marks = replay_.marks();
  if (!small_replay_) return marks;
  for (const auto& [worker, sequence] : small_replay_->marks())
    marks[worker] = std::max(marks[worker], sequence);
  return marks;
}

std::int64_t RunPhases::games() const {
  return replay_.games() + (small_replay_ ? small_replay_->games() : 0);
}

std::int64_t RunPhases::rows() const { return replay_.rows() + (small_replay_ ? small_replay_->rows() : 0); }

// A ledger without the files is on disk before they go.
void RunPhases::delete_surplus() {
  static constexpr double kGigabyte = 1e9;
  const CheckpointsConfig& checkpoints = config_.checkpoints();
  const ReplayConfig& replay = config_.replay();
  std::vector<std::filesystem::path> files;
  if (checkpoints.keep() > 0) files = surplus_checkpoints(paths_, checkpoints.keep());
  if (replay.gigabytes() > 0) {
    const auto most = static_cast<std::uint64_t>(replay.gigabytes() * kGigabyte);
    for (auto& shard : replay_.delete_oldest(most, replay.maximum_window()))
      files.push_back(std::move(shard));
    if (small_replay_) {
      for (auto& shard : small_replay_->delete_oldest(most, replay.small_window()))
        files.push_back(std::move(shard));
    }
  }
  if (files.empty()) return;
  forget_files(paths_.root, files);
  for (const std::filesystem::path& file : files) std::filesystem::remove(file);
}

// --- Rating. ---

bool RunPhases::is_rating_due() const {
  return raters_[next_rated_].rater->is_due(run_.session_seconds() / static_cast<double>(raters_.size()));
}

bool RunPhases::has_passed(const std::string& opponent) const {
  return std::ranges::all_of(raters_, [&](const RunRating& network) {
    return network.is_beside || network.rater->has_passed(opponent);
  });
}

void RunPhases::rate() {
  const RunState::Clock::time_point begin = RunState::Clock::now();
  RunRating& network = raters_[std::exchange(next_rated_, (next_rated_ + 1) % raters_.size())];
  Rater& rater = *network.rater;
  const models::PlayerSpec opponent = rater.next_opponent(run_.generation);
  begin_phase(fmt::format("rating {}{}against {}", network.is_beside ? "small network " : "",
                          pool_->size() > 1 ? network.ruleset + " " : "", described(opponent)),
              config_.rating().games());
  std::stop_source stop;
  const auto found = rater.rate(run_.generation, opponent, stop.get_token(), [&](int played, int games) {
    display_.total = games;
    show(played);
    collect();
    if (run_.limit.reached()) stop.request_stop();
  });
  metrics_.rating_seconds += seconds_since(begin);
  if (!found) return;
  network.rated = found->rating;
  (network.is_beside ? metrics_.small_elo : metrics_.elo) = mean_rating(network.is_beside);
  sync_metrics();
  const MatchScore& score = found->score;
  report_.log(fmt::format(
      "rating ruleset={} generation={} network={} evaluations={} opponent={} games={} wins={} draws={} "
      "losses={} "
      "score={:.3f} score_by_material={:.3f} captures={:.1f} decisive={:.3f} elo={:.0f} elo_low={:.0f} "
      "elo_high={:.0f}",
      network.ruleset, run_.generation, network.is_beside || !has_tower() ? "small" : "tower",
      run_.evaluations, found->opponent, score.games, score.wins, score.draws, score.losses, score.score(),
      score.score_by_material(), score.captures_per_game, score.decisive_share(), found->rating.elo,
      found->rating.low, found->rating.high));
  if (found->is_best) report_.log(fmt::format("best generation={}", run_.generation));
  if (found->behind_best)
    report_.warn(
        fmt::format("generation {} is {:.0f} Elo weaker than the best so far, {} ({} games): see the losses, "
                    "or lower learning.learning_rate",
                    run_.generation, *found->behind_best, found->opponent, score.games));
}

// Of several games the mean of their newest ratings.
EloFigures RunPhases::mean_rating(bool beside) const {
  EloFigures mean;
  double games = 0;
  for (const RunRating& network : raters_) {
    if (!network.rated || network.is_beside != beside) continue;
    mean.elo += network.rated->elo;
    mean.low += network.rated->low;
    mean.high += network.rated->high;
    ++games;
  }
  for (double* figure : {&mean.elo, &mean.low, &mean.high}) *figure /= std::max(games, 1.0);
  mean.generation = run_.generation;
  return mean;
}

// --- Telling. ---

void RunPhases::sync_metrics() {
  metrics_.generation = run_.generation;
  metrics_.seconds = run_.seconds();
  metrics_.games = games();
  metrics_.rows = rows();
  metrics_.evaluations = run_.evaluations;
  metrics_.steps = run_.steps;
  metrics_.window_rows = replay_.window_rows();
  GenerationMetrics& last = display_.last;
  last.generation = run_.generation;
  last.seconds = metrics_.seconds;
  last.games = metrics_.games;
  last.rows = metrics_.rows;
  last.evaluations = run_.evaluations;
  last.steps = metrics_.steps;
  last.elo = metrics_.elo;
  last.small_elo = metrics_.small_elo;
}

void RunPhases::begin_phase(const std::string& name, std::int64_t total) {
  sync_metrics();
  display_.phase = name;
  display_.done = 0;
  display_.total = total;
  display_.phase_seconds_left.reset();
  phase_begin_ = RunState::Clock::now();
  phase_done_ = -1;
  report_.begin_phase(display_);
}

void RunPhases::show(std::int64_t done) {
  display_.done = done;
  if (phase_done_ < 0) phase_done_ = done;
  if (done > phase_done_)
    display_.phase_seconds_left = seconds_since(phase_begin_) *
                                  static_cast<double>(std::max<std::int64_t>(0, display_.total - done)) /
                                  static_cast<double>(done - phase_done_);
  display_.played = played_.games;
  display_.next = has_tower() && run_.generation == 0 && !is_learning_
                      ? first_network_text(config_.learning(), display_.phase_seconds_left)
                      : "";
  display_.last.games = games();
  display_.last.rows = rows();
  display_.last.window_rows = replay_.window_rows();
  if (remote_) display_.hub = remote_->state();
  display_.elapsed_seconds = run_.session_seconds();
  display_.seconds_left = run_.seconds_left();
  report_.update(display_);
}

void RunPhases::finish() {
  if (remote_) remote_->finish();
  sync();
  sync_metrics();
  const std::string& until = run_.limit.until;
  display_.phase = has_passed(until) ? "stopped, " + until + " is beaten" : "stopped";
  report_.finish(display_);
  report_.log(fmt::format("stop generation={} games={} steps={}", run_.generation, games(), run_.steps));
  account();
}

}  // namespace makzero::train
