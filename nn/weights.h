// The weights of a network without any tensor library: what checkpoints store and nn reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

// What the rule features add to the channels of the input convolution: [channels, features]. Networks that do
// not see the rules have no such tensor.
inline constexpr std::string_view kRulesWeight = "rules.weight";

// The weights of an untrained network: parameters and batch-norm statistics in a fixed order. The same on
// every machine and with every version of the tensor library for the same seed.
Weights initial_weights(const NetworkArchitecture& shape, std::uint64_t seed);

}  // namespace makzero::nn
