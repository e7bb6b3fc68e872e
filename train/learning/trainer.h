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
#include "train/config.pb.h"
#include "train/learning/batch_maker.h"
#include "train/learning/batch_pipeline.h"
#include "train/learning/row_losses.h"

namespace makzero::train {

nn::LearnerOptions learner_options(const Config& config, int threads);

// The network's architecture for these games: the configured size, all their planes, and the rule features of
// their families.
nn::NetworkArchitecture network_architecture(std::span<const game::GamePtr> games, const Config& config);

// Losses of the averaged weights on held-out games.
struct HeldOutLosses {
  nn::Losses mean;
  std::vector<RowLoss> largest;  // Those of single rows, the largest first.
};

// One network for the games of a pool, which have equal shares of every batch. Not thread-safe. Pool and
// configuration must outlive it.
class Trainer {
 public:
  Trainer(GamePool* pool, const Config& config, int threads, std::uint64_t seed);

  // Learns from these games from now on, which must live until the next call: replays those that are new. A
  // record with a fault is left out. `small_window`: games of small networks.
  void set_window(std::span<const std::unique_ptr<GameRecord>> window,
                  std::span<const std::unique_ptr<GameRecord>> small_window = {});

  // Batches of learning rows for this many steps, `ahead` of them made while one is used. The window must
  // stay.
  BatchPipeline batches(std::int64_t steps, int ahead);

  // The faults that the last set_window() has met for the first time.
  const std::vector<std::string>& faults() const { return batches_.faults(); }

  // Called after every step with the steps done so far; returns whether to go on.
  using Progress = std::function<bool(std::int64_t steps)>;

  // Up to `steps` optimiser steps on learning rows. Means over the steps done; nothing where the window has
  // no such rows.
  nn::Losses learn(std::int64_t steps, const Progress& progress);

  // Up to about `rows` rows of held-out games of a split and the 20 of largest loss; nothing where there are
  // none.
  HeldOutLosses validate(int rows, Split split = Split::kValidation);

  nn::Learner& learner() { return *learner_; }
  const nn::Learner& learner() const { return *learner_; }
  const nn::NetworkArchitecture& architecture() const { return architecture_; }

  // Goes on with what was learnt. Throws std::runtime_error where weights and architecture do not fit.
  void load(const nn::LearnerState& state);

  // The same from a network alone: the optimiser begins anew.
  void load(const nn::Network& network, std::int64_t steps);

  // Begins with the weights of another network for the inputs that both have, grown to the size of this one
  // where it is smaller.
  void load_from(const nn::Network& network);

  // Goes on with a larger network that computes the same. REQUIRES: nn::can_morph(architecture(),
  // architecture).
  void morph(const nn::NetworkArchitecture& architecture);

 private:
  void use(const nn::NetworkArchitecture& architecture);

  // Learning rows; null where there are none. Thread-safe.
  std::shared_ptr<const nn::StagedBatch> sample_batch(mcts::Rng* rng) const;

  int batch_;
  mcts::Rng rng_;
  BatchMaker batches_;
  nn::LearnerOptions learner_options_;
  nn::NetworkArchitecture architecture_;
  std::unique_ptr<nn::Learner> learner_;  // Never null.
};

}  // namespace makzero::train
