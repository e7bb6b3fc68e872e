// How match games begin: a few random moves that leave both sides a game, or what a file says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/parsed.h"

namespace makzero::train {

struct MatchOpening {
  game::Position start;
  std::vector<game::Move> moves;
};

// Openings of a file.
struct OpeningBook {
  std::vector<MatchOpening> openings;
  bool exam = false;  // For published matches: what is developed by them is not certified by them.
};

// Reads an opening a line, "startpos" or a position's text, either with "moves a3a4 h6h5" behind it; what
// follows a '#' is a comment. The line "exam" marks an exam. Names `file`, the line and the reason where
// lines are no openings or the game is over after them, of the first three, and where there is none at all.
game::Parsed<OpeningBook> parse_openings(const game::Game& game, std::string_view text,
                                         const std::string& file);

// The text of such a file, with a comment at its top. REQUIRES: they begin from the initial position.
std::string openings_text(const game::Game& game, const OpeningBook& book, const std::string& about);

// `plies` random legal moves from the initial position; drawn anew while they end the game or give a side
// more than two men that it had not before. The seed fixes them. Throws models::Error when a thousand draws
// found none.
std::vector<game::Move> draw_match_opening(const game::Game& game, int plies, std::uint64_t seed);

}  // namespace makzero::train
