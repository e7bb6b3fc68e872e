// Between weights without a tensor library and the tensors of a module. Private to the plugin.
#pragma once

#include <torch/torch.h>

#include <string>
#include <utility>
#include <vector>

#include "nn/backend.h"
#include "nn/network.h"
#include "nn/torch/network_module.h"

namespace makzero::nn {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

// What is learnt by gradients, and these together with the batch-norm statistics; in the order of
// registration. The tensors share the module's memory.
NamedTensors parameters_of(const torch::nn::Module& module);
NamedTensors tensors_of(const torch::nn::Module& module);

Weights to_weights(const NamedTensors& tensors);

// Copies the weights into the tensors. Throws std::runtime_error when names or shapes differ, naming both.
void copy_weights(const Weights& weights, const NamedTensors& tensors);

// The type of numbers in that precision; kAuto is fp32.
torch::ScalarType scalar_type(Precision precision);

namespace library {
Weights initial_weights(const NetworkArchitecture& shape, std::uint64_t seed);  // See nn/network.h.
}  // namespace library

}  // namespace makzero::nn
