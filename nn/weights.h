// The weights of a network without any tensor library: what checkpoints store and nn reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace makzero::nn {

struct NamedTensor {
  std::string name;  // "blocks.0.conv1.weight"
  std::vector<std::int64_t> shape;
  std::vector<float> data;  // Row-major; as many as the product of the shape.

  bool operator==(const NamedTensor&) const = default;
};

using Weights = std::vector<NamedTensor>;

}  // namespace makzero::nn
