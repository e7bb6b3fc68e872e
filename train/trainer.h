// Learns from the window: draws rows, prepares batches on another thread and steps the learner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "game/game.h"
#include "mcts/rng.h"
#include "nn/learner.h"
#include "train/batch_maker.h"
#include "train/config.pb.h"
#include "train/replay_store.h"

namespace makzero::train {

nn::LearnerOptions learner_options(const Config& config, int threads);

// The network's shape for a game: the configured size and the planes of the game's encoder. The second is
// what a run begins with.
nn::NetworkShape network_shape(const game::Game& game, const Config& config);
nn::NetworkShape first_network_shape(const game::Game& game, const Config& config);

// Not thread-safe. Game, configuration and store must outlive it.
class Trainer {
 public:
  Trainer(const game::Game& game, const Config& config, int threads, std::uint64_t seed,
          const ReplayStore& store);

  // Replays the games that are new in the window; before learn() and validate(). Throws models::Error for a
  // record that does not fit the rules.
  void update_window() { batches_.update(store_); }

  // Called after every step with the steps done so far; returns whether to go on.
  using Progress = std::function<bool(std::int64_t steps)>;

  // Up to `steps` optimiser steps on learning rows. Means over the steps done; nothing where the window has
  // no such rows.
  nn::Losses learn(std::int64_t steps, const Progress& progress);

  // The averaged weights on up to `rows` rows of held-out games; nothing where there are none.
  nn::Losses validate(int rows);

  nn::Learner& learner() { return *learner_; }
  const nn::Learner& learner() const { return *learner_; }
  const nn::NetworkShape& shape() const { return shape_; }

  // Goes on with what was learnt by a network of this shape. Throws std::runtime_error where it does not fit.
  void restore(const nn::NetworkShape& shape, const nn::LearnerState& state);

  // The same from a checkpoint alone: the optimiser begins anew.
  void restore(const nn::NetworkShape& shape, std::int64_t steps, const nn::Weights& weights);

  // Begins with the weights of another network, grown to the shape of this one where it is smaller.
  void begin_from(const nn::NetworkShape& shape, const nn::Weights& weights);

  // Goes on with a larger network that computes the same. REQUIRES: nn::can_grow(shape(), shape).
  void grow(const nn::NetworkShape& shape);

 private:
  void take_shape(const nn::NetworkShape& shape);

  const ReplayStore& store_;
  int batch_;
  mcts::Rng rng_;
  BatchMaker batches_;
  nn::LearnerOptions learner_options_;
  nn::NetworkShape shape_;
  std::unique_ptr<nn::Learner> learner_;  // Never null.
};

}  // namespace makzero::train
