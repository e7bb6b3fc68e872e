#include "nn/network.h"

#include "game/square.h"
#include "nn/torch_plugin.h"

namespace makzero::nn {

Weights initial_weights(const NetworkArchitecture& shape, std::uint64_t seed) {
  Weights weights;
  require(torch_plugin().initial_weights(shape, seed, &weights));
  return weights;
}

double forward_flops(const NetworkArchitecture& shape) {
  const double channels = shape.channels;
  const double tower = 9 * channels * (shape.plane_count() + 2.0 * shape.blocks * channels);
  const double heads =
      channels * (channels + 2.0 * shape.attention + kValueChannels) + 1.0 * kValueChannels * shape.hidden;
  return 2 * game::kSquares * (tower + heads);
}

}  // namespace makzero::nn
