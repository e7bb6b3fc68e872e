// The gradient step of a small network (mcts/small_network.h), by the standard library alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "mcts/small_network.h"
#include "nn/network.h"
#include "nn/small_gradient.h"
#include "nn/thread_team.h"

namespace makzero::nn {

struct SmallLearnerOptions {
  float learning_rate = 2e-3f;  // Of Adam, before scale_learning_rate().
  float weight_decay = 0;       // AdamW's; not applied to biases.
  std::uint64_t seed = 1;       // Of the first weights.
  int threads = 1;              // More than 8 do not help. Their number does not change what is learnt.
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

// Binary cross-entropy of the expected result, AdamW, weights clipped to what their quantised form can hold.
// Equal steps give equal weights on every processor. Not thread-safe.
class SmallLearner {
 public:
  SmallLearner(const game::GameInfo& info, const SmallLearnerOptions& options);

  // One optimiser step. Returns the mean loss of the batch [nats] before it. Throws std::runtime_error when
  // that is not finite. REQUIRES: the batch is of the game, and has rows.
  float step(const SmallBatch& batch);

  // The mean loss of a batch, without learning.
  float evaluate(const SmallBatch& batch);

  // Multiplies the learning rate from now on.
  void scale_learning_rate(float factor) { rate_ = factor * options_.learning_rate; }

  // The weights, quantised.
  mcts::SmallNetwork network() const;

  SmallLearnerState state() const;

  // Throws std::runtime_error where a state does not fit.
  void load(const SmallLearnerState& state);

  std::int64_t steps() const { return steps_; }

 private:
  using Rows = std::vector<FloatRow>;  // In the order of layout_.

  void add_rulesets(const SmallBatch& batch);
  void spread_rulesets(const SmallBatch& batch);
  void update(int first, int last);
  double sum_of_parts(const SmallBatch& batch,
                      const std::function<double(int part, int first, int last)>& work);
  void each_part(const std::function<void(int part)>& work);
  Weights weights_of(const Rows& rows) const;
  void load_rows(const Weights& weights, Rows* rows) const;

  mcts::SmallNetwork empty_;
  SmallLearnerOptions options_;
  SmallLayout layout_;
  Rows weights_;  // And the rulesets of a batch.
  Rows first_moment_, second_moment_;
  std::vector<SmallGradient> parts_;  // Of a batch.
  std::optional<ThreadTeam> team_;    // Unless there is one thread alone.
  std::int64_t steps_ = 0;
  float rate_;
};

}  // namespace makzero::nn
