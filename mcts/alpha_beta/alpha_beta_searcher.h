// Alpha-beta as a Searcher.
#pragma once

#include <cstddef>
#include <memory>

#include "game/game.h"
#include "mcts/alpha_beta/options.h"
#include "mcts/searcher.h"
#include "mcts/small_network.h"

namespace makzero::mcts {

class TranspositionTable;

// All keep their transposition table from search to search; the rules must outlive them.

// Play with a small network. REQUIRES: the network is of the game.
std::unique_ptr<Searcher> make_small_searcher(const game::Game& game, const SmallNetwork& network,
                                              const AlphaBetaOptions& options, std::size_t table_bytes);

// The same with a table that searches of other threads share, from an iteration of so many plies on.
std::unique_ptr<Searcher> make_small_searcher(const game::Game& game, const SmallNetwork& network,
                                              const AlphaBetaOptions& options,
                                              std::shared_ptr<TranspositionTable> table, int first_depth = 1);

// As many entries of a transposition table as the bytes have room for, as a power of two.
std::size_t table_entries(std::size_t bytes);

// The ladder's opponent: by material, without a technique that could change a score. Equal moves of the root
// vary with the seed.
std::unique_ptr<Searcher> make_material_searcher(const game::Game& game, std::size_t table_bytes);

// Search for a win within Limits::mate moves, which it finds if there is one.
std::unique_ptr<Searcher> make_mate_searcher(const game::Game& game, std::size_t table_bytes);

}  // namespace makzero::mcts
