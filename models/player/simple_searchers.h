// Searchers that look at the moves of one position: random and greedy play.
#pragma once

#include <vector>

#include "mcts/searcher.h"

namespace makzero::models {

// A searcher that knows its move at once.
class OnePlySearcher : public mcts::Searcher {
 public:
  void begin(const mcts::SearchRoot& root, const mcts::Limits& limits) final;
  std::span<const mcts::EvalRequest> step(const mcts::StepBudget&) final { return {}; }
  bool ready() const final { return true; }
  bool done() const final { return true; }
  mcts::SearchInfo info() const final { return {.lines = {line_}, .depth = 1, .value = line_.value}; }
  void forget() final {}

 protected:
  // Of these legal moves, equal ones at random by the seed.
  virtual game::Move choose(const mcts::SearchRoot& root, std::span<const game::Move> moves,
                            std::uint64_t seed) const = 0;

 private:
  mcts::Line line_;
};

// Any legal move, all alike.
class RandomSearcher : public OnePlySearcher {
  game::Move choose(const mcts::SearchRoot& root, std::span<const game::Move> moves,
                    std::uint64_t seed) const override;
};

// The move after which it has most material against the enemy's; equal ones at random. A move that wins at
// once comes before all others, one that loses at once behind them.
class GreedySearcher : public OnePlySearcher {
 public:
  explicit GreedySearcher(const game::Game& game) : game_(game) {}

 private:
  game::Move choose(const mcts::SearchRoot& root, std::span<const game::Move> moves,
                    std::uint64_t seed) const override;

  const game::Game& game_;
};

}  // namespace makzero::models
