// Games in and out as PGN; and the reader of either form of saved games, PGN or the text of played_game.h.
//
// The chess family is written in standard algebraic notation, the other games by their own moves; both are
// read in any notation of written_move.h. The tag Variant names the game as Fairy-Stockfish does, Ruleset the
// rules exactly; FEN and SetUp stand where the start is another; Termination says why the game ended. Other
// tags are kept as they are, one that is read as Termination where it is not understood.
// Declarations are comments: {count}, {stop}. Evaluations are as lichess writes them, for White: {[%eval
// 0.25]}, {[%eval #-3]}; judgements are "?!", "?", "??" behind the move; variations stand in parentheses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "game/parsed.h"
#include "play/notation/annotated_game.h"
#include "play/played_game.h"

namespace makzero::play {

std::string game_pgn(const AnnotatedGame& game);
std::string game_pgn(const PlayedGame& game, const PgnTags& tags = {});

// Reads one game, tags without regard to case. A failure says where. What cannot be read of a variation is
// left out, as other programs write much there. A result that the rules do not give is kept as an end().
game::Parsed<AnnotatedGame> read_annotated_pgn(std::string_view text);

// The games of a text, each to be read alone: of PGN and of what a run leaves in RUN/games as many as there
// are, of saved games one. They look into `text`.
std::vector<std::string_view> split_games(std::string_view text);

// Reads one game in either form, the first of several; the other form has no annotations.
game::Parsed<AnnotatedGame> read_annotated_game(std::string_view text);
game::Parsed<PlayedGame> read_game(std::string_view text);

}  // namespace makzero::play
