// Rates a run after the fact: its checkpoints and the ladder play a schedule of paired games.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "train/arena.h"
#include "train/elo.h"

namespace makzero::train {

struct RateOptions {
  int games = 20;  // Per pair of players; more narrow the intervals.
  int checkpoints =
      6;  // At most so many, spread evenly over the generations, the first and the latest among them.
  int simulations = 64;  // Of the networks.
  // From weak to strong. Left out of the ladder: depths 5 and 6, which take up to a minute a game.
  std::vector<std::string> opponents{ladder().begin(), ladder().end() - 2};
  int opening_plies = 4;
  std::uint64_t seed = 1;
  int threads = 2;
  std::string device = "cpu";
};

struct RateProgress {
  std::string a, b;               // Who play.
  int pairing = 0, pairings = 0;  // Number of their match, and how many matches there are at most.
  MatchProgress match;
};

// Plays what the run's match records lack of the schedule: neighbours of the ladder against each other, every
// chosen checkpoint against the one before it and up the ladder until it scores less than one game in ten.
// Returns all ratings. `progress` says whether to go on; stopped, what is finished is kept and the next call
// goes on from there. Throws models::Error: no checkpoint, damaged files, a failing player.
std::vector<Rating> rate_run(const std::filesystem::path& run, const RateOptions& options,
                             const std::function<bool(const RateProgress&)>& progress);

}  // namespace makzero::train
