// Games in and out as PGN; and the reader of either form of saved games, PGN or the text of played_game.h.
//
// The chess family is written in standard algebraic notation, the other games by their own moves. The tag
// Variant names the game as Fairy-Stockfish does, Ruleset the rules exactly; FEN and SetUp stand where the
// start is another. Declarations are comments: {count}, {stop}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "game/parsed.h"
#include "play/played_game.h"

namespace makzero::play {

// What the game does not know of itself.
struct PgnTags {
  std::string event = "?", site = "?", date = "????.??.??", round = "?", white = "?", black = "?";
};

// `outcome` may be a resignation that the rules do not know.
std::string game_pgn(const PlayedGame& game, const game::Outcome& outcome, const PgnTags& tags = {});

// Reads one game, tags without regard to case, comments and variations left out. A failure says where.
game::Parsed<PlayedGame> read_pgn(std::string_view text);

// The games of a text, each to be read alone: of PGN and of what a run leaves in RUN/games as many as there
// are, of saved games one. They look into `text`.
std::vector<std::string_view> split_games(std::string_view text);

// Reads one game in either form, the first of several.
game::Parsed<PlayedGame> read_game(std::string_view text);

}  // namespace makzero::play
