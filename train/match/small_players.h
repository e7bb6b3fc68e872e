// Players that search with a small network: to a depth, or until the processor time of the move is spent.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "train/match/player.h"
#include "train/match/player_spec.h"

namespace makzero::train {

// By depth a move depends on the turn alone. By time, or `nodes` positions, what was found before is kept
// from move to move. Throws models::Error where the network is not of the game.
std::unique_ptr<Player> make_small_player(const game::Game& game, const PlayerSpec::Small& small,
                                          std::optional<std::chrono::milliseconds> time);

}  // namespace makzero::train
