// Searches of games that are played: from a game to a searcher, and from its result to the move that is
// played.
#pragma once

#include <cstdint>
#include <vector>

#include "mcts/searcher.h"
#include "play/played_game.h"

namespace makzero::play {

using mcts::Limits;
using mcts::Line;
using mcts::SearchInfo;

// Begins to search the position of the game. REQUIRES: it has legal moves.
void begin_search(const PlayedGame& game, const Limits& limits, mcts::Searcher* searcher);

// The same limits as a searcher takes them: with a seed that differs from ply to ply, and as many lines as
// are shown or sampled from.
Limits searcher_limits(const PlayedGame& game, Limits limits, std::uint64_t seed, int lines);

// Whether the move is sampled: by a temperature, or for variety in the first plies.
bool samples(const PlayedGame& game, const Limits& limits);

// The result with its sampled move, the same for the same position and seed, and with the best `lines`; 0 =
// all that a tree has visited, one of alpha-beta.
SearchInfo with_choice(SearchInfo info, const PlayedGame& game, const Limits& limits, std::uint64_t seed,
                       int lines);

}  // namespace makzero::play
