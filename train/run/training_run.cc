#include "train/run/training_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <ctime>
#include <future>
#include <stop_token>
#include <utility>

#include "mcts/material_evaluator.h"
#include "models/file_io.h"
#include "nn/machine.h"
#include "nn/system.h"
#include "train/config.h"
#include "train/replay/game_replay.h"
#include "train/replay/shard_index.h"
#include "train/run/kept_checkpoints.h"
#include "train/run/needs.h"

namespace makzero::train {
namespace {

int self_play_threads(const Config& config, int threads) {
  const int wanted = config.self_play().threads();
  return config.deterministic() || wanted < 0 ? threads : wanted;
}

// A resumed run must not play its first games again.
std::uint64_t self_play_seed(const Config& config, const RunGames& games) {
  return mcts::Rng(config.seed() + games.next_number()).next();
}

std::string title_of(const GamePool& pool, const Config& config, const RunPaths& paths) {
  const std::string run = paths.root.string();
  if (pool.size() > 1) return fmt::format("{} ({} games), run {}", config.game(), pool.size(), run);
  return fmt::format("{} ({}), run {}", pool.games().front()->info().title, config.game(), run);
}

}  // namespace

TrainingRun::TrainingRun(const std::vector<game::GamePtr>& games, const Config& config, const RunPaths& paths,
                         const SessionLimit& limit, RemoteGames* remote)
    : config_(config),
      schedule_(schedule_of(config)),
      paths_(paths),
      faults_(ledger_faults(paths.root, LedgerDepth::kQuick)),
      pool_(games, config.rulesets()),
      state_({.limit = limit, .threads = thread_count(config)}),
      report_(&pool_, config.game(), paths),
      games_(config, paths, remote != nullptr),
      checkpoints_(paths.checkpoints()),
      networks_(&pool_, config, paths, state_.threads),
      evaluators_(&pool_, config),
      self_play_(&pool_, config, self_play_threads(config, state_.threads), self_play_seed(config, games_),
                 games_.games() == 0),
      ratings_(pool_, config, paths, limit.until, state_.threads),
      baselines_(pool_, config, models::Zoo::standard()),
      remote_(remote) {
  report_.shown().title = title_of(pool_, config, paths);
  report_.shown().last.threads = self_play_threads(config, state_.threads);
  if (remote_)
    remote_->begin(&pool_, config.game(),
                   {[this](GameRecord record) { keep(std::move(record)); }, [this] { games_.sync(); }},
                   games_.marks());
  load();
}

void TrainingRun::train() {
  while (!is_finished()) {
    play();
    if (state_.limit.reached()) break;
    const Played played = std::exchange(played_, {});
    Learnt learnt = learn(played);
    if (learnt.steps > 0) publish(played, std::move(learnt));
    rate();
  }
  finish();
}

bool TrainingRun::is_finished() const {
  return state_.limit.reached() ||
         (config_.generations() > 0 && state_.generation >= config_.generations()) ||
         (config_.evaluations() > 0 && state_.evaluations >= config_.evaluations()) ||
         ratings_.has_reached_goal();
}

// --- What the folder holds. ---

void TrainingRun::load() {
  const auto warn = [this](const std::string& text) { report_.warn(text); };
  for (const LedgerFault& fault : faults_) warn(fault.file.string() + ": " + fault.what);
  games_.update_window();
  const RunNetworks::Loaded loaded = networks_.load(faults_, warn);
  network_id_ = loaded.parent;
  if (loaded.counters) {
    state_.generation = loaded.counters->generation();
    state_.evaluations = loaded.counters->evaluations();
    state_.earlier_seconds = loaded.counters->seconds_trained();
    state_.earlier_processor_seconds = loaded.counters->processor_seconds();
  }
  state_.steps = networks_.steps();
  playing_for_ = state_.generation;
  if (!loaded.has_state) networks_.save(manifest());
  for (const std::string& warning : games_.warnings()) warn(warning);
  for (const std::string& warning : baselines_.warnings()) warn(warning);
  begin(loaded);
}

void TrainingRun::begin(const RunNetworks::Loaded& loaded) {
  network_ = networks_.tower();
  const auto latest = checkpoints_.latest();
  const bool has_checkpoint = latest && latest->generation == state_.generation;
  // After a kill the small networks of the checkpoint play on: those of the learner are a generation newer.
  if (has_checkpoint && config_.self_play().small_share() > 0) {
    set_small_networks(small_networks_for(pool_, models::read_head(latest->path).small_networks));
  } else {
    set_small_networks(networks_.small());
  }
  if (has_checkpoint) {
    network_id_ = models::read_model(latest->path).id();
  } else {
    write_checkpoint();
  }
  games_.for_each_of(state_.generation, [this](const GameRecord& record) { count(record); });
  played_.earlier_games = played_.all_games;
  account();
  hand_out();
  report_.log(
      fmt::format("{} generation={} games={} rows={} new_rows={} steps={} network={} threads={} device={}",
                  loaded.is_resumed ? "resume" : "begin", state_.generation, games_.games(), games_.rows(),
                  rows_of(played_), state_.steps, network_id_, state_.threads, config_.device()));
  report_.shown().last.run = totals();
  if (!networks_.has_tower()) return;
  const RunNeeds needs = needs_of(config_, network_);
  report_.note(needs_text(needs));
  for (const std::string& line : shortages(needs, free_space(paths_.root))) report_.warn(line);
  if (state_.generation == 0) report_.note(first_network_text(config_.learning()));
  if (const std::string note = precision_note(config_, networks_.in_bf16()); !note.empty())
    report_.note(note);
}

// Until they have learnt something they count material.
void TrainingRun::set_small_networks(std::optional<SmallNetworks> learnt) {
  if (config_.self_play().small_share() == 0) return;
  small_networks_ =
      std::make_shared<const SmallNetworks>(learnt ? *std::move(learnt) : small_networks_for(pool_));
  self_play_.set_small_networks(small_networks_);
}

// --- Self-play. ---

bool TrainingRun::by_alpha_beta() const {
  return !networks_.has_tower() || evaluator_of(config_, state_.generation) == SelfPlayConfig::ALPHA_BETA;
}

std::int64_t TrainingRun::rows_of(const Played& played) const {
  return by_alpha_beta() ? played.small_rows : played.rows;
}

std::int64_t TrainingRun::rows_wanted() const {
  const LearningConfig& learning = config_.learning();
  if (!networks_.has_tower()) return learning.small_rows_per_generation();
  if (state_.generation == 0) return learning.bootstrap_rows();
  // A training that goes on from a checkpoint alone fills the window before its first step.
  const bool are_first = games_.rows() <= played_.rows + played_.small_rows;
  const std::int64_t least = are_first ? config_.replay().minimum_window() : 0;
  return std::max<std::int64_t>(learning.rows_per_generation(), least);
}

void TrainingRun::play() {
  const auto has_played = [this] { return rows_of(played_) >= rows_wanted(); };
  if (has_played()) return;
  const bool has_network =
      by_alpha_beta() || evaluator_of(config_, state_.generation) == SelfPlayConfig::NETWORK;
  begin_phase(Activity::kPlaying, has_network ? "self-play" : "self-play without a network", rows_wanted());
  play_while([&] { return !has_played() && !state_.limit.reached(); }, [this] { return rows_of(played_); });
}

void TrainingRun::play_while(const std::function<bool()>& goes_on,
                             const std::function<std::int64_t()>& done) {
  const SelfPlayConfig::BootstrapEvaluator who = evaluator_of(config_, state_.generation);
  const bool by_network = who == SelfPlayConfig::NETWORK;
  const PlayingNetwork network{network_, network_id_};
  const EvaluatorFactory make_evaluator = [&]() -> std::unique_ptr<mcts::Evaluator> {
    if (!by_network) return make_bootstrap_evaluator(who);
    return evaluators_.make_network(network);
  };
  if (by_network && networks_.has_tower() && self_play_.games_in_flight() > 0) evaluators_.load(network);
  self_play_.set_phase(phase_of(config_, who, state_.generation));
  const RunState::Clock::time_point begin = RunState::Clock::now();
  const SelfPlayStatistics before = self_play_statistics();
  const SelfPlayStatistics earlier = played_.self_play;
  const double earlier_seconds = played_.seconds;
  self_play_.run(make_evaluator, [&](std::vector<GameRecord> finished) {
    for (GameRecord& record : finished) {
      if (remote_) remote_->wait_until_held();
      record.set_network(network_id_);
      record.set_build(MAKZERO_VERSION);
      keep(std::move(record));
    }
    if (remote_) remote_->collect();
    played_.self_play = earlier;
    played_.self_play += self_play_statistics() - before;
    played_.seconds = earlier_seconds + seconds_since(begin);
    show(done());
    return goes_on();
  });
  warn_of_card_memory();
  if (by_network) state_.evaluations += (self_play_statistics() - before).evaluations;
}

void TrainingRun::keep(GameRecord record) {
  record.set_generation(playing_for_);
  state_.evaluations += record.evaluations();  // Those of a worker; 0 in a game of this process.
  count(record);
  if (!is_small_game(record) || !networks_.has_tower()) report_.add_game(record);
  games_.add(std::move(record));
}

void TrainingRun::count(const GameRecord& record) {
  const bool is_small = is_small_game(record);
  ++played_.all_games;
  (is_small ? played_.small_rows : played_.rows) += count_rows(record);
  if (!is_small || by_alpha_beta())
    played_.games.add(record, pieces_taken(*pool_.rules_of(record.ruleset()), record));
}

SelfPlayStatistics TrainingRun::self_play_statistics() const {
  SelfPlayStatistics statistics = self_play_.statistics();
  if (evaluators_.has_card()) {
    const nn::BatchingStatistics card = evaluators_.card_statistics();
    statistics.batches = card.batches;
    statistics.card_seconds = card.running_seconds;
  }
  return statistics;
}

void TrainingRun::warn_of_card_memory() {
  if (evaluators_.card_row_limit() >= card_row_limit_) return;
  card_row_limit_ = evaluators_.card_row_limit();
  report_.warn(
      fmt::format("the card has memory for {} rows of a batch of {}: lower self_play.max_batch, or end what "
                  "else uses the card (nvidia-smi)",
                  card_row_limit_, config_.self_play().max_batch()));
}

// --- Learning. ---

// Of workers that are faster than the learner more rows come, and each is learnt from less often: else every
// generation would take longer than the one before.
Learnt TrainingRun::learn(const Played& played) {
  static constexpr std::int64_t kMostGenerations = 4;
  const auto learnt_of = [this](std::int64_t rows, std::int64_t wanted) {
    return remote_ ? std::min(rows, kMostGenerations * wanted) : rows;
  };
  spend_on(Activity::kLearning);
  const RunNetworks::Steps steps =
      networks_.prepare(&games_, learnt_of(rows_of(played), rows_wanted()),
                        learnt_of(played.small_rows, config_.learning().small_rows_per_generation()),
                        rate_factor(), [this](const std::string& text) { report_.warn(text); });
  if (steps.has_grown)
    report_.log(fmt::format("grow blocks={} channels={} evaluations={}", config_.network().blocks(),
                            config_.network().channels(), state_.evaluations));
  const bool beside = config_.learning().beside_self_play() && !config_.deterministic() &&
                      evaluator_of(config_, state_.generation) == SelfPlayConfig::NETWORK;
  playing_for_ = state_.generation + 1;
  begin_phase(Activity::kLearning, beside ? "learning beside self-play" : "learning", steps.sum());
  Learnt learnt = beside ? learn_beside_self_play(steps) : networks_.learn(steps, [this](std::int64_t done) {
    show(done);
    if (remote_) remote_->collect();
    return !state_.limit.reached();
  });
  playing_for_ = state_.generation;
  state_.steps = networks_.steps();
  return learnt;
}

// The networks before play for the next generation. Those that learn are another thread's meanwhile.
Learnt TrainingRun::learn_beside_self_play(const RunNetworks::Steps& steps) {
  std::atomic<std::int64_t> done = 0;  // For the display alone: no order needed.
  std::stop_source stop;               // Self-play has failed.
  auto learning = std::async(std::launch::async, [&] {
    return networks_.learn(steps, [&](std::int64_t step) {
      done.store(step, std::memory_order_relaxed);
      return !stop.stop_requested() && !state_.limit.reached();
    });
  });
  const auto is_learning = [&](std::chrono::milliseconds wait) {
    return learning.wait_for(wait) != std::future_status::ready;
  };
  const auto steps_done = [&] { return done.load(std::memory_order_relaxed); };
  try {
    play_while(
        [&] {
          return is_learning({}) && played_.rows < config_.learning().rows_per_generation() &&
                 !state_.limit.reached();
        },
        steps_done);
  } catch (...) {
    stop.request_stop();  // The future waits for the thread.
    throw;
  }
  while (is_learning(std::chrono::milliseconds(200))) {
    show(steps_done());
    if (remote_) remote_->collect();
  }
  return learning.get();
}

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

float TrainingRun::rate_factor() const {
  return schedule_.empty() ? budget_decay(progress()) : schedule_.factor(games_.tower_rows());
}

// --- Networks. ---

void TrainingRun::publish(const Played& played, Learnt learnt) {
  spend_on(Activity::kWaiting);
  games_.sync();
  if (remote_) remote_->wait_until_held();
  playing_for_ = ++state_.generation;
  networks_.save(manifest());
  learnt.annealed = anneal();
  network_ = networks_.tower();
  set_small_networks(networks_.small());
  account();  // A checkpoint names the games that it was trained on.
  write_checkpoint();
  if (networks_.has_tower()) learnt.baseline = baselines_.compare(network_);
  spend_on(Activity::kWaiting);
  report_.finish_generation({.run = totals(),
                             .played = played,
                             .learnt = std::move(learnt),
                             .threads = self_play_threads(config_, state_.threads),
                             .seconds_of = std::exchange(seconds_of_, {}),
                             .elo = elo_,
                             .small_elo = small_elo_});
  account();
  delete_surplus();
  hand_out();
  nn::release_unused_memory();
}

// Of a copy that finishes learning, after generations 4, 8, 16 ...; in RUN/annealed/GENERATION.mzc.
std::optional<AnnealedFigures> TrainingRun::anneal() {
  static constexpr std::uint64_t kFirst = 4;
  const auto generation = static_cast<std::uint64_t>(state_.generation);
  if (!networks_.has_tower() || config_.learning().annealed_share() == 0 || generation < kFirst ||
      !std::has_single_bit(generation))
    return std::nullopt;
  std::optional<AnnealedFigures> figures;
  networks_.anneal(
      schedule_.factor(games_.tower_rows()),
      [this](std::int64_t steps) { begin_phase(Activity::kLearning, "learning with a falling rate", steps); },
      [this](std::int64_t done) {
        show(done);
        if (remote_) remote_->collect();
        return !state_.limit.reached();
      },
      [&](const nn::Network& network, std::int64_t steps, const nn::Losses& validation) {
        const std::filesystem::path file = paths_.annealed(state_.generation);
        std::filesystem::create_directories(file.parent_path());
        models::Manifest metadata = manifest();
        metadata.set_steps(steps);
        models::write_model(file, model_of(metadata, network));
        figures = AnnealedFigures{validation, baselines_.compare(network)};
      });
  return figures;
}

void TrainingRun::write_checkpoint() {
  const models::Model checkpoint = model_of(manifest(), network_);
  checkpoints_.add(checkpoint);
  network_id_ = checkpoint.id();
}

void TrainingRun::hand_out() {
  if (remote_)
    remote_->publish({network_id_, state_.generation},
                     models::read_text_file(checkpoints_.path(state_.generation)));
}

void TrainingRun::account() { write_ledger(paths_.root, state_.generation, games_.indices()); }

// A ledger without the files is on disk before they go.
void TrainingRun::delete_surplus() {
  std::vector<std::filesystem::path> files = games_.delete_oldest();
  if (const int newest = config_.checkpoints().keep(); newest > 0) {
    for (std::filesystem::path& file : surplus_checkpoints(paths_, newest)) files.push_back(std::move(file));
  }
  if (files.empty()) return;
  forget_files(paths_.root, files);
  for (const std::filesystem::path& file : files) std::filesystem::remove(file);
}

models::Manifest TrainingRun::manifest() const {
  models::Manifest manifest;
  manifest.set_generation(state_.generation);
  manifest.set_steps(state_.steps);
  manifest.set_evaluations(state_.evaluations);
  manifest.set_commit(MAKZERO_VERSION);
  manifest.set_config(config_text(config_));
  manifest.set_created_unix(std::time(nullptr));
  models::set_search_options(search_options(config_), &manifest);
  manifest.set_machine(nn::machine_text());
  manifest.set_seconds_trained(state_.seconds());
  manifest.set_processor_seconds(state_.processor_seconds());
  manifest.set_parent(network_id_);
  return manifest;
}

models::Model TrainingRun::model_of(models::Manifest metadata, const nn::Network& network) const {
  models::Model model;
  if (networks_.has_tower()) {
    model = models::make_model(*pool_.games().front(), network);
  } else {
    model.manifest.set_ruleset(pool_.games().front()->info().ruleset);
  }
  if (small_networks_) {
    for (const auto& [game, small] : *small_networks_) model.small_networks.push_back(small);
  }
  set_games_trained(pool_, &metadata);
  metadata.set_games(games_.games());
  metadata.set_rows(games_.rows());
  metadata.set_data_hash(data_hash(paths_.root));
  metadata.set_device(config_.device());
  metadata.set_command(command_of(config_));
  model.manifest.MergeFrom(metadata);
  return model;
}

// --- Ratings. ---

// A turn for each game.
void TrainingRun::rate() {
  for (int i = 0; i < pool_.size() && !state_.limit.reached(); ++i) {
    if (!ratings_.is_due(state_.generation, state_.session_seconds())) return;
    std::stop_source stop;
    const auto turn = ratings_.rate(
        state_.generation, stop.get_token(),
        [this](const std::string& what) { begin_phase(Activity::kRating, what, config_.rating().games()); },
        [&](int played, int games) {
          report_.shown().total = games;
          show(played);
          if (remote_) remote_->collect();
          if (state_.limit.reached()) stop.request_stop();
        });
    spend_on(Activity::kWaiting);
    if (!turn) continue;
    tell(*turn);
    if (!turn->verdict.empty()) continue;
    EloFigures& elo = turn->is_beside ? small_elo_ : elo_;
    elo = ratings_.mean(turn->is_beside, state_.generation);
    report_.shown().last.elo = elo_;
    report_.shown().last.small_elo = small_elo_;
  }
}

void TrainingRun::tell(const RatedTurn& turn) {
  const MatchScore& score = turn.found.score;
  std::string line = fmt::format(
      "rating ruleset={} generation={} network={} evaluations={} opponent={} games={} wins={} draws={} "
      "losses={} score={:.3f} score_by_material={:.3f} captures={:.1f} decisive={:.3f}",
      turn.ruleset, state_.generation, turn.is_small ? "small" : "tower", state_.evaluations,
      turn.found.opponent, score.games, score.wins, score.draws, score.losses, score.score(),
      score.score_by_material(), score.captures_per_game, score.decisive_share());
  if (const Rating& rating = turn.found.rating; turn.verdict.empty())
    line += fmt::format(" elo={:.0f} elo_low={:.0f} elo_high={:.0f}", rating.elo, rating.low, rating.high);
  report_.log(line);
  if (!turn.verdict.empty()) report_.note(fmt::format("generation {}, {}", state_.generation, turn.verdict));
  if (turn.found.is_best) report_.log(fmt::format("best generation={}", state_.generation));
  if (turn.found.behind_best)
    report_.warn(
        fmt::format("generation {} is {:.0f} Elo weaker than the best so far, {} ({} games): see the losses, "
                    "or lower learning.learning_rate",
                    state_.generation, *turn.found.behind_best, turn.found.opponent, score.games));
}

// --- Telling. ---

void TrainingRun::spend_on(Activity activity) {
  const RunState::Clock::time_point now = RunState::Clock::now();
  if (activity_begin_ != RunState::Clock::time_point())
    seconds_of_[static_cast<std::size_t>(activity_)] +=
        std::chrono::duration<double>(now - activity_begin_).count();
  activity_ = activity;
  activity_begin_ = now;
}

void TrainingRun::begin_phase(Activity activity, const std::string& name, std::int64_t total) {
  spend_on(activity);
  report_.shown().last.run = totals();
  report_.begin_phase(name, total);
}

void TrainingRun::show(std::int64_t done) {
  DisplayState& shown = report_.shown();
  shown.played = played_;
  const bool is_before_first = networks_.has_tower() && state_.generation == 0 && playing_for_ == 0;
  shown.next =
      is_before_first ? first_network_text(config_.learning(), shown.phase_seconds_left) : std::string();
  shown.last.run = totals();
  if (remote_) shown.hub = remote_->state();
  shown.elapsed_seconds = state_.session_seconds();
  shown.seconds_left = state_.seconds_left();
  report_.show(done);
}

RunTotals TrainingRun::totals() const {
  return {.generation = state_.generation,
          .seconds = state_.seconds(),
          .processor_seconds = state_.processor_seconds(),
          .games = games_.games(),
          .rows = games_.rows(),
          .evaluations = state_.evaluations,
          .steps = state_.steps,
          .window_rows = games_.window_rows(),
          .small_window_rows = networks_.has_tower() ? games_.small_window_rows() : 0};
}

void TrainingRun::finish() {
  if (remote_) remote_->finish();
  games_.sync();
  report_.shown().last.run = totals();
  const bool is_beaten = ratings_.has_reached_goal();
  report_.finish(is_beaten ? "stopped, " + state_.limit.until + " is beaten" : "stopped");
  for (const std::string& verdict : ratings_.verdicts()) report_.note(verdict);
  report_.log(
      fmt::format("stop generation={} games={} steps={}", state_.generation, games_.games(), state_.steps));
  account();
}

}  // namespace makzero::train
