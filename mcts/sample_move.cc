#include "mcts/sample_move.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <vector>

namespace makzero::mcts {
namespace {

constexpr float kVarietyTemperature = kVarietyLoss / 2;  // Of the mover's expected result.
constexpr int kVisitShare = 4;

float expected(const Line& line) { return line.value.win - line.value.loss; }

game::Move sample(std::span<const Line> lines, const std::function<double(const Line&)>& weight_of,
                  Rng* rng) {
  std::vector<double> weights;
  double sum = 0;
  for (const Line& line : lines) sum += weights.emplace_back(weight_of(line));
  double rest = sum * rng->uniform();
  const Line* last = &lines.front();  // With a weight: rounding may leave a rest.
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (weights[i] > 0) last = &lines[i];
    rest -= weights[i];
    if (rest < 0) break;
  }
  return last->moves.front();
}

}  // namespace

int sampled_lines(float temperature) { return std::max(3, static_cast<int>(std::ceil(6 * temperature))); }

game::Move sample_move(std::span<const Line> lines, float temperature, Rng* rng) {
  assert(!lines.empty() && temperature > 0);
  float largest = 0;
  for (const Line& line : lines) largest = std::max(largest, line.policy);
  if (largest == 0) return lines.front().moves.front();
  return sample(
      lines, [&](const Line& line) { return std::pow(line.policy / largest, 1 / temperature); }, rng);
}

game::Move varied_move(std::span<const Line> lines, Rng* rng) {
  const Line& best = lines.front();
  if (best.end_in_plies) return best.moves.front();
  return sample(
      lines,
      [&](const Line& line) -> double {
        const float loss = std::max(0.0f, expected(best) - expected(line));
        const bool counts = &line == &best || kVisitShare * line.visits >= best.visits;
        return counts && loss <= kVarietyLoss ? std::exp(-loss / kVarietyTemperature) : 0;
      },
      rng);
}

}  // namespace makzero::mcts
