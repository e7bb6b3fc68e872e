// One number that proves that the search still behaves as it did.
#pragma once

#include <cstdint>
#include <span>

#include "game/game.h"

namespace makzero::mcts {

struct SignatureCase {
  const game::Game* game = nullptr;
  game::Position start;  // REQUIRES: the game is not over there.
};

// Hash of fixed searches (Gumbel and PUCT, even and pseudo-random evaluations, one leaf and several at a
// time, a kept tree) from every start: of moves, visits, bounds and lines. Any change of selection, backing
// up, move order or rules changes it.
std::uint64_t search_signature(std::span<const SignatureCase> cases);

}  // namespace makzero::mcts
