// One number that proves that the rules of a game still are what they were.
#pragma once

#include <cstdint>

#include "game/game.h"

namespace makzero::game {

// Hash of random games from the start to their ends: of the texts of their positions, the legal moves in
// whatever order, and the outcomes. It is the same on every machine; any change of the rules that shows in
// such games changes it.
std::uint64_t rules_signature(const Game& game);

}  // namespace makzero::game
