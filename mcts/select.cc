#include "mcts/select.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace makzero::mcts {
namespace {

// The moves-left term begins where a value is this far from even, and is full at a difference of this many
// plies.
constexpr float kDecidedValue = 0.5f;
constexpr float kMovesLeftSpan = 20;

constexpr float kNothing = -std::numeric_limits<float>::infinity();

// What the end of the game with this score of White is worth to `mover`.
float score_utility(int white_score, game::Color mover, float draw_score) {
  if (white_score == 0) return draw_score;
  return static_cast<float>(mover == game::Color::kWhite ? white_score : -white_score);
}

float moves_left_term(float value, float plies, float parent_plies) {
  const float decided = std::max(0.0f, std::abs(value) - kDecidedValue) / (1 - kDecidedValue);
  const float sooner = std::clamp((parent_plies - plies) / kMovesLeftSpan, -1.0f, 1.0f);
  return value > 0 ? decided * sooner : -decided * sooner;
}

float sigma(float q, int most_visits, const SearchOptions& options) {
  return (options.c_visit + static_cast<float>(most_visits)) * options.c_scale / 2 * (q + 1);
}

// The weight of a prior against the values, before it is divided by 1 + the child's visits.
float cpuct_at(const Node& node, const SearchOptions& options) {
  const auto visits = static_cast<float>(node.visits + node.in_flight);
  const float growth = std::log((1 + visits + options.cpuct_base) / options.cpuct_base);
  return (growth + options.cpuct) * std::sqrt(visits);
}

}  // namespace

float utility(const WhiteValue& value, game::Color mover, float draw_score) {
  const float expected = mover == game::Color::kWhite ? value.expected() : -value.expected();
  return expected + draw_score * value.draw;
}

float child_utility(const Node& parent, const Node& child, const SearchOptions& options) {
  const game::Color mover = parent.to_move;
  const float draw_score = draw_score_of(mover, options);
  float value = utility(child.value(), mover, draw_score);
  if (child.bounds != Bounds{}) {
    const float low = score_utility(child.bounds.lower, mover, draw_score);
    const float high = score_utility(child.bounds.upper, mover, draw_score);
    value = std::clamp(value, std::min(low, high), std::max(low, high));
  }
  if (std::abs(value) <= kDecidedValue) return value;
  const float term = moves_left_term(value, child.mean_moves_left() + 1, parent.mean_moves_left());
  return value + options.moves_left_weight * term;
}

int select_puct(const Tree& tree, const Node& node, const SearchOptions& options,
                std::span<const float> noise) {
  const float cpuct = cpuct_at(node, options);
  const float draw_score = draw_score_of(node.to_move, options);
  const float unvisited = utility(node.value(), node.to_move, draw_score) - options.fpu_reduction;
  const std::span<const Edge> edges = tree.edges(node);
  int best = -1;
  float best_score = kNothing;
  for (int i = 0; i < node.edge_count; ++i) {
    const Edge& edge = edges[i];
    float value = unvisited, started = 0;
    if (edge.child != kNoNode) {
      const Node& child = tree.node(edge.child);
      if (proven_lost(node, child)) continue;
      const auto done = static_cast<float>(child.visits), lost = static_cast<float>(child.in_flight);
      started = done + lost;
      const float sum = child.visits > 0 ? done * child_utility(node, child, options) - lost : -lost;
      if (started > 0) value = sum / started;
    }
    float prior = edge.prior;
    if (!noise.empty()) prior += options.noise_fraction * (noise[i] - prior);
    const float score = value + cpuct * prior / (1 + started);
    if (score > best_score) best = i, best_score = score;
  }
  assert(best >= 0);
  return best;
}

float sigma_of(float q, const Tree& tree, const Node& node, const SearchOptions& options) {
  int most = 0;
  for (const Edge& edge : tree.edges(node)) most = std::max(most, started_visits(tree, edge));
  return sigma(q, most, options);
}

float completed_q(const Tree& tree, const Node& node, const SearchOptions& options, std::span<float> sigmas) {
  const std::span<const Edge> edges = tree.edges(node);
  float prior_sum = 0, weighted_sum = 0;
  int most = 0, sum = 0;
  for (int i = 0; i < node.edge_count; ++i) {
    const Edge& edge = edges[i];
    sigmas[i] = kNothing;  // No visit yet.
    if (edge.child == kNoNode) continue;
    const Node& child = tree.node(edge.child);
    most = std::max(most, child.visits + child.in_flight);
    if (child.visits == 0) continue;
    sigmas[i] = child_utility(node, child, options);
    sum += child.visits;
    prior_sum += edge.prior;
    weighted_sum += edge.prior * sigmas[i];
  }
  const auto visits = static_cast<float>(sum);
  const float mixed =
      sum == 0 ? node.evaluation : (node.evaluation + visits * weighted_sum / prior_sum) / (1 + visits);
  for (float& value : sigmas) value = sigma(value == kNothing ? mixed : value, most, options);
  return sigma(mixed, most, options);
}

int select_improved(const Tree& tree, const Node& node, const SearchOptions& options) {
  std::array<float, game::MoveList::kCapacity> buffer;  // NOLINT: filled below as far as it is used.
  const std::span<float> weights(buffer.data(), node.edge_count);
  const std::span<const Edge> edges = tree.edges(node);
  const float unvisited = completed_q(tree, node, options, weights);

  // One exponential serves all moves without visits: most moves of most nodes.
  const float largest = *std::max_element(weights.begin(), weights.end());
  const float unvisited_factor = std::exp(unvisited - largest);
  float sum = 0;
  for (int i = 0; i < node.edge_count; ++i) {
    weights[i] =
        edges[i].prior * (weights[i] == unvisited ? unvisited_factor : std::exp(weights[i] - largest));
    sum += weights[i];
  }
  // 1 + those of all moves: of the descents under way, the present one has no move yet.
  const auto visits = static_cast<float>(node.visits + node.in_flight - 1);
  int best = -1;
  float best_lag = kNothing;
  for (int i = 0; i < node.edge_count; ++i) {
    if (edges[i].child != kNoNode && proven_lost(node, tree.node(edges[i].child))) continue;
    const float lag = weights[i] / sum - static_cast<float>(started_visits(tree, edges[i])) / visits;
    if (lag > best_lag) best = i, best_lag = lag;
  }
  assert(best >= 0);
  return best;
}

}  // namespace makzero::mcts
