// The losses of a training batch as tensors that gradients flow through. Private to the plugin.
#pragma once

#include <torch/torch.h>

#include <array>

#include "nn/learner.h"
#include "nn/torch/network_module.h"

namespace makzero::nn {

// The target of a head for B rows: values [B, ...] in HeadInfo::unit, of listed moves [B, L]; mask [B], of
// squares as the values.
struct TensorTarget {
  torch::Tensor values, mask;
};

// Rows of a training batch. B rows, L = the most legal moves of a row, or more.
struct TensorBatch {
  torch::Tensor planes;      // [B, P, 8, 8] channels last
  torch::Tensor rules;       // [B, F]; F = 0 where the network does not see the rules
  torch::Tensor move_index;  // [B, L] policy indices, 0 where a row has fewer
  torch::Tensor move_mask;   // [B, L] whether the entry is a legal move
  PerHead<TensorTarget> targets;
  // [kHeads] how many known targets of the whole batch the mean of a head's loss is over: so the losses of
  // its parts add up to its own. None is below 1.
  torch::Tensor counts;
};

// Rows `begin` to `end` on the CPU, with lists of moves of a multiple of `list_step`. REQUIRES:
// require_sizes() has passed.
TensorBatch to_tensors(const TrainBatch& batch, const NetworkArchitecture& shape, int begin, int end,
                       int list_step);

// The losses as a vector [kLosses]: those of the heads in the order of their table, their weighted sum, and
// the entropy of the policy targets.
inline constexpr int kTotal = kHeads.size();
inline constexpr int kPolicyEntropy = kTotal + 1;
inline constexpr int kLosses = kTotal + 2;

// What the rows add to the losses of the batch that they are a part of, as scalars.
std::array<torch::Tensor, kLosses> losses_of(const TrainOutput& output, const TensorBatch& batch,
                                             int attention, const PerHead<float>& weights);

// Predicted probabilities of the moves that the rows list, [entries] in their order.
torch::Tensor policy_of(const TrainOutput& output, const TensorBatch& batch, int attention);

// Predicted probabilities of win, draw and loss, [B, 3].
torch::Tensor value_of(const TrainOutput& output);

}  // namespace makzero::nn
