// Choice of a player where nobody names one.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "models/player/player_spec.h"
#include "models/strength.pb.h"

namespace makzero::models {

// The word for that choice.
inline constexpr std::string_view kAutoName = "auto";

// Time a move of a player that has no other limit, as its strength is looked up.
inline constexpr std::chrono::milliseconds kUsualTime{1000};

// The zoo's strongest player for the ruleset: its small network, or its tower where the zoo's table says that
// it scores more at that time and on that device, or the small network has no levels, and LibTorch is there.
// Else the best network of runs/RULESET, else alpha-beta by material. Without a strength.
PlayerSpec auto_player(const std::string& ruleset, std::chrono::milliseconds time = kUsualTime,
                       const std::string& device = "cpu");

// The row of the table that says most of these players: of the device, else of the CPU; of the nearest time.
// Null where there is none.
const StrengthRow* find_strength(const StrengthTable& table, std::string_view game, std::string_view player,
                                 std::string_view opponent, std::chrono::milliseconds time,
                                 std::string_view device);

// True if the player of the row is the stronger: by the rules; where that is even, by material.
bool is_stronger(const StrengthRow& row);

// Why there is no network, for people; empty where there is one.
std::string auto_note(const std::string& ruleset);

}  // namespace makzero::models
