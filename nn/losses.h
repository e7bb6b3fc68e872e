// The losses of a training batch as tensors that gradients flow through. Private to nn.
#pragma once

#include <torch/torch.h>

#include <array>

#include "nn/learner.h"
#include "nn/network.h"

namespace makzero::nn {

// Rows of a training batch. B rows, L = the most legal moves of a row.
struct TensorBatch {
  torch::Tensor planes;       // [B, P, 8, 8] channels last
  torch::Tensor rules;        // [B, F]; F = 0 where the network does not see the rules
  torch::Tensor move_index;   // [B, L] policy indices, 0 where a row has fewer
  torch::Tensor move_mask;    // [B, L] whether the entry is a legal move
  torch::Tensor policy;       // [B, L] targets
  torch::Tensor policy_mask;  // [B]
  torch::Tensor wdl;          // [B, 3]
  torch::Tensor moves_left,
      moves_left_mask;          // [B] in units of kMovesLeftScale plies; 0 where it is not known
  torch::Tensor reply_index;    // [B]
  torch::Tensor reply_mask;     // [B]
  torch::Tensor survival;       // [B, 2, 8, 8]
  torch::Tensor survival_mask;  // [B, 2, 8, 8]
  torch::Tensor short_term;     // [B, 3]
};

// How many rows, or squares, of a whole batch the means of the losses are over: with those of the whole the
// losses of its parts add up to its own. None is below 1.
struct LossCounts {
  double rows = 1, policy = 1, moves_left = 1, reply = 1, survival = 1;
};

// Throws std::runtime_error when the arrays of the batch do not have the sizes that its rows and the shape
// ask for.
void require_sizes(const TrainBatch& batch, const NetworkArchitecture& shape);

LossCounts counts_of(const TrainBatch& batch);

// Rows `begin` to `end` on the CPU. REQUIRES: require_sizes() has passed.
TensorBatch to_tensors(const TrainBatch& batch, const NetworkArchitecture& shape, int begin, int end);

// The losses in the order of this enumeration are a vector [kLosses]; `total` is the weighted sum of the
// others.
enum LossIndex {
  kTotal,
  kPolicy,
  kValue,
  kMovesLeft,
  kReply,
  kSurvival,
  kShortTerm,
  kPolicyEntropy,
  kLosses
};

// What the rows add to the losses of the batch that they are a part of, as scalars.
std::array<torch::Tensor, kLosses> losses_of(const TrainOutput& output, const TensorBatch& batch,
                                             const LossCounts& counts, int attention,
                                             const LearnerOptions& options);

}  // namespace makzero::nn
