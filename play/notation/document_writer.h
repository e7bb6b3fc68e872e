// Writer of game documents: as PGN, and as the text of saved games.
//
// PGN: the chess family in standard algebraic notation, PlayOK's or Thai, the other games by their own moves.
// The tag Variant names the game as Fairy-Stockfish does, Ruleset the rules exactly; FEN and SetUp name the
// start where it is another, and always in the chess family, which PyChess would begin from chess's start;
// Termination says why the game ended. Other tags are kept in their order. Declarations are comments:
// {count}, {stop}. Evaluations, clocks and judgements are as lichess writes them.
//
// Text: one "key value" per line, ruleset, tag, start, moves and result; the moves are coordinates, with all
// that PGN has between moves.
#pragma once

#include <string>

#include "play/notation/game_document.h"
#include "play/notation/written_move.h"

namespace makzero::play {

std::string game_pgn(const GameDocument& document, Notation notation = Notation::kLetters);
std::string game_text(const GameDocument& document);

}  // namespace makzero::play
