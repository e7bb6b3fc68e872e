// Players that look at one game after the other: random, greedy and alpha-beta.
#pragma once

#include "mcts/alpha_beta/alpha_beta.h"
#include "train/match/player.h"

namespace makzero::train {

// Any legal move, all alike.
class RandomPlayer : public Player {
 public:
  void choose(std::span<const Turn> turns, std::span<game::Move> moves) override;
};

// The move after which it has most material against the enemy's; equal ones at random. A move that wins at
// once comes before all others, one that loses at once behind them.
class GreedyPlayer : public Player {
 public:
  explicit GreedyPlayer(const game::Game& game) : game_(game) {}

  void choose(std::span<const Turn> turns, std::span<game::Move> moves) override;

 private:
  game::Move choose_one(const Turn& turn) const;

  const game::Game& game_;
};

class AlphaBetaPlayer : public Player {
 public:
  AlphaBetaPlayer(const game::Game& game, int depth);

  void choose(std::span<const Turn> turns, std::span<game::Move> moves) override;

 private:
  mcts::MaterialSearch search_;
  mcts::AlphaBetaLimits limits_;
};

}  // namespace makzero::train
