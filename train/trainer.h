// Learns from the windows: draws rows, prepares batches on another thread and steps the learner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "mcts/rng.h"
#include "nn/learner.h"
#include "train/batch_maker.h"
#include "train/config.pb.h"
#include "train/replay_store.h"

namespace makzero::train {

nn::LearnerOptions learner_options(const Config& config, int threads);

// A game that the network learns, and where the games played of it are.
struct TaughtGame {
  game::GamePtr game;
  const ReplayStore* store;
};

// The network's shape for these games: the configured size and the planes that they share. The second is what
// a run begins with.
nn::NetworkShape network_shape(std::span<const game::GamePtr> games, const Config& config);
nn::NetworkShape first_network_shape(std::span<const game::GamePtr> games, const Config& config);

// One network for one game or for several, which then have equal shares of every batch. Not thread-safe.
// Configuration and stores must outlive it.
class Trainer {
 public:
  Trainer(const std::vector<TaughtGame>& games, const Config& config, int threads, std::uint64_t seed);

  // Replays the games that are new in the windows; before learn() and validate(). Throws models::Error for a
  // record that does not fit the rules.
  void update_window();

  // Called after every step with the steps done so far; returns whether to go on.
  using Progress = std::function<bool(std::int64_t steps)>;

  // Up to `steps` optimiser steps on learning rows. Means over the steps done; nothing where the window has
  // no such rows.
  nn::Losses learn(std::int64_t steps, const Progress& progress);

  // The averaged weights on up to about `rows` rows of held-out games; nothing where there are none.
  nn::Losses validate(int rows);

  nn::Learner& learner() { return *learner_; }
  const nn::Learner& learner() const { return *learner_; }
  const nn::NetworkShape& shape() const { return shape_; }

  // The network of one of the games: the averaged weights of the planes that it knows, and its shape.
  nn::Weights weights_for(const game::Game& game) const;
  nn::NetworkShape shape_for(const game::Game& game) const;

  // Goes on with what was learnt by a network of this shape. Throws std::runtime_error where it does not fit.
  void restore(const nn::NetworkShape& shape, const nn::LearnerState& state);

  // The same from weights_for() and shape_for() each game, in order: the optimiser begins anew.
  void restore(nn::NetworkShape shape, std::int64_t steps, const std::vector<nn::Weights>& weights);

  // Begins with the weights of another network, which sees `planes`, grown to the shape of this one where it
  // is smaller.
  void begin_from(const nn::NetworkShape& shape, const nn::Weights& weights,
                  const std::vector<std::string>& planes);

  // Goes on with a larger network that computes the same. REQUIRES: nn::can_grow(shape(), shape).
  void grow(const nn::NetworkShape& shape);

 private:
  struct Subject {
    TaughtGame taught;
    std::vector<std::string> planes;  // Those of the network, as it sees this game.
    BatchMaker batches;
  };

  void take_shape(const nn::NetworkShape& shape);
  void restore(const nn::NetworkShape& shape, std::int64_t steps, const nn::Weights& weights);
  nn::TrainBatch draw(Split split, mcts::Rng* rng) const;

  int batch_;
  mcts::Rng rng_;
  std::vector<std::string> planes_;  // Of the network.
  std::vector<Subject> subjects_;
  nn::LearnerOptions learner_options_;
  nn::NetworkShape shape_;
  std::unique_ptr<nn::Learner> learner_;  // Never null.
};

}  // namespace makzero::train
