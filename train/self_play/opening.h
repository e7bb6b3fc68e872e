// How self-play games begin: reduced or unbalanced material, endgames, and first plies without a search.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "game/game_state.h"
#include "mcts/rng.h"
#include "mcts/search.h"
#include "train/config.pb.h"

namespace makzero::train {

struct Opening {
  game::Position start;           // Of the game: the initial position, or one with fewer pieces.
  std::vector<game::Move> moves;  // Played from there; the game is not over after them.
  int policy_plies = 0;           // Plies behind them whose moves are sampled from the policy.

  // The move that the first of those plies does not play: it was played in the game that this one forks from.
  std::optional<game::Move> avoided = {};
};

// Samples an opening. Kings ("K") are never taken off, and no arrangement that the game's check refuses is
// used.
Opening sample_opening(const game::Game& game, const OpeningConfig& config, mcts::Rng* rng);

// One of the moves, in proportion to prior^(1 / temperature), or evenly where no prior is left, after which
// the game goes on; none where there is no such move. REQUIRES: the moves are legal, temperature > 0.
std::optional<game::Move> sample_opening_move(const game::GameState& state, std::vector<mcts::RootMove> moves,
                                              float temperature, mcts::Rng* rng);

}  // namespace makzero::train
