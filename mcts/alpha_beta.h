// The baseline: alpha-beta with material evaluation, for every game.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "game/game.h"
#include "game/history.h"

namespace makzero::mcts {

struct AlphaBetaOptions {
  int depth = 3;  // Plies; quiescence is not searched: the baseline stays simple.

  // Hundredths of a man per legal move that the enemy lacks: finishes won games. Moves are counted where a
  // side is to move, so the term compares the last two positions of a line.
  int mobility_weight = 1;

  int table_entries = 1 << 16;                           // Of the transposition table.
  std::optional<std::chrono::nanoseconds> time;          // Stops deepening when it is spent.
  std::function<std::chrono::nanoseconds()> clock = {};  // That `time` is read from; none: wall time.
  std::stop_token stop = {};                             // Ends the search like spent time.
};

struct AlphaBetaResult {
  game::Move best;

  // Hundredths of a man or pawn for the side to move; beyond +-(kWinScore - 1000) a proven win or loss,
  // kWinScore less the plies to the end.
  int score = 0;
  int depth = 0;
  std::uint64_t nodes = 0;
};

inline constexpr int kWinScore = 1'000'000;

// The least score of a proven win: it comes within a thousand plies.
inline constexpr int kProvenScore = kWinScore - 1000;

// Iterative deepening with a transposition table. Moves with equal scores are tried in random order by the
// seed, so that equal best moves vary from game to game. The table does not know the way to a position: lines
// that end by repetition are not stored, but a stored score may miss a repetition that another way would
// make. Not thread-safe.
class AlphaBeta {
 public:
  AlphaBeta(const game::Game& game, const AlphaBetaOptions& options, std::uint64_t seed);
  ~AlphaBeta();

  // The best move, of those `among` or, where that is empty, of all. `history` ends with `position`.
  // A root that the rules have drawn is searched as if the game went on.
  // REQUIRES: there are legal moves; the moves are legal.
  AlphaBetaResult search(const game::Position& position, const game::History& history,
                         std::span<const game::Move> among = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::mcts
