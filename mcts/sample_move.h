// How a weaker player chooses: by chance, the better moves the more often.
#pragma once

#include <span>

#include "mcts/rng.h"
#include "mcts/search.h"

namespace makzero::mcts {

// A move drawn from the policy of a search to the power 1 / temperature: 1 = the policy itself, higher is
// nearer to any move alike. REQUIRES: the moves of a SearchResult; temperature > 0.
game::Move sample_move(std::span<const RootMove> moves, float temperature, Rng* rng);

}  // namespace makzero::mcts
