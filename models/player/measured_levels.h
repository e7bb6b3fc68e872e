// Levels that players were measured at, from their files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/player/level.h"
#include "models/player/player_spec.h"

namespace makzero::models {

// Weakest first; empty where none were measured. A family's tower plays at the levels of the tower of the
// ruleset's game, if there is one (Zoo::levels_of). Throws Error where a file is damaged.
std::vector<PlayerLevel> measured_levels(const PlayerSpec& player, const std::string& ruleset);

// The level with that number. Throws Error where there is none.
PlayerLevel measured_level(const PlayerSpec& player, const std::string& ruleset, std::int64_t number);

}  // namespace makzero::models
