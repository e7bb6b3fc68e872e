// Players that search until the processor time of the move is spent, one game at a time.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <utility>

#include "mcts/evaluator.h"
#include "mcts/lockstep.h"
#include "mcts/search.h"
#include "mcts/simulation_rate.h"
#include "train/match/move_time.h"
#include "train/match/player.h"

namespace makzero::train {

// What timed players share: the balance over their moves. A forced move takes no time.
class TimedPlayer : public Player {
 public:
  explicit TimedPlayer(MoveTime time)
      : time_(std::move(time)), balance_(time_.per_move, time_.per_move / 2) {}

  void choose(std::span<const Turn> turns, std::span<game::Move> moves) final;
  std::chrono::nanoseconds processor_time() const final { return time_.clock(); }

 protected:
  // The move of a search that ends when the clock has gone on by `allowed`.
  virtual game::Move search(const Turn& turn, std::chrono::nanoseconds allowed) = 0;

  const MoveTime& time() const { return time_; }

 private:
  MoveTime time_;
  TimeBalance balance_;
};

// A tree search in a new tree per turn; sequential halving is planned for as many simulations as the speed so
// far lets expect. At 40 ms it scored 60 % against PUCT, which needs no plan (Makruk, the zoo's network, 100
// games).
class TimedSearchPlayer : public TimedPlayer {
 public:
  // Searches the initial position a little: the first evaluations of a network are slow, and the first move
  // needs a speed too.
  TimedSearchPlayer(const game::Game& game, const mcts::SearchOptions& options,
                    std::unique_ptr<mcts::Evaluator> evaluator, MoveTime time);

 private:
  game::Move search(const Turn& turn, std::chrono::nanoseconds allowed) override;
  void step(mcts::Search* search, int most_leaves);

  const game::Game& game_;
  mcts::SearchOptions options_;
  std::unique_ptr<mcts::Evaluator> evaluator_;
  mcts::SimulationRate rate_;
  mcts::Lockstep<> lockstep_;
};

// Iterative deepening.
class TimedAlphaBetaPlayer : public TimedPlayer {
 public:
  TimedAlphaBetaPlayer(const game::Game& game, MoveTime time) : TimedPlayer(std::move(time)), game_(game) {}

 private:
  game::Move search(const Turn& turn, std::chrono::nanoseconds allowed) override;

  const game::Game& game_;
};

}  // namespace makzero::train
