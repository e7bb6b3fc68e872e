// How match games begin: a few random moves that leave both sides a game.
#pragma once

#include <cstdint>
#include <vector>

#include "game/game.h"

namespace makzero::train {

// `plies` random legal moves from the initial position; drawn anew while they end the game or give a side
// more than two men that it had not before. The seed fixes them. Throws models::Error when a thousand draws
// found none.
std::vector<game::Move> draw_match_opening(const game::Game& game, int plies, std::uint64_t seed);

}  // namespace makzero::train
