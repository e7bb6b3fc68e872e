// A network for play. Private to the plugin.
#pragma once

#include <torch/torch.h>

#include <memory>

#include "nn/torch_plugin.h"

namespace makzero::nn {

// Throws std::runtime_error where the weights do not fit the architecture or the device is missing.
std::unique_ptr<TorchNetwork> make_network(const Network& network, const TorchNetworkOptions& options);

}  // namespace makzero::nn
