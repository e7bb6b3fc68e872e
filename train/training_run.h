// A run in progress: the state that its folder holds, and the phases that carry it on.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "game/game.h"
#include "models/checkpoint.h"
#include "models/store.h"
#include "train/config.pb.h"
#include "train/display.h"
#include "train/metrics.h"
#include "train/rater.h"
#include "train/replay_store.h"
#include "train/report.h"
#include "train/run_folder.h"
#include "train/self_play.h"
#include "train/trainer.h"

namespace makzero::train {

// When a session ends.
struct SessionLimit {
  const std::atomic<bool>* stop = nullptr;  // Set from outside: a signal handler or another thread.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::string until;  // The run is finished once it has passed this player of the ladder; empty = never.

  bool reached() const {
    return stop->load(std::memory_order_relaxed) ||
           (deadline && std::chrono::steady_clock::now() >= *deadline);
  }
};

// Of all threads of this process so far.
double processor_seconds();

// The shape that the network of config.from() has with the planes of this game. Throws models::Error where
// there is no such checkpoint, or one that a run of this configuration cannot begin with. REQUIRES: from is
// not empty.
nn::NetworkShape shape_to_begin_with(const game::Game& game, const Config& config);

// A generation: self-play with the current network, learning, a checkpoint, perhaps a rating. The learner's
// state on disk says which generation is running; the games of that generation say how far its self-play is.
// So a killed process loses the games in flight, and learns again from the same games what it had not saved.
// Game and configuration must outlive it. Throws models::Error.
class TrainingRun {
 public:
  // Goes on with what the folder holds, or begins.
  TrainingRun(const game::Game& game, const Config& config, const RunPaths& paths, const SessionLimit& limit);

  // Generation after generation until the limit; then everything is saved.
  void train();

 private:
  using Clock = std::chrono::steady_clock;

  bool finished() const;  // All that was asked for is done, or the opponent is beaten.
  void restore();
  bool restore_learner();
  bool restore_checkpoint();
  void begin_from(const std::filesystem::path& path);
  void adopt(const models::Manifest& manifest);
  void count_new_rows();

  SelfPlayConfig::FirstEvaluator evaluator_now() const;
  void play();
  std::vector<Sample> rows_to_reanalyse();
  void keep_game(GameRecord record);
  double progress() const;     // Of the budget of time or evaluations, in [0, 1]; 0 without one.
  float budget_decay() const;  // Factor of the learning rate.
  void grow();                 // The network, where that is due.
  bool learn();                // Whether there was anything to learn from.
  void make_generation();      // What was learnt becomes the next network, on disk.
  void rate();
  void sync_metrics();  // The totals of the run so far.

  models::Manifest manifest() const;
  models::Checkpoint write_checkpoint();
  std::int64_t rows_wanted() const;
  double session_seconds() const;
  void begin_phase(const std::string& name, std::int64_t total);
  void show(std::int64_t done);

  const game::Game& game_;
  const Config& config_;
  RunPaths paths_;
  SessionLimit limit_;
  Clock::time_point begin_ = Clock::now();
  double processor_begin_ = processor_seconds();
  int threads_;
  Report report_;
  ReplayStore replay_;
  models::CheckpointStore checkpoints_;
  Trainer trainer_;
  Rater rater_;
  std::optional<SelfPlay> self_play_;

  std::int64_t generation_ = 0;   // Of the network that plays.
  std::int64_t evaluations_ = 0;  // Of the network in self-play so far.
  double seconds_before_ = 0;     // Wall clock of earlier sessions.
  double processor_seconds_before_ = 0;
  std::int64_t new_rows_ = 0;  // Of self-play in this generation.
  std::string network_id_;     // Of the checkpoint that plays.
  GenerationMetrics metrics_;  // Of the running generation.
  DisplayState display_;
};

}  // namespace makzero::train
