#include "train/run/run_log.h"

#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <numeric>

#include "models/framed_file.h"
#include "train/replay/game_replay.h"
#include "train/run/figures.h"
#include "train/run/losses_json.h"

namespace makzero::train {
namespace {

constexpr size_t kSampleGames = 4;
constexpr size_t kMostWorkers = 200;         // Of those that status.json lists.
constexpr std::chrono::seconds kStatus{5};   // Between two status files of a phase.
constexpr std::chrono::seconds kFigures{1};  // Between two states of the figures.

std::shared_ptr<spdlog::logger> open_log(const std::filesystem::path& path) {
  auto log = std::make_shared<spdlog::logger>(
      "train", std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string()));
  log->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  log->flush_on(spdlog::level::info);
  return log;
}

// The games of the running generation, under the names of metrics.jsonl.
nlohmann::ordered_json played_json(const GameStatistics& played) {
  nlohmann::ordered_json json = {{"games", played.games()}};
  for (const GameFigure& figure : kGameFigures) json[figure.name] = (played.*figure.value)();
  for (const auto& [reason, games] : played.reasons()) json["reasons"][reason] = games;
  return json;
}

nlohmann::ordered_json hub_json(const HubState& hub) {
  nlohmann::ordered_json json;
  json["away"] = hub.is_away;
  json["backlog"] = hub.backlog;
  json["kept"] = hub.games.kept;
  json["refused"] = hub.games.refused;
  json["worker_count"] = hub.workers.size();
  json["games_per_second"] =
      std::accumulate(hub.workers.begin(), hub.workers.end(), 0.0,
                      [](double sum, const WorkerState& worker) { return sum + worker.games_per_second; });
  json["workers"] = nlohmann::ordered_json::array();
  for (const WorkerState& worker : hub.workers) {
    if (json["workers"].size() >= kMostWorkers) break;
    json["workers"].push_back({{"name", worker.name},
                               {"threads", worker.threads},
                               {"games", worker.games},
                               {"games_per_second", worker.games_per_second},
                               {"network", worker.network},
                               {"generation", worker.generation},
                               {"spooled", worker.spooled},
                               {"silent_seconds", std::round(worker.silent_seconds)}});
  }
  return json;
}

// Empty without one.
std::string baseline_text(const std::optional<BaselineFigures>& baseline) {
  if (!baseline) return "";
  std::string text;
  for (const BaselineFigure& figure : kBaselineFigures)
    text += fmt::format(" baseline_{}={:.{}f}", figure.name, (*baseline).*figure.value, figure.digits);
  return text;
}

// Empty without small networks.
std::string small_text(const GenerationMetrics& metrics) {
  if (metrics.small_rows == 0) return "";
  return fmt::format(" small_rows={} small_steps={} small={:.4f} held_out_small={:.4f} least_small={:.4f}",
                     metrics.small_rows, metrics.small.steps, metrics.small.learning,
                     metrics.small.validation, metrics.small.entropy);
}

// " draws=0.250 decided=0.500 ...".
std::string played_text(const GameStatistics& played) {
  std::string text;
  for (const GameFigure& figure : kGameFigures)
    text += fmt::format(" {}={:.{}f}", figure.key, (played.*figure.value)(), figure.digits);
  return text;
}

}  // namespace

Report::Report(GamePool* pool, std::string games, const RunPaths& paths, Display* display)
    : pool_(pool),
      games_(std::move(games)),
      paths_(paths),
      log_(open_log(paths.log())),
      tensorboard_(paths.tensorboard()),
      display_(display) {
  std::filesystem::create_directories(paths.games());
}

void Report::note(const std::string& line) {
  log_->info(line);
  display_->note(line);
}

void Report::warn(const std::string& line) {
  log_->warn(line);
  display_->note("warning: " + line);
}

void Report::begin_phase(const DisplayState& state) {
  write_status(state);
  display_->update(state);
}

void Report::update(const DisplayState& state) {
  display_->update(state);
  const auto now = std::chrono::steady_clock::now();
  if (gauges_ && now >= next_figures_) {
    next_figures_ = now + kFigures;
    show_figures(state, gauges_);
  }
  if (now >= next_status_) write_status(state);
}

void Report::add_game(const GameRecord& record) {
  samples_.push_back(record);
  if (samples_.size() > kSampleGames) samples_.pop_front();
}

void Report::finish_generation(const GenerationMetrics& metrics, std::span<const RowLoss> largest) {
  append_line(paths_.metrics(), metrics_json(metrics));
  models::write_text_file(paths_.losses(), losses_json(metrics.generation, largest));
  tensorboard_.add(metrics.generation, scalars(metrics));
  write_samples(metrics.generation);
  samples_.clear();
  log(fmt::format(
      "generation number={} games={} rows={} steps={} policy={:.4f} value={:.4f} held_out_policy={:.4f} "
      "held_out_value={:.4f}{} evaluations_per_second={:.0f} replay_ratio={:.2f} cores={:.2f} "
      "card={:.2f}{}{}",
      metrics.generation, metrics.games, metrics.rows, metrics.steps, metrics.learning[nn::Head::kPolicy],
      metrics.learning[nn::Head::kValue], metrics.validation[nn::Head::kPolicy],
      metrics.validation[nn::Head::kValue], played_text(metrics.played),
      metrics.self_play_seconds > 0
          ? static_cast<double>(metrics.self_play.evaluations) / metrics.self_play_seconds
          : 0,
      metrics.replay_ratio(), metrics.core_share(), metrics.card_share(), baseline_text(metrics.baseline),
      small_text(metrics)));
}

void Report::finish(const DisplayState& state) {
  write_status(state);
  display_->note(display_line(state));
}

void Report::write_samples(std::int64_t generation) {
  std::string text;
  for (const GameRecord& record : samples_) text += game_text(*pool_->rules_of(record.ruleset()), record);
  if (!text.empty()) models::write_text_file(paths_.games() / fmt::format("{:06}.txt", generation), text);
}

void Report::write_status(const DisplayState& state) {
  next_status_ = std::chrono::steady_clock::now() + kStatus;
  if (state.last.generation == 0) write_samples(0);  // Something to see before the first network.
  const GenerationMetrics& last = state.last;
  nlohmann::ordered_json status;
  status["phase"] = state.phase;
  status["ruleset"] = games_;
  status["generation"] = last.generation;
  status["games"] = last.games;
  status["rows"] = last.rows;
  status["evaluations"] = last.evaluations;
  status["steps"] = last.steps;
  status["seconds"] = last.seconds;
  if (last.elo.known()) {
    status["elo"] = last.elo.elo;
    status["rated_generation"] = last.elo.generation;
  }
  status["done"] = state.done;
  status["total"] = state.total;
  if (state.phase_seconds_left) status["phase_seconds_left"] = *state.phase_seconds_left;
  if (state.played.games() > 0) status["played"] = played_json(state.played);
  if (state.hub) status["hub"] = hub_json(*state.hub);
  if (state.seconds_left) status["seconds_left"] = *state.seconds_left;
  status["process"] = getpid();
  status["updated_unix"] = std::time(nullptr);
  models::write_text_file(paths_.status(), status.dump(2) + "\n");
}

}  // namespace makzero::train
