// Page on what a game's counts are worth, from its exact endings.
#pragma once

#include <string>

#include "game/game.h"
#include "mcts/endings/endings.h"

namespace makzero::play {

// Markdown. REQUIRES: the game has counting, and the endings have a table of every class of it.
std::string counts_page(const game::Game& game, const mcts::Endings& endings);

}  // namespace makzero::play
