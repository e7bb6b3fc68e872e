#include "play/engine/variety.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace makzero::play {
namespace {

constexpr float kTemperature = 0.02f;  // Of the mover's expected result: half of the loss that is allowed.
constexpr int kVisitShare = 4;

// A move and how far it is behind the best, of the mover's expected result.
struct Candidate {
  game::Move move;
  float loss = 0;
};

// One of them, the better ones more often.
game::Move sample(const std::vector<Candidate>& candidates, mcts::Rng* rng) {
  std::vector<double> weights;
  double sum = 0;
  for (const Candidate& candidate : candidates)
    sum += weights.emplace_back(std::exp(-candidate.loss / kTemperature));
  double rest = sum * rng->uniform();
  for (size_t i = 0; i < candidates.size(); ++i) {
    rest -= weights[i];
    if (rest < 0) return candidates[i].move;
  }
  return candidates.front().move;
}

}  // namespace

game::Move varied_move(const mcts::SearchResult& result, game::Color mover, mcts::Rng* rng) {
  const auto best = std::find_if(result.moves.begin(), result.moves.end(),
                                 [&](const mcts::RootMove& move) { return move.move == result.best; });
  const bool proven = best->bounds.exact() && best->bounds.lower != 0;
  if (proven) return result.best;
  const float sign = mover == game::Color::kWhite ? 1 : -1;
  std::vector<Candidate> candidates;
  for (const mcts::RootMove& move : result.moves) {
    const float loss = std::max(0.0f, sign * (best->value.expected() - move.value.expected()));
    const bool counts = move.visits > 0 && kVisitShare * move.visits >= best->visits;
    if (move.move == result.best || (counts && loss <= kVarietyLoss)) candidates.push_back({move.move, loss});
  }
  return sample(candidates, rng);
}

game::Move varied_move(std::span<const Line> lines, mcts::Rng* rng) {
  const Line& best = lines.front();
  if (best.end_in_plies) return best.moves.front();
  std::vector<Candidate> candidates;
  for (const Line& line : lines) {
    const float loss = (best.value.win - best.value.loss) - (line.value.win - line.value.loss);
    if (loss <= kVarietyLoss) candidates.push_back({line.moves.front(), loss});
  }
  return sample(candidates, rng);
}

}  // namespace makzero::play
