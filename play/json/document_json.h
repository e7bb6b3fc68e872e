// Game documents as JSON, for the page: tags, what is said of the moves, and their variations. Nothing throws
// on foreign JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "game/parsed.h"
#include "play/notation/game_document.h"

namespace makzero::play {

// What a review calls a move by what it loses, the worst first: [{"word": "Blunder", "glyph": "??", "nag": 4,
// "loss": 0.15}, ...]; a loss of at least so much of the expected result in [0, 1].
nlohmann::json judgements_json();

// played_game_json(), and: {"result": "1-0", "tags": [[name, value], ...], "comment"?, "eval"?: of the start,
// "line": the main line, "dialect"?, "guess"?, "fault"?: as GameDocument says them,
// "rulesEnd"?: {"ply", "result", "reason"}: where record and rules part}.
// A line is [{"move", "written", "nags"?: [2], "eval"?: {"centipawns" | "mate", "depth"?}, "clock"?, "time"?:
// seconds, "comment"?, "variations"?: [[...], ...]}]; variations stand at the move that they replace.
nlohmann::json document_json(const GameDocument& document);

// document_reader.h's split_games() and read_document() for texts that may also be JSON: such an object, or a
// list of them.
std::vector<std::string> split_documents(std::string_view text);
game::Parsed<GameDocument> read_any_document(std::string_view text, std::string_view ruleset);

// Answers {"text", "game"?: of a text that does not name it, "number"?: which of its games, from 1}:
// document_json() of that game, "number", and "of": how many there are.
game::Parsed<nlohmann::json> read_games_json(const nlohmann::json& query, std::string* field);

// A document as "text", "pgn", "playok", "thai" (PGN in such letters) or "json".
game::Parsed<std::string> write_document(const GameDocument& document, std::string_view format);

// {"text"}: a game as {"format": "text" (as it is without), "pgn", "playok", "thai" or "json"} wants it.
game::Parsed<nlohmann::json> write_game_json(const PlayedGame& game, const nlohmann::json& query,
                                             std::string* field);

// Adds "tags", "comment", "eval" and "line" of such an object to a game: moves of the main line must be those
// of the game, or "line" is missing. "written" is not read. A failure sets `field` to the key that is wrong.
game::Parsed<GameDocument> document_from_json(const PlayedGame& game, const nlohmann::json& query,
                                              std::string* field);

}  // namespace makzero::play
