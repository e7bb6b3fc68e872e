// What a run leaves for people and tools: log, status, metrics, TensorBoard events, sample games, the
// display.
#pragma once

#include <spdlog/logger.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "models/store.h"
#include "train/gauges.h"
#include "train/run/display.h"
#include "train/run/metrics.h"
#include "train/run/tensorboard.h"
#include "train/run_folder.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// Not thread-safe. Pool must outlive it. Throws models::Error when a file cannot be written.
class Report {
 public:
  // `games` is what the run trains, as its configuration says.
  Report(GamePool* pool, std::string games, const RunPaths& paths);

  // A line of RUN/train.log: "event key=value key=value".
  void log(const std::string& line) { log_->info(line); }
  // The same in prose, and shown.
  void note(const std::string& line);
  void warn(const std::string& line);

  // What RUN/status.json says and the display shows.
  DisplayState& shown() { return shown_; }

  // RUN/status.json names it from now on; `total` rows, steps or games.
  void begin_phase(const std::string& name, std::int64_t total);

  // So much of the phase is done; shows it when it is time to.
  void show(std::int64_t done);

  // Shows the figures there too, from now on.
  void show_in(Gauges* gauges) { gauges_ = gauges; }

  // Keeps a few of the games of the running generation as samples, and shows the last.
  void add_game(const GameRecord& record);

  // The figures of a generation go everywhere, its sample games to RUN/games/GENERATION.txt, its largest
  // losses to RUN/losses.json, where they replace those of the generation before.
  void finish_generation(const GenerationMetrics& metrics);

  // `how` it ended.
  void finish(const std::string& how);

 private:
  void write_status();
  void write_samples(std::int64_t generation);

  GamePool* pool_;
  std::string games_;
  RunPaths paths_;
  std::shared_ptr<spdlog::logger> log_;
  TensorBoardWriter tensorboard_;
  Display display_;
  DisplayState shown_;
  std::deque<GameRecord> samples_;
  Gauges* gauges_ = nullptr;
  std::chrono::steady_clock::time_point next_status_, next_figures_, phase_begin_;
  std::int64_t phase_done_ = -1;  // When the phase was first shown; -1 = it was not.
};

}  // namespace makzero::train
