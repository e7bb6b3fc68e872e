// Player that is ready to play one ruleset: its network in memory, and searchers that use it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "mcts/searcher.h"
#include "models/player/level.h"
#include "models/player/player_spec.h"
#include "nn/backend.h"

namespace makzero::models {

struct PlayerOptions {
  nn::Backend backend = {};                         // Of a tower.
  std::size_t cache_bytes = std::size_t{32} << 20;  // For a tower's evaluations of positions.
  bool endings = false;                             // PlayerSpec::endings where that is none.
};

// Bytes of a searcher where nobody gives them: of a tree that ends its search, of a table.
inline constexpr std::size_t kTreeBytes = std::size_t{256} << 20, kTableBytes = std::size_t{16} << 20;

// Rows of a tower's batch in play. A card's batches are multiples of an eighth of it.
inline constexpr int kTowerBatch = 512;

// Resources of a searcher: bytes at which a tree ends its search, and of a transposition table; and threads
// of a small network's search.
struct SearcherResources {
  std::size_t tree = kTreeBytes, table = kTableBytes;
  int threads = 1;
};

// Not thread-safe; the rules must outlive it, and it its searchers.
struct Player {
  PlayerSpec spec;
  std::string description;          // For people: "MakZero (small network 4f2a91c03b7e, of the zoo)".
  std::vector<PlayerLevel> levels;  // Weakest first.

  // Evaluates the positions of its tree searches, which share its batches; null for other players.
  std::unique_ptr<mcts::Evaluator> evaluator = nullptr;
  std::function<std::unique_ptr<mcts::Searcher>(const SearcherResources&)> make_searcher = {};

  // Processor time of its searches: of the calling thread, or of its own process; with a card the wall clock.
  std::function<std::chrono::nanoseconds()> processor_time = {};
};

// Throws models::Error when its file is missing, damaged or does not fit the rules, when the device is
// missing, when endings are asked for that are not installed, or when the program of an engine does not
// start.
std::unique_ptr<Player> load_player(const game::Game& rules, const PlayerSpec& spec,
                                    const PlayerOptions& options = {});

// The limits of a search by a player's strength. A time is processor time of the player.
mcts::Limits limits_of(const Player& player);

// Runs a search to its end.
void run(mcts::Searcher* searcher, mcts::Evaluator* evaluator);

}  // namespace makzero::models
