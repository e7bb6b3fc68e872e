// The gradient step: network in training, optimiser and averaged weights behind a header without LibTorch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nn/network_architecture.h"
#include "nn/weights.h"

namespace makzero::nn {

struct LearnerOptions {
  std::string device =
      "cpu";  // Or "cuda:0", or several: "cuda:0,cuda:1" each learn from their part of a batch.
  float learning_rate = 2e-3f;  // After the warm-up.
  int warmup_steps = 100;
  float weight_decay = 1e-4f;   // AdamW; not applied to biases and normalisation.
  float gradient_clip = 1;      // Largest global norm.
  float ema_decay = 0.995f;     // Of the averaged weights, which play.
  int threads = 2;              // Of a CPU: each learns from its part of a batch.
  bool mixed_precision = true;  // bf16 autocast on CPUs that have it and on CUDA; fp32 master weights always.

  // Weights of the losses.
  float policy_weight = 1;
  float value_weight = 1;
  float moves_left_weight = 0.1f;
  float reply_weight = 0.15f;      // Auxiliary: the opponent's reply.
  float survival_weight = 0.1f;    // Auxiliary: which pieces survive, per square.
  float short_term_weight = 0.2f;  // Auxiliary: the value a few plies ahead.
};

// A training batch, all from the mover's side, flat and row-major. Policies are sparse: the entries
// policy_begin[i] .. policy_begin[i + 1] belong to row i; only legal moves are listed, each once.
struct TrainBatch {
  int rows = 0;
  std::vector<float> planes;               // [rows, planes, 8, 8]
  std::vector<float> rule_features;        // [rows, features] of each row's ruleset
  std::vector<std::int64_t> policy_begin;  // [rows + 1]
  std::vector<std::int64_t> policy_index;  // [entries] in [0, kPolicySize)
  std::vector<float> policy;               // [entries] sums to 1 per row
  std::vector<float> policy_mask;          // [rows] 0 = this row has no policy target, 1 = it has
  std::vector<float> wdl;                  // [rows, 3] final result, possibly mixed with the search's
  std::vector<float> moves_left;           // [rows] plies until the end; -1 = not known, as the game was cut
  // The opponent's reply as the mover of the row sees it, Encoder::policy_index(reply, mover); -1 = none.
  std::vector<std::int64_t> reply_index;  // [rows]
  // Own and enemy pieces that are still there at the end (1) or not (0), and where the position has a piece
  // (1).
  std::vector<float> survival, survival_mask;  // [rows, 2, 8, 8]
  std::vector<float> short_term;               // [rows, 3] win, draw, loss of the searches a few plies ahead
};

// A training batch as the learner's devices take it: in tensors, for a card in memory that it copies from by
// itself.
struct StagedBatch;

// Means over the rows of batches.
struct Losses {
  float total = 0, policy = 0, value = 0, moves_left = 0, reply = 0, survival = 0, short_term = 0;
  float policy_entropy = 0;  // Of the targets: what the policy loss cannot go below.
  float gradient_norm = 0;   // Before clipping.
  float learning_rate = 0;
};

// Everything a learner must keep to go on as if it had not stopped.
struct LearnerState {
  std::int64_t steps = 0;
  Weights weights;                      // Parameters and batch-norm statistics as trained.
  Weights ema_weights;                  // Averaged; these play.
  Weights first_moment, second_moment;  // AdamW.
  std::int64_t moment_steps =
      0;  // Steps since the moments were zero: warm-up and bias correction follow them.
};

// Not thread-safe. Throws std::runtime_error when a state does not fit the shape or the device is missing.
class Learner {
 public:
  Learner(const NetworkArchitecture& shape, const LearnerOptions& options, std::uint64_t seed);
  ~Learner();

  // Thread-safe: another thread prepares the next batch while step() runs. Throws std::runtime_error when the
  // arrays of the batch do not have the sizes that its rows and the shape ask for.
  std::shared_ptr<const StagedBatch> stage(const TrainBatch& batch) const;

  // One optimiser step. A card may still work on it when this returns.
  void step(const StagedBatch& batch);

  // Means of the steps since the last call; waits for a card. REQUIRES: there was a step. Throws
  // std::runtime_error when one of them was not finite: the weights are worth nothing then.
  Losses losses();

  // The losses of the averaged weights without learning: validation.
  Losses evaluate(const StagedBatch& batch);

  // Multiplies the learning rate from now on: decay with the progress of the run. 1 at the start.
  void scale_learning_rate(float factor);

  std::int64_t steps() const;
  Weights ema_weights() const;
  LearnerState state() const;
  void load(const LearnerState& state);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::nn
