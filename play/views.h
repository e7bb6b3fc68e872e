// Check, counts, exact values and the end of a game, as people are told them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mcts/searcher.h"
#include "play/message.h"
#include "play/played_game.h"

namespace makzero::play {

// "White", "Black": texts of the catalogue.
const char* side_name(game::Color side);

// The kings of the side to move that the enemy could take.
game::Bitboard checked_kings(const PlayedGame& game);

// A count towards a draw.
struct CountView {
  std::string name;                    // "Board's honour".
  int moves = 0;                       // Of the limit, so far.
  int limit = 0;                       // In moves.
  int left = 0;                        // Until only a win with the next moves is not a draw.
  std::optional<game::Color> counter;  // None: the count binds both sides alike.
  Message text;                        // All of it as a sentence.
};

// None where no count runs.
std::optional<CountView> count_view(const game::GameInfo& info, const game::Position& position);

// Moves of one value, for the side to move.
struct EndingGroup {
  mcts::EndingValue value;
  Message text;  // The value, in moves; of a win those that a running count leaves too.
  std::vector<game::Move> moves;
};

// The moves that the search knows exactly, best first. Empty where it knows none.
std::vector<EndingGroup> ending_view(const PlayedGame& game, const mcts::SearchInfo& info);

// Why it is over, without who won: "Black has no men left". `outcome` may be a resignation that the rules do
// not know. REQUIRES: outcome.over().
Message outcome_cause(const PlayedGame& game, const game::Outcome& outcome);

// The side that lost; none in a draw.
std::optional<game::Color> loser_of(game::Result result);

}  // namespace makzero::play
