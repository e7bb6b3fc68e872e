// A trainer on the stored games of a run, outside of the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>

#include "models/model.h"
#include "train/config.h"
#include "train/learning/trainer.h"
#include "train/rate_schedule.h"
#include "train/run/display.h"
#include "train/run/stored_window.h"
#include "train/run_folder.h"

namespace makzero::train {

// Shows how many of the steps are done, and says whether to go on: not where `stop` became true.
std::function<bool(std::int64_t done)> show_steps(std::int64_t steps, DisplayState shown, Display* display,
                                                  const std::stop_token& stop);

// Reports that learning was stopped, which has written nothing.
[[noreturn]] void throw_stopped(const std::filesystem::path& run);

// The run is only read and may go on meanwhile. Not thread-safe.
class OfflineTrainer {
 public:
  // Reads the run's configuration, puts `changes` on top and replays the newest games up to the window. The
  // network begins with random weights. `seed` is added to the configuration's. Throws models::Error.
  OfflineTrainer(const std::filesystem::path& run, const Overrides& changes, std::int64_t seed = 0);

  const Config& config() const { return window_.config; }
  Trainer& trainer() { return trainer_; }
  std::int64_t games() const { return static_cast<std::int64_t>(window_.games.size()); }  // Of the window.

  // Means over the steps. `shown` names what is going on. Throws models::Error where `stop` becomes true.
  nn::Losses learn(std::int64_t steps, RateDecay decay, DisplayState shown, Display* display,
                   const std::stop_token& stop);

  // The averaged weights with the metadata of `run`, but for its parent and its steps.
  models::Model checkpoint(models::Manifest run, const std::string& parent) const;

 private:
  std::filesystem::path run_;
  StoredWindow window_;
  Trainer trainer_;
};

}  // namespace makzero::train
