// Moves of the chess family in standard algebraic notation, as Fairy-Stockfish writes it: "Nd2", "exd6=M",
// "R1a4+", "Kb8#".
#pragma once

#include <string>
#include <string_view>

#include "game/game.h"
#include "game/parsed.h"

namespace makzero::play {

// REQUIRES: the game is of the chess family, the move is legal.
std::string san_text(const game::Game& game, const game::Position& position, game::Move move);

// The legal move that a text names, in standard algebraic notation (marks of check, mate and comment may be
// missing) or as game::parse_move() reads it. A failure says why.
game::Parsed<game::Move> parse_san(const game::Game& game, const game::Position& position,
                                   std::string_view text);

}  // namespace makzero::play
