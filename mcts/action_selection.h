// How a search chooses: which move at the root, which inside the tree, and which to play in the end.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mcts/rng.h"
#include "mcts/search.h"
#include "mcts/tree.h"

namespace makzero::mcts {

// One kind of search. The functions take a tree whose root is expanded; edges are given by their number.
class ActionSelection {
 public:
  ActionSelection() = default;
  ActionSelection(const ActionSelection&) = delete;
  ActionSelection& operator=(const ActionSelection&) = delete;
  virtual ~ActionSelection() = default;

  // Begins the search of a root, new or kept: draws its noise. Returns how many simulations of a kept tree
  // count.
  virtual int begin(const Tree& tree, Rng* rng) = 0;

  // The root's move for the simulation of this number, which is that of the last call or the next one, from 0
  // on; none when the choice needs the values of waiting leaves. REQUIRES: the root is not exact.
  virtual std::optional<int> root_edge(const Tree& tree, int simulation) = 0;

  // The move to follow at a node below the root. REQUIRES: the node is expanded and not exact.
  virtual int inner_edge(const Tree& tree, const Node& node) const = 0;

  // The move to play.
  virtual int best_edge(const Tree& tree) const = 0;

  // Whether the simulations that are expected after so many cannot change it.
  virtual bool settled(const Tree& tree, int simulations) const = 0;

  // The training target: the improved policy over the root's moves; sums to 1. Moves that are proven worse
  // get nothing.
  virtual std::vector<float> policy(const Tree& tree) const = 0;

  // The root's value after the search: the value target. Exact where the root is proven.
  virtual WhiteValue value(const Tree& tree) const = 0;
};

// The rule that options.algorithm names. The options must outlive it; a change of options.simulations or
// options.expected_simulations is followed.
std::unique_ptr<ActionSelection> make_action_selection(const SearchOptions& options);

// Sequential halving (Karnin et al. 2013) as Gumbel MuZero orders it: simulation number `simulation` goes to
// a move that had `visits` before. The considered moves get equal visits, then the better half of them, down
// to two.
struct HalvingStep {
  int visits = 0;
  bool new_round = false;  // The moves are chosen anew among those with equal visits.
};

// How many simulations there will be may change on the way, as a clock lets expect more or fewer: a round
// ends when its moves have had their share of those that are expected by then, and the last one, of two
// moves, is repeated until the search ends.
class HalvingSchedule {
 public:
  // Begins with the simulation of this number. REQUIRES: considered >= 1.
  void begin(int considered, int simulation);

  // The step of a simulation, the first one of begin() or that of the last call or the next one, where so
  // many are expected in all.
  HalvingStep step(int simulation, int expected);

 private:
  int considered_ = 1;
  int moves_ = 1;   // Of the round.
  int visits_ = 0;  // That its moves had before it.
  int first_ = 0;   // Simulation that the schedule began with,
  int begin_ = 0;   // and the round.
};

}  // namespace makzero::mcts
