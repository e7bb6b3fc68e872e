#include "mcts/tree.h"

#include <algorithm>
#include <cassert>

namespace makzero::mcts {
namespace {

// A prior of 0 would keep a move from being tried for ever, and has no logarithm.
constexpr float kLeastPrior = 1e-10f;

WhiteValue exact_value(Bounds bounds) {
  return {bounds.lower > 0 ? 1.0f : 0.0f, bounds.lower == 0 ? 1.0f : 0.0f, bounds.lower < 0 ? 1.0f : 0.0f};
}

std::int8_t white_score(game::Result result) {
  assert(result != game::Result::kOngoing);
  if (result == game::Result::kDraw) return 0;
  return result == game::Result::kWhiteWins ? 1 : -1;
}

}  // namespace

WhiteValue Node::value() const {
  if (bounds.exact()) return exact_value(bounds);
  const double share = 1.0 / visits, mean_white = white * share, mean_black = black * share;
  return {static_cast<float>(mean_white), static_cast<float>(1 - mean_white - mean_black),
          static_cast<float>(mean_black)};
}

float Node::mean_moves_left() const {
  return bounds.exact() ? static_cast<float>(proven_plies) : moves_left / static_cast<float>(visits);
}

void Tree::clear(game::Color to_move) {
  nodes_.clear();
  edges_.clear();
  nodes_.emplace_back().to_move = to_move;
}

WhiteValue Tree::own_value(const Node& node) const {
  double white = node.white, black = node.black;
  for (const Edge& edge : edges(node)) {
    if (edge.child == kNoNode) continue;
    white -= nodes_[edge.child].white;
    black -= nodes_[edge.child].black;
  }
  return {static_cast<float>(white), static_cast<float>(1 - white - black), static_cast<float>(black)};
}

NodeId Tree::child(NodeId parent, int edge, game::Color to_move) {
  Edge& taken = edges_[nodes_[parent].first_edge + edge];
  if (taken.child == kNoNode) {
    taken.child = static_cast<NodeId>(nodes_.size());
    Node& child = nodes_.emplace_back();
    child.parent = parent;
    child.to_move = to_move;
  }
  return taken.child;
}

void Tree::cancel(NodeId id, NodeId end) {
  for (; id != end; id = nodes_[id].parent) --nodes_[id].in_flight;
}

void Tree::mark_terminal(NodeId id, game::Result result, int plies) {
  const std::int8_t score = white_score(result);
  nodes_[id].bounds = {score, score};
  nodes_[id].proven_plies = static_cast<std::uint16_t>(plies);
}

void Tree::expand(NodeId id, const game::MoveList& legal, std::span<const float> priors, float evaluation) {
  assert(static_cast<int>(priors.size()) == legal.size() && !legal.empty() && !nodes_[id].expanded());
  Node& node = nodes_[id];
  node.first_edge = static_cast<std::uint32_t>(edges_.size());
  node.edge_count = static_cast<std::uint16_t>(legal.size());
  node.evaluation = evaluation;
  edges_.resize(edges_.size() + legal.size());
  Edge* edge = edges_.data() + node.first_edge;
  for (int i = 0; i < legal.size(); ++i) *edge++ = {std::max(priors[i], kLeastPrior), kNoNode, legal[i]};
}

void Tree::backup(NodeId id, WhiteValue value, float moves_left) {
  bool news =
      nodes_[id].visits == 0 && nodes_[id].bounds.exact();  // An end of the game, reached for the first time.
  for (;;) {
    Node& node = nodes_[id];
    if (node.bounds.exact()) {
      value = exact_value(node.bounds);
      moves_left = node.proven_plies;
    }
    node.white += value.white;
    node.black += value.black;
    node.moves_left += moves_left;
    ++node.visits;
    --node.in_flight;
    if (node.parent == kNoNode) return;
    id = node.parent;
    moves_left += 1;
    news = news && update_bounds(&nodes_[id]);
  }
}

void Tree::backup_draw(NodeId id) {
  NodeId known = nodes_[id].parent;
  while (nodes_[known].visits == 0) known = nodes_[known].parent;
  backup(id, {0, 1, 0}, nodes_[known].mean_moves_left());
}

// Takes the visits of a node back, from there up to the root.
void Tree::forget_visits(NodeId id) {
  const Node forgotten = nodes_[id];
  float moves_left = forgotten.moves_left;
  for (; id != kNoNode; id = nodes_[id].parent) {
    Node& node = nodes_[id];
    node.white -= forgotten.white;
    node.black -= forgotten.black;
    node.moves_left -= moves_left;
    node.visits -= forgotten.visits;
    moves_left += static_cast<float>(forgotten.visits);
  }
}

// The side to move takes the best of its moves; nothing is known about those not reached. True when the
// bounds changed.
bool Tree::update_bounds(Node* node) {
  const bool white = node->to_move == game::Color::kWhite;
  Bounds best = white ? Bounds{-1, -1} : Bounds{1, 1};
  for (const Edge& edge : edges(*node)) {
    const Bounds bounds = edge.child == kNoNode ? Bounds{} : nodes_[edge.child].bounds;
    best.lower = white ? std::max(best.lower, bounds.lower) : std::min(best.lower, bounds.lower);
    best.upper = white ? std::max(best.upper, bounds.upper) : std::min(best.upper, bounds.upper);
  }
  if (best == node->bounds) return false;
  node->bounds = best;
  if (best.exact()) node->proven_plies = proven_plies(*node);
  return true;
}

// The winner takes the shortest of the proven lines, the loser the longest.
std::uint16_t Tree::proven_plies(const Node& node) const {
  const bool wins = node.bounds.lower == (node.to_move == game::Color::kWhite ? 1 : -1);
  int shortest = UINT16_MAX - 1, longest = 0;
  for (const Edge& edge : edges(node)) {
    if (edge.child == kNoNode || nodes_[edge.child].bounds != node.bounds) continue;
    shortest = std::min<int>(shortest, nodes_[edge.child].proven_plies);
    longest = std::max<int>(longest, nodes_[edge.child].proven_plies);
  }
  return static_cast<std::uint16_t>(1 + (wins ? shortest : longest));
}

void Tree::keep_subtree(NodeId id) {
  std::vector<Node> nodes = {nodes_[id]};
  std::vector<Edge> edges;
  nodes.front().parent = kNoNode;
  for (NodeId kept = 0; kept < nodes.size(); ++kept) {
    const std::span<const Edge> kept_edges = this->edges(nodes[kept]);
    nodes[kept].first_edge = static_cast<std::uint32_t>(edges.size());
    for (Edge edge : kept_edges) {
      if (edge.child != kNoNode) {
        nodes.push_back(nodes_[edge.child]);
        nodes.back().parent = kept;
        edge.child = static_cast<NodeId>(nodes.size() - 1);
      }
      edges.push_back(edge);
    }
  }
  nodes_.swap(nodes);  // The old arrays go: a large tree would else take twice its memory.
  edges_.swap(edges);
  for (NodeId kept = 0; kept < nodes_.size(); ++kept) {
    if (nodes_[kept].visits > 0 && !nodes_[kept].expanded() && !nodes_[kept].bounds.exact())
      forget_visits(kept);
  }
}

}  // namespace makzero::mcts
