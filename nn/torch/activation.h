// What stands between two convolutions, fused into one pass over the activations where no gradient is needed.
// Private to the plugin.
#pragma once

#include <torch/torch.h>

namespace makzero::nn::fused {

// The functions below may overwrite their first argument. Under InferenceMode on a CPU they are one pass each
// in our own loops: LibTorch's separate bf16 operations cost a 3x32 network 17 % of its time, these 2 %.
// Otherwise, so under autograd and on a GPU, they are LibTorch's operations.

// max(0, y)
torch::Tensor relu(torch::Tensor y);

// max(0, y + x), both [B, C, 8, 8]; an undefined x adds nothing
torch::Tensor add_relu(torch::Tensor y, const torch::Tensor& x);

// max(0, gate y + offset + x) with y, x [B, C, 8, 8] and gate, offset [B, C]
torch::Tensor gate_add_relu(torch::Tensor y, const torch::Tensor& gate, const torch::Tensor& offset,
                            const torch::Tensor& x);

}  // namespace makzero::nn::fused
