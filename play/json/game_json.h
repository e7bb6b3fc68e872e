// Games, positions and searches as JSON: the one form that every front end sees. Free of threads, files and
// LibTorch, so that it also compiles to WebAssembly. Nothing throws on foreign JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/parsed.h"
#include "mcts/search.h"
#include "mcts/value.h"
#include "nn/encoder.h"
#include "play/engine/search_info.h"
#include "play/message.h"
#include "play/played_game.h"

namespace makzero::play {

// {text, values}: a sentence that front ends translate (languages/).
nlohmann::json message_json(const Message& message);

// Every named ruleset: [{game, title, family: "chess"|"men", summary, width, kinds, hasHands, hasCounting,
// options: [{name, values | minimum and maximum, value}]}].
nlohmann::json games_json();

// The names of the pieces by their letters.
nlohmann::json kinds_json(const game::GameInfo& info);

// How a game stands, with all that a board needs: see GameState in api.json.
nlohmann::json state_json(const PlayedGame& game);

// The side that a text names: "w", "W" or "white". None where it names no side.
std::optional<game::Color> side_from_json(const nlohmann::json& text);

// The game of {"game", "start"?, "moves"?, "ended"?}, played through: moves and the words "count" and "stop",
// each perhaps with its side, ["w", "a3a5"], then an end that the rules do not know, "0-1 resignation". A
// failure sets `field` to the key that is wrong.
game::Parsed<PlayedGame> played_game_from_json(const nlohmann::json& query, std::string* field);

// {"game", "start"?, "moves", "ended"?}: what played_game_from_json() reads back.
nlohmann::json played_game_json(const PlayedGame& game);

// A search result: {moveInfos, rootInfo, best, timeMs, exactMoves?}. All values are for the side to move at
// the root.
nlohmann::json search_info_json(const PlayedGame& game, const SearchInfo& info);

// What the network alone thinks of the legal moves, most likely first: [{move, prior}]. Empty without one.
nlohmann::json policy_json(const PlayedGame& game, const SearchInfo& info);

// The position as a network sees it: {names, planes: [[64 values]], mover}.
nlohmann::json planes_json(const PlayedGame& game, const nn::Encoder& encoder);

// The moves after a line of moves from `game`, most visits first: [{move, visits, prior, wdl, expandable}].
// REQUIRES: the line is legal.
nlohmann::json tree_json(const PlayedGame& game, const std::vector<game::Move>& line,
                         const std::vector<mcts::RootMove>& moves);

// Levels of nesting that a text may have: values are copied and written by recursion.
inline constexpr int kDeepestJson = 128;

// The value of a text; discarded where the text is not JSON or is nested too deeply.
nlohmann::json parse_json(std::string_view text, bool* too_deep = nullptr);

// On one line; bytes that are not UTF-8, as an error message may quote them, are replaced.
std::string json_text(const nlohmann::json& value);

}  // namespace makzero::play
