// The gradient step of a small network (mcts/small_network.h). The plugin computes it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "game/game.h"
#include "mcts/small_network.h"
#include "nn/network.h"

namespace makzero::nn {

class TorchSmallLearner;

// Positions with what the side to move may expect.
struct SmallBatch {
  int rows = 0;
  std::array<std::vector<std::int64_t>, 2> features;  // Of the side to move, of the other; rows one after the
                                                      // other.
  std::array<std::vector<std::int64_t>, 2> offsets;   // [rows] Where those of a row begin.
  std::vector<float> rules;                           // [rows, rule features]
  std::vector<std::int64_t> buckets;                  // [rows] mcts::small_bucket()
  std::vector<float> targets;                         // [rows] Expected result in [0, 1].

  void clear();

  // REQUIRES: game::rule_feature_names() of the family, as numbers.
  void add(const game::GameInfo& info, const game::Position& position,
           const std::vector<float>& rule_features, float target);
};

struct SmallLearnerOptions {
  float learning_rate = 2e-3f;  // Of Adam, before scale_learning_rate().
  std::uint64_t seed = 1;       // Of the first weights.
  int threads = 1;
};

// Everything that it must keep to go on as if it had not stopped. Tensors have the names and shapes of
// mcts::SmallNetwork's.
struct SmallLearnerState {
  std::string game;  // Whose rulesets it learns.
  std::int64_t steps = 0;
  Weights weights = {};
  Weights first_moment = {}, second_moment = {};  // Of Adam; empty: it begins anew.
};

// Where a learner of these rules begins that is to go on from a network of this game or its kin: inputs and
// rule features that both have keep their weights.
SmallLearnerState state_from(const game::GameInfo& info, const mcts::SmallNetwork& network);

// Binary cross-entropy of the expected result, Adam, weights clipped to what their quantised form can hold.
// Not thread-safe.
class SmallLearner {
 public:
  SmallLearner(const game::GameInfo& info, const SmallLearnerOptions& options);
  ~SmallLearner();

  // One optimiser step. Returns the mean loss of the batch [nats] before it. Throws std::runtime_error when
  // that is not finite.
  float step(const SmallBatch& batch);

  // The mean loss of a batch, without learning.
  float evaluate(const SmallBatch& batch);

  // Multiplies the learning rate from now on.
  void scale_learning_rate(float factor);

  // The weights, quantised.
  mcts::SmallNetwork network() const;

  // Throws std::runtime_error where a state does not fit.
  SmallLearnerState state() const;
  void load(const SmallLearnerState& state);

  std::int64_t steps() const;

 private:
  std::unique_ptr<TorchSmallLearner> torch_;
};

}  // namespace makzero::nn
