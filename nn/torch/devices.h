// The devices that a tensor library computes on, and in which precisions. Private to the plugin.
#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

#include "nn/backend.h"

namespace makzero::nn {

// The device of that name ("cpu", "cuda:0"). Throws std::runtime_error when there is none.
torch::Device find_device(const std::string& name);

// The devices of a list of names ("cuda:0,cuda:1"), all of one kind, no card twice; the CPU may stand in for
// several. Throws std::runtime_error likewise.
std::vector<torch::Device> find_devices(const std::string& names);

// Why no CUDA device can be used; empty when one can.
std::string why_no_cuda();

// Why LibTorch does not convolve in that precision on the device; empty where it does: 1.13.1 does not in
// fp16 on a CPU, and a wheel has kernels for some generations of cards.
std::string why_no_convolution(Precision precision, torch::Device device);

// True where learning in bf16 pays: a CPU has it in hardware, a card computes in it at all.
bool multiplies_bf16(torch::Device device);

// Throws std::runtime_error where LibTorch does not compute in that precision on the device, naming what is
// possible. kAuto is the fastest that it computes in.
Precision choose_precision(Precision wanted, torch::Device device);

}  // namespace makzero::nn
