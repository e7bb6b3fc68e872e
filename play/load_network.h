// Finds the checkpoint that a person names and makes it ready to play.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "play/level.h"

namespace makzero::play {

struct NetworkOptions {
  std::string device = "cpu";  // "cpu", "cuda".
  std::size_t cache_bytes = std::size_t{32}
                            << 20;  // For evaluations of positions that a search comes back to.
};

struct LoadedNetwork {
  std::unique_ptr<mcts::Evaluator> evaluator;  // One thread at a time.
  std::string description;                     // "network 4f2a91c03b7e, generation 12".
  std::vector<Level> levels;                   // Measured strengths, weakest first.
};

// The checkpoint of a path: the file itself, or the latest of a run folder. Throws models::Error if there is
// none.
std::filesystem::path find_checkpoint(const std::filesystem::path& path);

// The strengths that the network of a path was measured at, weakest first; empty where there are none or no
// network.
std::vector<Level> measured_levels(const std::filesystem::path& path);

// Throws models::Error when the file cannot be read or does not fit the rules, which must outlive the
// evaluator, or when the device is missing.
LoadedNetwork load_network(const game::Game& rules, const std::filesystem::path& path,
                           const NetworkOptions& options = {});

}  // namespace makzero::play
