#include "mcts/searcher.h"

#include <cmath>

namespace makzero::mcts {
namespace {

constexpr float kScale = 90, kSteepness = 1.5637541897f;

}  // namespace

int to_centipawns(float expected) {
  return static_cast<int>(std::lround(kScale * std::tan(kSteepness * expected)));
}

float to_expected(int centipawns) { return std::atan(static_cast<float>(centipawns) / kScale) / kSteepness; }

}  // namespace makzero::mcts
