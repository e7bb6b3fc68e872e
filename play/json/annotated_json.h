// A game's tree as JSON, for the page: what is said of its moves, and its variations. Nothing throws on
// foreign JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "game/parsed.h"
#include "play/notation/annotated_game.h"

namespace makzero::play {

// The moves of the main line: [{"move", "written", "nags"?: [2], "eval"?: {"centipawns"} | {"mate"},
// "comment"?, "variations"?: [[...], ...]}]; variations stand at the move that they replace.
nlohmann::json line_json(const AnnotatedGame& game);

// What a review calls a move by what it loses, the worst first: [{"word": "Blunder", "glyph": "??", "nag": 4,
// "loss": 0.15}, ...]; a loss of at least so much of the expected result in [0, 1].
nlohmann::json judgements_json();

// A game that was read: played_game_json(), its "result", and its "line".
nlohmann::json read_json(const AnnotatedGame& game);

// Adds such a list to a game: moves of the main line must be those of the game, or "line" is missing.
// "written" is not read. A failure sets `field` to "line".
game::Parsed<AnnotatedGame> annotated_game_from_json(const PlayedGame& game, const nlohmann::json& query,
                                                     std::string* field);

}  // namespace makzero::play
