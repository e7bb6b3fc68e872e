// The losses of a training batch as tensors that gradients flow through. Private to nn.
#pragma once

#include <torch/torch.h>

#include "nn/learner.h"
#include "nn/network.h"

namespace makzero::nn {

// A training batch on the learner's device. B rows, L = the most legal moves of a row.
struct TensorBatch {
  torch::Tensor planes;       // [B, P, 8, 8] channels last
  torch::Tensor rules;        // [B, F]; undefined where the network does not see the rules
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

// Throws std::runtime_error when the arrays of the batch do not have the sizes that its rows and the shape
// ask for.
TensorBatch to_tensors(const TrainBatch& batch, const NetworkArchitecture& shape, torch::Device device);

// Scalars; `total` is the weighted sum.
struct LossTensors {
  torch::Tensor total, policy, value, moves_left, reply, survival, short_term, policy_entropy;
};

LossTensors losses_of(const TrainOutput& output, const TensorBatch& batch, int attention,
                      const LearnerOptions& options);

}  // namespace makzero::nn
