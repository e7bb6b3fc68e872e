#include "mcts/sample_move.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace makzero::mcts {

game::Move sample_move(std::span<const RootMove> moves, float temperature, Rng* rng) {
  assert(!moves.empty() && temperature > 0);
  float largest = 0;
  for (const RootMove& move : moves) largest = std::max(largest, move.policy);
  std::vector<double> weights;
  double sum = 0;
  for (const RootMove& move : moves) {
    sum += weights.emplace_back(std::pow(move.policy / largest, 1 / temperature));
  }
  double rest = sum * rng->uniform();
  for (size_t i = 0; i < moves.size(); ++i) {
    rest -= weights[i];
    if (rest < 0) return moves[i].move;
  }
  return moves.back().move;
}

}  // namespace makzero::mcts
