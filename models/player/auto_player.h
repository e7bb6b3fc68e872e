// Choice of a player where nobody names one.
#pragma once

#include <string>
#include <string_view>

#include "models/player/player_spec.h"

namespace makzero::models {

// The word for that choice.
inline constexpr std::string_view kAutoName = "auto";

// The player of the zoo for the ruleset: its small network where it has measured levels, else its tower; else
// the latest network of runs/RULESET, else alpha-beta by material. Without a strength.
PlayerSpec auto_player(const std::string& ruleset);

// The choice for people: "small network 4f2a91c03b7e, of the zoo"; where there is no network, why.
std::string auto_note(const std::string& ruleset);

}  // namespace makzero::models
