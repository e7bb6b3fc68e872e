// Look-up in the zoo's table of who is the stronger.
#pragma once

#include <chrono>
#include <string_view>

#include "models/strength.pb.h"

namespace makzero::models {

// The row of the table that says most of these players: of the device, else of the CPU; of the nearest time.
// Null where there is none.
const StrengthRow* find_strength(const StrengthTable& table, std::string_view game, std::string_view player,
                                 std::string_view opponent, std::chrono::milliseconds time,
                                 std::string_view device);

// True if the player of the row is the stronger: by the rules; where that is even, by material.
bool is_stronger(const StrengthRow& row);

}  // namespace makzero::models
