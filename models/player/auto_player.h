// Choice of a player where nobody names one.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "models/player/player_spec.h"

namespace makzero::models {

// The word for that choice.
inline constexpr std::string_view kAutoName = "auto";

// Time a move of a player that has no other limit, as its strength is looked up.
inline constexpr std::chrono::milliseconds kUsualTime{1000};

// The zoo's strongest player with levels for the ruleset: its small network, or its tower where that has
// levels and LibTorch is there, and the zoo's table says that it scores more at that time and on that device
// or the small network has no levels. Else the best checkpoint of runs/RULESET, of two networks the
// one that fits the device (network_players()), else alpha-beta by material. Without a strength.
PlayerSpec auto_player(const std::string& ruleset, std::chrono::milliseconds time = kUsualTime,
                       const std::string& device = "cpu");

// Why there is no network, for people; empty where there is one.
std::string auto_note(const std::string& ruleset);

}  // namespace makzero::models
