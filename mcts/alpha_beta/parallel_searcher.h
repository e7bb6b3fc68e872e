// Alpha-beta in several threads.
#pragma once

#include <cstddef>
#include <memory>

#include "game/game.h"
#include "mcts/alpha_beta/options.h"
#include "mcts/searcher.h"
#include "mcts/small_network.h"

namespace makzero::mcts {

// Play with a small network by lazy SMP: helpers search the same position for themselves, and the search that
// counts finds in the table that they share what they have found. A search to a depth, a mate or a number of
// positions is that of one thread, which repeats. REQUIRES: threads >= 1; otherwise as make_small_searcher().
std::unique_ptr<Searcher> make_parallel_searcher(const game::Game& game, const SmallNetwork& network,
                                                 const AlphaBetaOptions& options, std::size_t table_bytes,
                                                 int threads);

}  // namespace makzero::mcts
