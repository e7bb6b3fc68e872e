// A small network with all inputs and random weights.
#pragma once

#include "mcts/rng.h"
#include "mcts/small_network.h"

namespace makzero::testing {

inline mcts::SmallNetwork random_small_network(const game::GameInfo& info, std::uint64_t seed) {
  mcts::SmallNetwork network = mcts::empty_small_network(info);
  network.inputs.clear();
  for (const mcts::SmallInput& input : mcts::small_inputs()) network.inputs.emplace_back(input.name);
  mcts::Rng rng(seed);
  const auto fill = [&](auto* weights, int most) {
    for (auto& weight : *weights)
      weight = static_cast<std::int16_t>(static_cast<int>(rng.below(2 * most + 1)) - most);
  };
  fill(&network.features, 60);
  fill(&network.rules, 60);
  fill(&network.bias, 100);
  fill(&network.output, 20);
  return network;
}

}  // namespace makzero::testing
