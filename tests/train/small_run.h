// A run folder with one file of every sort, made without training.
#pragma once

#include <filesystem>

#include "train/replay/record.pb.h"

namespace makzero::train {

inline constexpr int kSmallRunGames = 6;  // In two shards of three.
inline constexpr int kSmallRunMatches = 4;

// A random game of Mak-yek with uniform policies, as self-play records it.
GameRecord random_game(std::uint64_t number, int plies);

// Writes configuration, two checkpoints, learner state, replay, match records with ratings, metrics, events
// and status.
void make_small_run(const std::filesystem::path& run);

}  // namespace makzero::train
