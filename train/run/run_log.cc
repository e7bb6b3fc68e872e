#include "train/run/run_log.h"

#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "models/framed_file.h"
#include "nn/system.h"
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
nlohmann::ordered_json played_json(const Played& played) {
  static constexpr std::string_view kPrefix = "games/";
  nlohmann::ordered_json json = {{"games", played.games.games()}};
  const GenerationMetrics now{.played = played};
  for (const Figure& figure : figures()) {
    if (!figure.name.starts_with(kPrefix) || figure.log.key.empty()) continue;
    json[figure.name.substr(kPrefix.size())] = *figure.value(now);
  }
  for (const auto& [reason, games] : played.games.reasons()) json["reasons"][reason] = games;
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

}  // namespace

Report::Report(GamePool* pool, std::string games, const RunPaths& paths)
    : pool_(pool),
      games_(std::move(games)),
      paths_(paths),
      log_(open_log(paths.log())),
      tensorboard_(paths.tensorboard()),
      display_(&std::cout, nn::is_terminal(1)) {
  std::filesystem::create_directories(paths.games());
}

void Report::note(const std::string& line) {
  log_->info(line);
  display_.note(line);
}

void Report::warn(const std::string& line) {
  log_->warn(line);
  display_.note("warning: " + line);
}

void Report::begin_phase(const std::string& name, std::int64_t total) {
  shown_.phase = name;
  shown_.done = 0;
  shown_.total = total;
  shown_.phase_seconds_left.reset();
  phase_begin_ = std::chrono::steady_clock::now();
  phase_done_ = -1;
  write_status();
  display_.update(shown_);
}

void Report::show(std::int64_t done) {
  const auto now = std::chrono::steady_clock::now();
  if (phase_done_ < 0) phase_done_ = done;
  shown_.done = done;
  if (done > phase_done_) {
    const std::chrono::duration<double> seconds = now - phase_begin_;
    shown_.phase_seconds_left = seconds.count() *
                                static_cast<double>(std::max<std::int64_t>(0, shown_.total - done)) /
                                static_cast<double>(done - phase_done_);
  }
  display_.update(shown_);
  if (gauges_ && now >= next_figures_) {
    next_figures_ = now + kFigures;
    show_figures(shown_, gauges_);
  }
  if (now >= next_status_) write_status();
}

void Report::add_game(const GameRecord& record) {
  samples_.push_back(record);
  if (samples_.size() > kSampleGames) samples_.pop_front();
}

void Report::finish_generation(const GenerationMetrics& metrics) {
  const std::int64_t generation = metrics.run.generation;
  append_line(paths_.metrics(), metrics_json(metrics));
  models::write_text_file(paths_.losses(), losses_json(generation, metrics.learnt.largest));
  tensorboard_.add(generation, scalars(metrics));
  write_samples(generation);
  samples_.clear();
  log(fmt::format("generation number={}{}", generation, log_columns(metrics)));
  shown_.last = metrics;
}

void Report::finish(const std::string& how) {
  shown_.phase = how;
  write_status();
  display_.note(display_line(shown_));
}

void Report::write_samples(std::int64_t generation) {
  std::string text;
  for (const GameRecord& record : samples_) text += game_text(*pool_->rules_of(record.ruleset()), record);
  if (!text.empty()) models::write_text_file(paths_.games() / fmt::format("{:06}.txt", generation), text);
}

void Report::write_status() {
  next_status_ = std::chrono::steady_clock::now() + kStatus;
  const GenerationMetrics& last = shown_.last;
  const RunTotals& run = last.run;
  if (!samples_.empty())
    shown_.game = game_line(*pool_->rules_of(samples_.back().ruleset()), samples_.back());
  if (run.generation == 0) write_samples(0);  // Something to see before the first network.
  nlohmann::ordered_json status;
  status["phase"] = shown_.phase;
  status["ruleset"] = games_;
  status["generation"] = run.generation;
  status["games"] = run.games;
  status["rows"] = run.rows;
  status["evaluations"] = run.evaluations;
  status["steps"] = run.steps;
  status["seconds"] = run.seconds;
  if (last.elo.known()) {
    status["elo"] = last.elo.elo;
    status["rated_generation"] = last.elo.generation;
  }
  status["done"] = shown_.done;
  status["total"] = shown_.total;
  if (shown_.phase_seconds_left) status["phase_seconds_left"] = *shown_.phase_seconds_left;
  if (shown_.played.games.games() > 0) status["played"] = played_json(shown_.played);
  if (shown_.hub) status["hub"] = hub_json(*shown_.hub);
  if (shown_.seconds_left) status["seconds_left"] = *shown_.seconds_left;
  status["process"] = getpid();
  status["updated_unix"] = std::time(nullptr);
  models::write_text_file(paths_.status(), status.dump(2) + "\n");
}

}  // namespace makzero::train
