// The levels of a network: measured by matches, written into the manifest of its model.
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
  int nodes = 0;    // Per move of the highest level: see Strength.
  int games = 200;  // Between neighbouring levels: the interval of their score is 13 % wide.
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

// Plays what the records lack. None when it was stopped: what is finished is kept and the next call goes on
// from there. Throws models::Error: damaged files, or a player that has no ten levels (see LevelFinder).
std::optional<std::vector<PlacedLevel>> measure_levels(
    const game::Game& game, const models::PlayerSpec& player, const LevelOptions& options,
    const std::function<void(const LevelProgress&)>& progress);

// Replaces the levels of the player's network in its model and its card, atomically; weights and ids stay.
// REQUIRES: a tower or a small network.
void write_levels(const models::PlayerSpec& player, const std::vector<PlacedLevel>& levels, int nodes);

// A header and a line per level, for people.
std::string levels_table(const std::vector<PlacedLevel>& levels, int nodes);

}  // namespace makzero::train
