// The rules of a ruleset as JSON, for front ends that lay them out beside a board.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "game/game.h"

namespace makzero::play {

// {"game", "title", "summary", "changes": [{"title", "words"}], "pieces": [{"kind", "name", "moves",
// "colors"}],
//  "sections": [{"heading", "blocks"}]}, a block one of
//   {"text"}
//   {"list": [texts]}
//   {"position", "text", "examples": [{"start", "move", "legal", "captures": [squares], "remark"}]}.
// The ruleset itself judges the examples: one that it cannot set up is left out, and a remark is kept where
// the move does the same as in the game's default rules.
nlohmann::json rules_json(const game::Game& rules);

// The options of a ruleset: {"name", "value", "values" | "minimum", "maximum", "title", "text",
// "words": {value: words}}.
nlohmann::json options_json(const game::GameInfo& info);

// How a named ruleset differs from its game, "A man may also jump ..."; empty for the game's own.
std::string difference(const game::GameInfo& info);

}  // namespace makzero::play
