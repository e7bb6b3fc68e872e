// Tensors behind each other in one: an operation on all weights of a network is then one, not a hundred.
// Private to the plugin.
#pragma once

#include "nn/torch/tensors.h"

namespace makzero::nn {

// In memory come first the tensors that weight decay applies to (learnt, of two dimensions or more), then
// what is learnt besides, then statistics; so those of a network's parameters alone lie like those of the
// whole network.
class FlatTensors {
 public:
  // Zeros on the device with the names and shapes of these, convolutions in channels-last order.
  FlatTensors(const NamedTensors& tensors, torch::Device device);

  torch::Tensor decayed() const { return all_.narrow(0, 0, decayed_); }
  torch::Tensor learnt() const { return all_.narrow(0, 0, learnt_); }
  const torch::Tensor& all() const { return all_; }

  // Views of it, in the order of the constructor.
  const NamedTensors& parts() const { return parts_; }

 private:
  torch::Tensor all_;  // [numbers] fp32; between two parts there may be a few zeros.
  NamedTensors parts_;
  std::int64_t decayed_ = 0, learnt_ = 0;
};

// Moves the tensors of the module to the device, behind each other; from then on they share the memory of the
// result.
FlatTensors flatten(torch::nn::Module* module, torch::Device device);

}  // namespace makzero::nn
