// Moves by chance: for levels below the best play, and for games that differ from each other.
#pragma once

#include <span>

#include "mcts/rng.h"
#include "mcts/searcher.h"

namespace makzero::mcts {

// A move with probability proportional to policy^(1 / temperature): the larger the temperature the more
// random. REQUIRES: there is a line, temperature > 0.
game::Move sample_move(std::span<const Line> lines, float temperature, Rng* rng);

// Plies of a game against people that are varied.
inline constexpr int kVariedPlies = 12;

// Candidates that alpha-beta searches where a move is sampled from them at this temperature; 0: where it is
// varied. The warmer, the more moves have a chance; by and by, so that the strength has no step.
int sampled_lines(float temperature);

// Distance of a varied move from the best, of the mover's expected result in [-1, 1]: 2 % of a game.
inline constexpr float kVarietyLoss = 0.04f;

// The best move, or one with at least a quarter of its visits that is at most kVarietyLoss behind it; the
// better ones more often. A proven win or loss is played as it is. REQUIRES: there is a line.
game::Move varied_move(std::span<const Line> lines, Rng* rng);

}  // namespace makzero::mcts
