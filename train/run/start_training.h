// The loop of phases: self-play, learning, checkpoint, rating; one process, a run is a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "game/game.h"
#include "train/gauges.h"

namespace makzero::train {

// What `makzero train` was asked to do.
struct TrainRequest {
  std::string game;           // A ruleset with options, a list of some, or a family: one network learns all.
  std::string preset;         // quick, cpu or gpu; empty = quick, or what the run began with.
  std::filesystem::path run;  // The run folder; empty = runs/GAME, by the names of the rulesets.
  std::optional<double> minutes;  // Of wall clock from now; none = until stopped.
  std::string hub;                // Address of the hub that other machines' games come from; empty = none.
  std::string until;  // A player: the run ends once its newest network beats it; empty = no such end.
  std::optional<std::uint64_t> seed;
  Gauges* gauges = nullptr;  // For those who collect figures.
  std::vector<std::pair<std::string, std::string>>
      overrides;  // Configuration keys ("self_play.simulations") and values.
};

// The folder of the run that is asked for. Throws UsageError where there are no such games.
std::filesystem::path run_folder(const TrainRequest& request);

// The name of a run on a hub: that of its folder.
std::string hub_name(const std::filesystem::path& run);

// Trains until the time is up, `until` is beaten or `stop` becomes true (then the running step is finished
// and checkpointed). Resumes what the run folder holds. Throws models::Error for failures and UsageError for
// a bad configuration.
void run_training(const TrainRequest& request, const std::stop_token& stop);

// A wrong request: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace makzero::train
