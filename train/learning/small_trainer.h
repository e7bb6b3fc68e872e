// Learns the small networks of a run from the games on its disk.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nn/small_learner.h"
#include "train/config.pb.h"
#include "train/learning/small_rows.h"
#include "train/run_folder.h"
#include "train/self_play/game_pool.h"
#include "train/self_play/small_game.h"

namespace makzero::train {

// Binary cross-entropies of the expected result [nats], means over the games of the pool that have rows.
struct SmallLosses {
  double learning = 0;
  double validation = 0;  // Of held-out games; 0 where there are none.
  double entropy = 0;     // Of their targets: what no network goes below.
  std::int64_t steps = 0;
};

// One network for each game of a pool, which have equal shares of the steps. Not thread-safe. Pool and
// configuration must outlive it.
class SmallTrainer {
 public:
  SmallTrainer(GamePool* pool, const Config& config, const RunPaths& paths, int threads);

  // Called after every step with the steps done so far; returns whether to go on.
  using Progress = std::function<bool(std::int64_t steps)>;

  // So many optimiser steps on the games that are on disk by now, with a rate that falls to 0. Throws
  // models::Error.
  SmallLosses learn(std::int64_t steps, const Progress& progress);

  // Steps for so many new rows.
  std::int64_t steps_for(std::int64_t new_rows) const;

  SmallNetworks networks() const;

  // True when its networks are more than random weights.
  bool knows_something() const { return has_begun_ || steps() > 0; }

  // Optimiser steps so far, of all games.
  std::int64_t steps() const;

  // States that it goes on with. Games that the states do not have begin anew. Throws std::runtime_error.
  std::vector<nn::SmallLearnerState> states() const;
  void load(const std::vector<nn::SmallLearnerState>& states);

  // Begins with networks of these games or, where a game has none, of its kin.
  void load(const std::vector<mcts::SmallNetwork>& networks);

 private:
  void measure(SmallLosses* losses);

  GamePool* pool_;
  const Config& config_;
  SmallRowStream rows_;
  std::map<std::string, nn::SmallLearner> learners_;  // By game.
  bool has_begun_ = false;                            // With other networks.
};

}  // namespace makzero::train
