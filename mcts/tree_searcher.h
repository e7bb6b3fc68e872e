// Monte-Carlo tree search as a Searcher: keeps to its limits and keeps the tree from move to move.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mcts/search_time.h"
#include "mcts/searcher.h"
#include "mcts/simulation_rate.h"

namespace makzero::mcts {

struct TreeSearcherOptions {
  std::size_t memory = std::size_t{1} << 30;  // Bytes: a tree that fills them ends the search.

  // Constants of the search: simulations are its limit's, and it has no noise.
  SearchOptions search = {};
};

// A given number of simulations is done exactly. Sequential halving is planned for it; where a clock ends the
// search, for what its speed lets expect; else for a number that doubles until the search is stopped.
class TreeSearcher : public Searcher {
 public:
  // The rules must outlive it.
  TreeSearcher(const game::Game& rules, const TreeSearcherOptions& options);

  void begin(const SearchRoot& root, const Limits& limits) override;
  std::span<const EvalRequest> step(const StepBudget& budget) override;
  void backup(std::span<const Evaluation> evaluations) override;
  bool ready() const override { return raw_.has_value(); }
  bool done() const override;
  SearchInfo info() const override;
  void forget() override { kept_ = false; }
  std::vector<RootMove> moves_after(std::span<const game::Move> line) const override;

 private:
  bool keep_tree(const SearchRoot& root);
  bool goes_on_to(const SearchRoot& root) const;
  void plan();
  int most_leaves(int budget) const;
  bool filled() const;  // Whether no more leaves are to be gathered.
  std::chrono::nanoseconds used() const { return limits_.now() - start_; }
  Line line_of(const RootMove& move, std::vector<game::Move> moves, float prior) const;

  const game::Game& rules_;
  TreeSearcherOptions options_;
  Limits limits_;
  std::optional<SearchTime> time_;  // Where limits_ have a time.
  std::optional<Search> search_;    // None before the first root.
  SimulationRate rate_;             // Of the searches before.
  int simulations_before_ = 0;      // That the tree had when this one began.
  bool kept_ = false;               // Whether the next search may go on from this tree.

  game::Position start_position_;  // Of the game that is searched, ...
  std::vector<game::Move> moves_;  // ... the moves from there ...
  game::History history_;          // ... to the root.
  game::MoveList legal_;           // Of the root.

  std::optional<Evaluation> raw_;
  bool raw_waits_ = false;                 // Its request has been returned.
  std::vector<Leaf> leaves_;               // Not backed up yet, in the order of the steps.
  std::vector<EvalRequest> requests_;      // Of the last step.
  bool exhausted_ = false;                 // Nothing was left to gather.
  std::chrono::nanoseconds start_, last_;  // Of the search, and of its last evaluation.
};

}  // namespace makzero::mcts
