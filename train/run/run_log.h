// What a run leaves for people and tools: log, status, metrics, TensorBoard events, sample games, the
// display.
#pragma once

#include <spdlog/logger.h>

#include <chrono>
#include <deque>
#include <memory>
#include <span>
#include <string>

#include "models/store.h"
#include "train/gauges.h"
#include "train/learning/row_losses.h"
#include "train/run/display.h"
#include "train/run/metrics.h"
#include "train/run/tensorboard.h"
#include "train/run_folder.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// Not thread-safe. Pool and display must outlive it. Throws models::Error when a file cannot be written.
class Report {
 public:
  // `games` is what the run trains, as its configuration says.
  Report(GamePool* pool, std::string games, const RunPaths& paths, Display* display);

  // A line of RUN/train.log: "event key=value key=value".
  void log(const std::string& line) { log_->info(line); }
  // The same in prose, and shown.
  void note(const std::string& line);
  void warn(const std::string& line);

  // RUN/status.json says this from now on, and the display shows it.
  void begin_phase(const DisplayState& state);
  void update(const DisplayState& state);

  // Shows the figures there too, from now on.
  void show_in(Gauges* gauges) { gauges_ = gauges; }

  // Keeps a few of the games of the running generation as samples.
  void add_game(const GameRecord& record);

  // The figures of a generation go everywhere, its sample games to RUN/games/GENERATION.txt, its largest
  // losses to RUN/losses.json, where they replace those of the generation before.
  void finish_generation(const GenerationMetrics& metrics, std::span<const RowLoss> largest);

  void finish(const DisplayState& state);

 private:
  void write_status(const DisplayState& state);
  void write_samples(std::int64_t generation);

  GamePool* pool_;
  std::string games_;
  RunPaths paths_;
  std::shared_ptr<spdlog::logger> log_;
  TensorBoardWriter tensorboard_;
  Display* display_;
  std::deque<GameRecord> samples_;
  Gauges* gauges_ = nullptr;
  std::chrono::steady_clock::time_point next_status_, next_figures_;
};

}  // namespace makzero::train
