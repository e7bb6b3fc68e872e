// How self-play games begin: thinned or unbalanced arrangements, endings, and random first plies.
#pragma once

#include <vector>

#include "game/game.h"
#include "mcts/rng.h"
#include "train/config.pb.h"

namespace makzero::train {

struct Opening {
  game::Position start;           // Of the game: the initial position, or one with fewer pieces.
  std::vector<game::Move> moves;  // Played at random from there; the game is not over after them.
};

// Draws an opening. Kings ("K") are never taken off, and no arrangement that the game's check refuses is
// used.
Opening sample_opening(const game::Game& game, const OpeningConfig& config, mcts::Rng* rng);

}  // namespace makzero::train
