// Thinks by alpha-beta with material evaluation: what plays without a network.
#pragma once

#include "mcts/alpha_beta.h"
#include "play/thinker.h"

namespace makzero::play {

// Deepens ply by ply and reports each depth. `Limits::simulations` is not its measure and is ignored.
class AlphaBetaThinker : public Thinker {
 public:
  // `depth` holds where the limits name neither depth nor time; 0 = until stopped.
  AlphaBetaThinker(game::GamePtr rules, int depth, std::uint64_t seed);

  Thought think(const PlayedGame& game, const Limits& limits, const std::atomic<bool>& stop,
                const ThoughtHandler& report) override;

 private:
  game::GamePtr rules_;
  int depth_;
  std::uint64_t seed_;
};

}  // namespace makzero::play
