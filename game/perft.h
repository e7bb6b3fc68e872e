// Counts the leaves of the game tree: the test of every move generator.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "game/game.h"

namespace makzero::game {

// The number of move sequences of exactly `depth` plies; 1 at depth 0. Draw rules do not end a sequence, a
// decided board does.
std::uint64_t perft(const Game& game, const Position& position, int depth);

// The same per legal move, in the order of legal_moves(). REQUIRES: depth >= 1.
std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Game& game, const Position& position,
                                                         int depth);

}  // namespace makzero::game
