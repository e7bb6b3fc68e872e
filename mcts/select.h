// Which move a descent takes at a node: PUCT, or the deterministic rule of Gumbel MuZero.
#pragma once

#include <span>

#include "mcts/search.h"
#include "mcts/tree.h"

namespace makzero::mcts {

// Worth of a value to `mover`, in [-1, 1]. A draw is worth draw_score.
float utility(const WhiteValue& value, game::Color mover, float draw_score);

// Worth of a draw to `mover`, in [-1, 1].
inline float draw_score_of(game::Color mover, const SearchOptions& options) {
  const float contempt = options.contempt_of_white;
  return options.draw_score - (mover == game::Color::kWhite ? contempt : -contempt);
}

// What a visited child is worth to the side to move at its parent: its mean, held within what is proven, and
// the moves-left term where the game is nearly decided. REQUIRES: child.visits > 0.
float child_utility(const Node& parent, const Node& child, const SearchOptions& options);

// Whether the child is proven to be lost for the side to move at its parent.
inline bool proven_lost(const Node& parent, const Node& child) {
  return parent.to_move == game::Color::kWhite ? child.bounds.upper < 0 : child.bounds.lower > 0;
}

// Visits and those under way; 0 where there is no child.
inline int started_visits(const Tree& tree, const Edge& edge) {
  if (edge.child == kNoNode) return 0;
  const Node& child = tree.node(edge.child);
  return child.visits + child.in_flight;
}

// AlphaZero's rule (Silver et al. 2018): the largest value + cpuct * prior * sqrt(visits) / (1 +
// child's visits), where a descent under way counts as a lost visit. `noise` is mixed into the priors with
// noise_fraction; empty: none. Proven losses are left out. REQUIRES: the node is expanded and not exact.
// Returns the number of the edge.
int select_puct(const Tree& tree, const Node& node, const SearchOptions& options,
                std::span<const float> noise);

// sigma(Q) of a Q in [-1, 1] at this node (equation 8, with values scaled to [0, 1]): (c_visit + most visits)
// * c_scale * Q.
float sigma_of(float q, const Tree& tree, const Node& node, const SearchOptions& options);

// sigma(completed Q) of every move of the node, to be added to the logits of the priors (Danihelka et al.
// 2022). A move without visits takes the mixed value of equation 33, the mean of the evaluator's value and
// the visited moves weighted by their priors. REQUIRES: sigmas has an entry per edge. Returns the entry of
// the moves without visits.
float completed_q(const Tree& tree, const Node& node, const SearchOptions& options, std::span<float> sigmas);

// Gumbel MuZero's rule inside the tree (equation 14): the move whose share of the visits lags most behind the
// improved policy softmax(logits + sigma(completed Q)), visits divided by 1 + the sum of all moves' visits as
// mctx does. Proven losses are left out. REQUIRES: the node is expanded and not exact, and the descent that
// asks has entered it.
int select_improved(const Tree& tree, const Node& node, const SearchOptions& options);

}  // namespace makzero::mcts
