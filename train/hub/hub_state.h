// How a hub and the workers of a run are, as its trainer sees them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "train/hub/intake.h"

namespace makzero::train {

// As the worker reported itself last.
struct WorkerState {
  std::string name;
  int threads = 0;
  std::string network;          // Id of the one that plays.
  std::int64_t generation = 0;  // Its generation.
  std::int64_t games = 0;       // Since the worker's start, as the next ones.
  std::int64_t resends = 0;
  double games_per_second = 0;
  std::int64_t spooled = 0;   // Games that the trainer does not have on its disk.
  double silent_seconds = 0;  // Since its report changed, by the trainer's clock.
};

struct HubState {
  bool is_away = false;
  std::size_t backlog = 0;  // Games in the streams.
  IntakeCounts games;
  std::vector<WorkerState> workers;  // Those that have reported within the last minute, by name.
};

// Follows the reports of workers. The clocks of other machines do not matter: a worker is there while its
// report changes. Not thread-safe.
class WorkerWatch {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::chrono::seconds kSilence{60};

  // `reports`: JSON by name, from anybody: what cannot be read is left out.
  void update(const std::map<std::string, std::string>& reports, Clock::time_point now = Clock::now());

  std::vector<WorkerState> workers(Clock::time_point now = Clock::now()) const;

 private:
  struct Report {
    std::string text;
    std::optional<WorkerState> state;  // None where it cannot be read.
    Clock::time_point changed;
    bool has_changed = false;  // Not since the first look: it may be of a worker that is long gone.
  };
  std::map<std::string, Report> reports_;
};

}  // namespace makzero::train
