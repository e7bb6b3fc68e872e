// Games of a small network against itself, as leaves: each position with what its search and the end of the
// game say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "mcts/small_network.h"

namespace makzero::train {

struct SmallSelfPlayRequest {
  std::string game;  // Half of the games have its default rules, the others sampled ones; a ruleset that
                     // is not the default of its game: all games have it.
  mcts::SmallNetwork network;  // Of that game.
  std::filesystem::path run;   // The leaves are added to RUN/leaves.
  std::int64_t positions = 1'000'000;
  std::uint64_t nodes = 2500;  // That a move is searched for: depth 5 or 6.
  double result_weight = 0.3;  // Of the game's result in a position's value; the rest is the search's.
  std::uint64_t seed = 1;
  int threads = 1;
};

struct SmallSelfPlayProgress {
  std::int64_t games = 0, positions = 0;
  double seconds = 0, seconds_left = 0;  // 0 left = not known yet.
};

// Positions in check and those whose best move takes something are left out: a search looks beyond them.
// Drawn games count as in mcts::DrawValue. Ends early, and keeps what it has, when `stop` is requested.
// Throws models::Error.
SmallSelfPlayProgress play_small(const SmallSelfPlayRequest& request,
                                 const std::function<void(const SmallSelfPlayProgress&)>& progress,
                                 const std::stop_token& stop);

}  // namespace makzero::train
