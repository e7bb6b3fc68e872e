// Alpha-beta search with material evaluation: what plays without a network.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "mcts/alpha_beta.h"
#include "play/engine/search_info.h"
#include "play/played_game.h"

namespace makzero::play {

// Whether a player is written "alphabeta:DEPTH".
bool is_alpha_beta(const std::string& player);

// The depth of such a player. Throws models::Error where it is no number from 1.
int alpha_beta_depth(const std::string& player);

// Whether the score of an alpha-beta search is a proven win or loss.
bool is_proven(int score);

// The move that was found as a candidate. REQUIRES: a score that is not proven is in hundredths of a pawn.
Line to_line(const mcts::AlphaBetaResult& result);

struct AlphaBetaSearcherOptions {
  int depth = 0;  // Where the limits name no depth, time or mate; 0 = until stopped.
  int lines = 1;  // Candidate moves; 0 = all legal moves. Each costs a search of its own.
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
  struct Deadline {
    std::optional<std::chrono::steady_clock::time_point> time;
    std::stop_token stop;
  };

  // The lines of one depth, best first; none when the deadline cut it short.
  std::vector<Line> lines_at(const PlayedGame& game, std::vector<game::Move> among, int depth,
                             const Deadline& deadline, std::uint64_t* nodes) const;

  game::GamePtr rules_;
  AlphaBetaSearcherOptions options_;
};

}  // namespace makzero::play
