// Principal variation search with a small network: deep alpha-beta for one core without LibTorch.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "game/game.h"
#include "game/history.h"
#include "mcts/alpha_beta.h"
#include "mcts/small_network.h"

namespace makzero::mcts {

// When a search ends: at the first limit that is reached.
struct DeepSearchLimits {
  int depth = 64;                           // Plies of the last iteration.
  std::optional<std::uint64_t> nodes = {};  // Positions; depth 1 is always finished.
  std::optional<std::chrono::nanoseconds> time = {};
  std::function<std::chrono::nanoseconds()> clock = {};  // That `time` is read from; none: wall time.
  std::stop_token stop = {};
  std::vector<game::Move> search_moves = {};  // Of the root, the only ones that are considered; empty: all.
};

// AlphaBetaResult::score is in thousandths of a logit here (kScorePerLogit).
struct DeepSearchResult : AlphaBetaResult {
  int seldepth = 0;                             // Plies of the deepest line.
  std::vector<game::Move> principal_variation;  // Begins with `best`.
};

// Iterative deepening with a transposition table that is kept from search to search, null moves, late move
// reductions and a search of captures at the end of each line. A position that stands a second time at or
// below the root is a draw where repetition draws. Not thread-safe.
class PrincipalVariationSearch {
 public:
  static constexpr std::size_t kEntryBytes = 16;  // Of the table.

  // REQUIRES: the network is of the game. `table_entries` is rounded up to a power of two.
  PrincipalVariationSearch(const game::Game& game, const SmallNetwork& network, std::size_t table_entries);
  ~PrincipalVariationSearch();

  // Called after every iteration with what it found.
  using Report = std::function<void(const DeepSearchResult&)>;

  // `history` ends with `position`. A root that the rules have drawn is searched as if the game went on.
  // REQUIRES: there are legal moves; the moves to search are legal.
  DeepSearchResult search(const game::Position& position, const game::History& history,
                          const DeepSearchLimits& limits, const Report& report = {});

  // Forgets all that earlier searches have found.
  void clear();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::mcts
