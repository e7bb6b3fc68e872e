// Finds the checkpoint that a person names and makes it ready to play.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "nn/backend.h"
#include "play/engine/level.h"

namespace makzero::play {

struct NetworkOptions {
  nn::Backend backend = {};
  std::size_t cache_bytes = std::size_t{32}
                            << 20;  // For evaluations of positions that a search comes back to.
};

struct LoadedNetwork {
  std::unique_ptr<mcts::Evaluator> evaluator;  // One thread at a time.
  std::string description;                     // "MakZero (network 4f2a91c03b7e, generation 12, of the zoo)".
  mcts::SearchOptions search = {};             // The constants that its searches are meant to have.
  std::vector<Level> levels;                   // Measured strengths, weakest first.
};

// The checkpoint that a person names: a file, a run folder (its latest) or the zoo's for that ruleset. Throws
// models::Error if there is none.
std::filesystem::path find_checkpoint(const std::string& name, const std::string& ruleset);

// The same for commands that know no ruleset: a file, a run folder, or the name of a game: its network of the
// zoo.
std::filesystem::path find_checkpoint(const std::string& name);

// Whether the zoo has a network for just this ruleset; if its file is damaged, loading it tells so.
bool zoo_plays(const std::string& ruleset);

// Who plays where nobody is named: the latest network of runs/RULESET, else the zoo's, else alpha-beta.
struct DefaultPlayer {
  std::string player;  // As find_checkpoint() knows it, or "alphabeta:3".
  std::string note;    // For people: why there is no network; empty where there is one.
};
DefaultPlayer default_player(const std::string& ruleset);

// The strengths that a named network was measured at, weakest first; empty where there are none or no
// network.
std::vector<Level> measured_levels(const std::string& name, const std::string& ruleset);

// Throws models::Error when there is no such network, when it cannot be read or does not fit the rules, which
// must outlive the evaluator, or when the device is missing.
LoadedNetwork load_network(const game::Game& rules, const std::string& name,
                           const NetworkOptions& options = {});

}  // namespace makzero::play
