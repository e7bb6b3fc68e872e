// Other games at every start: in the first plies one of the moves that are nearly as good as the best.
#pragma once

#include <span>

#include "mcts/rng.h"
#include "mcts/search.h"
#include "play/engine/search_info.h"

namespace makzero::play {

// How many plies of a game against people are varied.
inline constexpr int kVariedPlies = 12;

// How far a move may be behind the best, of the mover's expected result in [-1, 1]: 2 % of a game.
inline constexpr float kVarietyLoss = 0.04f;

// The best move, or one that has at least a quarter of its visits and is at most kVarietyLoss behind it; the
// better ones more often. A proven win is always played. REQUIRES: a result with moves.
game::Move varied_move(const mcts::SearchResult& result, game::Color mover, mcts::Rng* rng);

// The same of the candidates of alpha-beta, best first, whatever their visits. REQUIRES: there is one.
game::Move varied_move(std::span<const Line> lines, mcts::Rng* rng);

}  // namespace makzero::play
