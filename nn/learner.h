// The gradient step: network in training, optimiser and averaged weights. The plugin computes it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nn/heads.h"
#include "nn/network.h"
#include "nn/train_batch.h"

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
  bool mixed_precision = true;  // bf16 autocast on CPUs and cards that have it; fp32 master weights always.

  PerHead<float> loss_weights = default_loss_weights();
};

// A training batch as the learner's devices take it: in tensors, for a card in memory that it copies from by
// itself.
struct StagedBatch;
class TorchLearner;

// Means over the rows of batches.
struct Losses {
  float total = 0;  // The weighted sum of those of the heads.
  PerHead<float> heads;
  float policy_entropy = 0;  // Of the targets: what the policy loss cannot go below.
  float gradient_norm = 0;   // Before clipping.
  float learning_rate = 0;

  float operator[](Head head) const { return heads[head]; }
};

// Predictions of the averaged weights for the rows of a batch.
struct Predictions {
  std::vector<float> policy;  // [entries] of TrainBatch::move_index, sums to 1 per row.
  std::vector<float> value;   // [rows, 3] win, draw and loss for the mover.
};

// A batch evaluated without learning.
struct Validation {
  Losses losses;
  Predictions predictions;
};

// Everything a learner must keep to go on as if it had not stopped.
struct LearnerState {
  NetworkArchitecture architecture;
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

  // Losses and predictions of the averaged weights.
  Validation evaluate(const StagedBatch& batch);

  // Multiplies the learning rate from now on: decay with the progress of the run. 1 at the start.
  void scale_learning_rate(float factor);

  std::int64_t steps() const;

  // True if it multiplies in bf16: where the options ask for mixed precision and the devices have it.
  bool in_bf16() const;
  Network network() const;  // With the averaged weights.
  LearnerState state() const;
  void load(const LearnerState& state);

 private:
  std::unique_ptr<TorchLearner> torch_;
};

}  // namespace makzero::nn
