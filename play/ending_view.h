// Exact values of the legal moves as people read them: "win in 7: Rb6 Kc5".
#pragma once

#include <vector>

#include "mcts/searcher.h"
#include "play/message.h"
#include "play/played_game.h"

namespace makzero::play {

// Moves of one value, for the side to move.
struct EndingGroup {
  mcts::EndingValue value;
  Message text;  // The value, in moves; of a win those that a running count leaves too.
  std::vector<game::Move> moves;
};

// The moves that the search knows exactly, best first. Empty where it knows none.
std::vector<EndingGroup> ending_view(const PlayedGame& game, const mcts::SearchInfo& info);

}  // namespace makzero::play
