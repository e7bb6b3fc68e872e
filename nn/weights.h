// The weights of a network without any tensor library: what checkpoints store and nn reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/network_architecture.h"

namespace makzero::nn {

struct NamedTensor {
  std::string name;  // "blocks.0.first.conv.weight"
  std::vector<std::int64_t> shape;
  std::vector<float> data;  // Row-major; as many as the product of the shape.

  bool operator==(const NamedTensor&) const = default;
};

using Weights = std::vector<NamedTensor>;

// The weights of an untrained network: parameters and batch-norm statistics in a fixed order. The same on
// every machine and with every version of the tensor library for the same seed.
Weights initial_weights(const NetworkArchitecture& shape, std::uint64_t seed);

}  // namespace makzero::nn
