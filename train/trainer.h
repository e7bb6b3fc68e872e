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

// The network's architecture for these games: the configured size and the planes that they share. With rule
// features these tell the games apart, without them several games have a board plane each.
nn::NetworkArchitecture network_architecture(std::span<const game::GamePtr> games, const Config& config,
                                             std::vector<std::string> rule_features = {});

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
  const nn::NetworkArchitecture& architecture() const { return architecture_; }

  // The network of one of the games: the averaged weights of the planes that it has, and its architecture.
  nn::Weights weights_for(const game::Game& game) const;
  nn::NetworkArchitecture architecture_for(const game::Game& game) const;

  // Goes on with what was learnt by a network of this architecture. Throws std::runtime_error where it does
  // not fit.
  void restore(const nn::NetworkArchitecture& architecture, const nn::LearnerState& state);

  // The same from the networks of each game, in order: the optimiser begins anew. REQUIRES: they are equal in
  // all but their planes.
  struct GameNetwork {
    nn::NetworkArchitecture architecture;
    nn::Weights weights;
  };
  void restore(std::int64_t steps, const std::vector<GameNetwork>& networks);

  // Begins with the weights of another network for the planes that both have, grown to the size of this one
  // where it is smaller.
  void begin_from(nn::NetworkArchitecture architecture, const nn::Weights& weights);

  // Goes on with a larger network that computes the same. REQUIRES: nn::can_grow(architecture(),
  // architecture).
  void grow(const nn::NetworkArchitecture& architecture);

 private:
  struct Subject {
    TaughtGame taught;
    BatchMaker batches;
  };

  void use(const nn::NetworkArchitecture& architecture);
  void restore_weights(const nn::NetworkArchitecture& architecture, std::int64_t steps,
                       const nn::Weights& weights);
  nn::TrainBatch draw(Split split, mcts::Rng* rng) const;

  BatchOptions batch_options_;
  int batch_;
  mcts::Rng rng_;
  std::vector<Subject> subjects_;
  nn::LearnerOptions learner_options_;
  nn::NetworkArchitecture architecture_;
  std::unique_ptr<nn::Learner> learner_;  // Never null.
};

}  // namespace makzero::train
