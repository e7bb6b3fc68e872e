// The search tree: nodes and edges in two flat arrays that are reused from search to search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game/move_list.h"
#include "game/outcome.h"
#include "mcts/value.h"

namespace makzero::mcts {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};
inline constexpr NodeId kRootNode = 0;

// A legal move of an expanded node; its statistics are those of the child.
struct Edge {
  float prior = 0;
  NodeId child = kNoNode;  // None before the first descent.
  game::Move move;
};

// A position that was reached. It waits for its evaluation, or is expanded (has edges), or is the end of the
// game, or repeats one between it and the root.
struct Node {
  double white = 0, black = 0;  // Sums of the probabilities that White and that Black wins, over the visits.
  float moves_left = 0;         // Sum over the visits, in plies.
  float evaluation = 0;         // What the evaluator's own value is worth to the side to move, in [-1, 1].
  std::int32_t visits = 0;      // Evaluations backed up; its own is one, but where there was one move.
  NodeId parent = kNoNode;
  std::uint32_t first_edge = 0;
  std::uint16_t edge_count = 0;
  std::uint16_t in_flight = 0;     // Descents through the node that are not backed up: virtual losses.
  std::uint16_t proven_plies = 0;  // Of the proven line to the end. Meaningful where the bounds are exact.
  Bounds bounds;
  game::Color to_move = game::Color::kWhite;

  bool expanded() const { return edge_count > 0; }

  // The exact value where it is proven, the mean of the visits elsewhere. REQUIRES: visits > 0.
  WhiteValue value() const;

  // Expected plies to the end of the game. REQUIRES: visits > 0.
  float mean_moves_left() const;
};

static_assert(sizeof(Node) == 48 && sizeof(Edge) == 12);

// Nothing but a kept subtree is allocated once the arrays have grown to the size of the searches.
class Tree {
 public:
  // Leaves a root alone, which waits for its evaluation.
  void clear(game::Color to_move);

  const Node& root() const { return nodes_[kRootNode]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  // Bytes in use.
  std::size_t memory() const { return nodes_.size() * sizeof(Node) + edges_.size() * sizeof(Edge); }

  // In the order of the legal moves.
  std::span<const Edge> edges(const Node& node) const {
    return {edges_.data() + node.first_edge, node.edge_count};
  }

  // The evaluator's own value of an expanded node: what its visits have beside those of its children.
  // REQUIRES: the node is not exact.
  WhiteValue own_value(const Node& node) const;

  // The child behind an edge, made where there is none yet.
  NodeId child(NodeId parent, int edge, game::Color to_move);

  // Counts a descent as under way through the node.
  void enter(NodeId id) { ++nodes_[id].in_flight; }

  // Forgets such a descent from the node up to the one before `end`, on its way to the root; kNoNode: the
  // root too.
  void cancel(NodeId id, NodeId end);

  // Marks the node as the end of the game, or as one that ends so within so many plies.
  void mark_terminal(NodeId id, game::Result result, int plies = 0);

  // Gives a waiting node its edges. `evaluation`: see Node. REQUIRES: priors has an entry per legal move.
  void expand(NodeId id, const game::MoveList& legal, std::span<const float> priors, float evaluation);

  // Ends the descent to the node: adds a visit with this value from there up to the root, and what it proves.
  void backup(NodeId id, WhiteValue value, float moves_left);

  // The same for a position that has stood on the board on the way from the root: the visit is worth a draw,
  // which proves nothing, and the node gets no edges. REQUIRES: the node is not the root.
  void backup_draw(NodeId id);

  // Keeps the part of the tree below the node, which becomes the root; what counted as a draw may be none
  // from there, so that those visits go. REQUIRES: nothing is in flight.
  void keep_subtree(NodeId id);

 private:
  bool update_bounds(Node* node);
  void forget_visits(NodeId id);
  std::uint16_t proven_plies(const Node& node) const;

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

}  // namespace makzero::mcts
