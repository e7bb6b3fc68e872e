// Reader of game documents in every form that people have: PGN, bare moves, saved games, UCI `position` lines
// and positions alone, in every dialect of dialect.h.
//
// A game that its file does not name is the one that the caller says, else the one in which its moves are
// legal. A record is what happened: it goes on past an end that players may overlook, and stops at an illegal
// move; what was read until there is kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "game/parsed.h"
#include "play/notation/game_document.h"

namespace makzero::play {

// Text of a file as UTF-8 with plain line ends (game/plain_text.h); bytes that are no UTF-8 are Windows-874,
// Thai.
std::string document_text(std::string_view bytes);

// The games of a text, each to be read alone. They look into `text`.
std::vector<std::string_view> split_games(std::string_view text);

// Reads one game, the first of several; `ruleset`: of a text that does not name its game, empty: unknown. A
// failure says where nothing could be read, GameDocument::fault where the rest could not.
game::Parsed<GameDocument> read_document(std::string_view text, std::string_view ruleset = "");

}  // namespace makzero::play
