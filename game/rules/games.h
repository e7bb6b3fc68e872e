// The games of this folder, for the catalog.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/options.h"
#include "game/parsed.h"

namespace makzero::game {

// Named rulesets of one game, the game itself first.
struct Rulesets {
  std::vector<std::string> names;
  // Makes the game of a ruleset with options on top. REQUIRES: the ruleset is one of the names.
  std::function<Parsed<GamePtr>(std::string_view ruleset, const OptionTexts& options)> make;
};

Rulesets makyek_rulesets();
Rulesets apit_rulesets();
Rulesets rek_rulesets();
Rulesets minrekchanh_rulesets();
Rulesets gala_rulesets();
Rulesets hunt_rulesets();
Rulesets makruk_rulesets();
Rulesets makruk_sutra_rulesets();
Rulesets ok_rulesets();
Rulesets kaok_rulesets();
Rulesets low1839_rulesets();

}  // namespace makzero::game
