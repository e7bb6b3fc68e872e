// The yardstick: alpha-beta with material evaluation, for every game.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "game/game.h"
#include "game/history.h"

namespace makzero::mcts {

struct AlphaBetaOptions {
  int depth = 3;            // Plies; quiescence is not searched: the yardstick stays simple.
  int mobility_weight = 1;  // Hundredths of a man per legal move that the enemy lacks: finishes won games.
  int table_entries = 1 << 16;                    // Of the transposition table.
  std::optional<std::chrono::milliseconds> time;  // Stops deepening when it is spent.
  const std::atomic<bool>* stop = nullptr;        // Set by another thread: ends the search like spent time.
};

struct AlphaBetaResult {
  game::Move best;
  int score =
      0;  // Hundredths of a man or pawn for the side to move; beyond +-kWinScore - 1000 a proved win or loss.
  int depth = 0;
  std::uint64_t nodes = 0;
};

inline constexpr int kWinScore = 1'000'000;

// Iterative deepening with a transposition table. Equal best moves are chosen at random by the seed. Not
// thread-safe.
class AlphaBeta {
 public:
  AlphaBeta(const game::Game& game, const AlphaBetaOptions& options, std::uint64_t seed);
  ~AlphaBeta();

  // The best move. `history` ends with `position`. REQUIRES: the game is not over.
  AlphaBetaResult search(const game::Position& position, const game::History& history);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::mcts
