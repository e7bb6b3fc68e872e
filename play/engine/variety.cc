#include "play/engine/variety.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace makzero::play {
namespace {

constexpr float kTemperature = 0.02f;  // Of the mover's expected result: half of the loss that is allowed.
constexpr int kVisitShare = 4;

}  // namespace

game::Move varied_move(const mcts::SearchResult& result, game::Color mover, mcts::Rng* rng) {
  const auto best = std::find_if(result.moves.begin(), result.moves.end(),
                                 [&](const mcts::RootMove& move) { return move.move == result.best; });
  const bool proven = best->bounds.exact() && best->bounds.lower != 0;
  if (proven) return result.best;
  const float sign = mover == game::Color::kWhite ? 1 : -1;
  std::vector<game::Move> moves;
  std::vector<double> weights;
  double sum = 0;
  for (const mcts::RootMove& move : result.moves) {
    const float loss = std::max(0.0f, sign * (best->value.expected() - move.value.expected()));
    const bool counts = move.visits > 0 && kVisitShare * move.visits >= best->visits;
    if (move.move != result.best && (!counts || loss > kVarietyLoss)) continue;
    moves.push_back(move.move);
    sum += weights.emplace_back(std::exp(-loss / kTemperature));
  }
  double rest = sum * rng->uniform();
  for (size_t i = 0; i < moves.size(); ++i) {
    rest -= weights[i];
    if (rest < 0) return moves[i];
  }
  return result.best;
}

}  // namespace makzero::play
