#include "mcts/simulation_rate.h"

#include <algorithm>

namespace makzero::mcts {
namespace {

constexpr int kGuess = 64;
constexpr int kMost = 100'000'000;
constexpr double kMemory = 0.5;  // Weight of the searches before against the last one.

}  // namespace

int SimulationRate::expected(int done, double used, double left) const {
  const double simulations = simulations_ + done, seconds = seconds_ + used;
  if (simulations < 1 || seconds <= 0) return kGuess;
  return static_cast<int>(std::clamp<double>(done + simulations / seconds * std::max(0.0, left), 1, kMost));
}

void SimulationRate::add(int simulations, double seconds) {
  simulations_ = kMemory * simulations_ + simulations;
  seconds_ = kMemory * seconds_ + seconds;
}

}  // namespace makzero::mcts
