// Alpha-beta search with material evaluation: what plays without a network.
#pragma once

#include <stop_token>
#include <string>

#include "mcts/alpha_beta/alpha_beta.h"
#include "play/engine/search_info.h"
#include "play/played_game.h"

namespace makzero::play {

// Whether a player is written "alphabeta:DEPTH".
bool is_alpha_beta(const std::string& player);

// The depth of such a player. Throws models::Error where it is no number from 1.
int alpha_beta_depth(const std::string& player);

// Runs a search on the calling thread, and reports every depth. A `stop` that is requested ends it.
template <class Evaluation>
SearchInfo run_alpha_beta(const PlayedGame& game, mcts::AlphaBetaLimits limits, const std::stop_token& stop,
                          const SearchInfoHandler& report, mcts::AlphaBeta<Evaluation>* search);

struct AlphaBetaSearcherOptions {
  int depth = 0;  // Where the limits name no depth, time or mate; 0 = until stopped.
  int lines = 1;  // Candidate moves; 0 = all legal moves.
  std::uint64_t seed = 1;
};

// Deepens ply by ply and reports each depth. Limits by simulations and by temperature are not its measure and
// are ignored.
class AlphaBetaSearcher {
 public:
  AlphaBetaSearcher(game::GamePtr rules, const AlphaBetaSearcherOptions& options);

  // Searches on the calling thread until a limit is reached or a stop is requested, and at least one ply.
  // A drawn game is searched as if it went on. REQUIRES: there are legal moves; the game is played by the
  // rules; the moves to search are legal.
  SearchInfo search(const PlayedGame& game, const Limits& limits, const std::stop_token& stop,
                    const SearchInfoHandler& report) const;

 private:
  game::GamePtr rules_;
  AlphaBetaSearcherOptions options_;
};

}  // namespace makzero::play
