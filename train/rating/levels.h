// The levels of a network: measured by matches, written into the manifest of its model.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "train/match/arena.h"
#include "train/progress.h"
#include "train/rating/level_scale.h"

namespace makzero::train {

struct LevelOptions {
  int nodes = 0;                  // Per move of the highest level: see Strength.
  std::filesystem::path records;  // A folder for the matches, which may be those of other checkpoints too.
  // Games between neighbouring levels: the interval of their score is 13 % wide.
  MatchOptions match = {.games = 200};
};

// Plays what the records lack. None when it was stopped: what is finished is kept and the next call goes on
// from there. Throws models::Error: damaged files, or a player that has no ten levels (see LevelFinder).
std::optional<std::vector<PlacedLevel>> measure_levels(const game::Game& game,
                                                       const models::PlayerSpec& player,
                                                       const LevelOptions& options,
                                                       const ShowProgress& progress);

// Replaces the levels of the player's network in its model and its card, atomically; weights and ids stay.
// REQUIRES: a tower or a small network.
void write_levels(const models::PlayerSpec& player, const std::vector<PlacedLevel>& levels, int nodes);

// A header and a line per level, for people.
std::string levels_table(const std::vector<PlacedLevel>& levels, int nodes);

}  // namespace makzero::train
