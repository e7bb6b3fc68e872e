// The levels of a checkpoint: measured by matches, written into its manifest.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "nn/backend.h"
#include "train/match/arena.h"
#include "train/rating/level_scale.h"

namespace makzero::train {

struct LevelOptions {
  int simulations = 256;  // Of the highest level.
  int games = 200;        // Between neighbouring levels: the interval of their score is 13 % wide.
  int opening_plies = 4;
  std::uint64_t seed = 1;
  int threads = 2;
  nn::Backend backend = {};
  std::filesystem::path records;  // A folder for the matches, which may be those of other checkpoints too.
  std::stop_token stop = {};
};

struct LevelProgress {
  std::string a, b;  // Who play.
  int matches = 0;   // Begun so far.
  MatchProgress match;
};

// Plays what the records lack. None when it was stopped: what is finished
// is kept and the next call goes on from there. Throws models::Error: no checkpoint, damaged files, or a
// network that has no ten levels (see LevelFinder).
std::optional<std::vector<PlacedLevel>> measure_levels(
    const std::filesystem::path& checkpoint, const LevelOptions& options,
    const std::function<void(const LevelProgress&)>& progress);

// Replaces the levels in the checkpoint's manifest, atomically; its weights and id stay.
void write_levels(const std::filesystem::path& checkpoint, const std::vector<PlacedLevel>& levels,
                  int simulations);

// A header and a line per level, for people.
std::string levels_table(const std::vector<PlacedLevel>& levels, int simulations);

}  // namespace makzero::train
