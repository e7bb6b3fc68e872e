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

// The device of that name ("cpu", "cuda:0"). Throws std::runtime_error when there is none.
torch::Device find_device(const std::string& name);

// The type of numbers in that precision; kAuto is fp32.
torch::ScalarType scalar_type(Precision precision);

// The devices of a list of names ("cuda:0,cuda:1"), all of one kind, no card twice; the CPU may stand in for
// several. Throws std::runtime_error likewise.
std::vector<torch::Device> find_devices(const std::string& names);

// Why no CUDA device can be used; empty when one can.
std::string why_no_cuda();

namespace library {
Weights initial_weights(const NetworkArchitecture& shape, std::uint64_t seed);  // See nn/network.h.
}  // namespace library

}  // namespace makzero::nn
