// Batch norm in loops of our own, for CPUs. The tensor library takes one pass over the activations for each
// of norm, sum and relu, and as many backward; these take two in each direction. Private to the plugin.
#pragma once

#include <torch/torch.h>

#include "nn/torch/replica_exchange.h"

namespace makzero::nn {

// The norm's own tensors [C] fp32; the running statistics are updated.
struct NormTensors {
  torch::Tensor weight, bias, running_mean, running_var;
};

// Whether fused_norm() can take x: a CPU's, channels last, fp32 or bf16.
bool fits_fused_norm(const torch::Tensor& x);

// norm(x) [+ shortcut] [then relu] with the statistics of the batch, of all replicas. x, shortcut [B, C, 8,
// 8]; an undefined shortcut is none. REQUIRES: fits_fused_norm(x).
torch::Tensor fused_norm(const torch::Tensor& x, const torch::Tensor& shortcut, bool relu,
                         const NormTensors& norm, const c10::intrusive_ptr<ReplicaPlace>& place);

}  // namespace makzero::nn
