// One game of self-play as a state machine: asks for evaluations, plays moves, leaves a record, begins anew.
#pragma once

#include <cstdint>
#include <vector>

#include "game/game.h"
#include "game/history.h"
#include "mcts/rng.h"
#include "mcts/search.h"
#include "train/config.pb.h"
#include "train/record.pb.h"

namespace makzero::train {

// What a record leaves out is for the loop to fill in: number, generation, network, build. Not thread-safe.
// Game and configuration must outlive it.
class SelfPlayGame {
 public:
  // The first game is stopped after `first_max_length` plies, later ones after the configured cap; 0 = only
  // by the rules.
  SelfPlayGame(const game::Game& game, const Config& config, std::uint64_t seed, int first_max_length);

  // The next position to evaluate. Moves are played and games end on the way; their records are appended.
  // REQUIRES: the leaf before was backed up.
  mcts::Leaf gather(std::vector<GameRecord>* finished);

  // Of the searches that begin from now on; first the configured ones.
  void set_simulations(int simulations) { simulations_ = simulations; }

  void back_up(const mcts::Leaf& leaf, const mcts::Evaluation& evaluation) {
    search_.back_up(leaf, evaluation);
  }

 private:
  void begin();
  void begin_search();  // Sets the simulations for the position to play.
  void play_move(std::vector<GameRecord>* finished);
  game::Move choose(const mcts::SearchResult& result);
  game::Outcome outcome() const;  // With adjudication at the cap.
  void record_end(const game::Outcome& outcome);

  const game::Game& game_;
  const Config& config_;
  mcts::Rng rng_;
  mcts::Search search_;
  game::Position position_;
  game::History history_;
  GameRecord record_;
  int simulations_;
  bool full_search_ = true;  // Of the move that is being searched: its policy is a training target.
  int max_length_ = 0;
};

// The search options of a configuration for one move of self-play.
mcts::SearchOptions search_options(const Config& config);

}  // namespace makzero::train
