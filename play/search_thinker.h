// Thinks by tree search: keeps the tree from move to move and evaluates several leaves at once.
#pragma once

#include <memory>

#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "play/thinker.h"

namespace makzero::play {

struct SearchThinkerOptions {
  int leaves_in_flight =
      8;          // Evaluated together; more is faster for a network and a little weaker per simulation.
  int lines = 1;  // Candidates in a thought.
  std::uint64_t seed = 1;
  int simulations = 0;  // Where the limits name nothing; 0 = until stopped.
};

// With a given number of simulations the root is searched by sequential halving and exactly so many are done;
// otherwise, since the end is not known, by PUCT.
class SearchThinker : public Thinker {
 public:
  SearchThinker(game::GamePtr rules, std::unique_ptr<mcts::Evaluator> evaluator,
                const SearchThinkerOptions& options);

  Thought think(const PlayedGame& game, const Limits& limits, const std::atomic<bool>& stop,
                const ThoughtHandler& report) override;
  void forget() override;

 private:
  void set_root(const PlayedGame& game, std::optional<int> simulations);
  bool advance_to(const PlayedGame& game);
  int step(int most_leaves);
  Thought thought(std::chrono::milliseconds elapsed) const;

  game::GamePtr rules_;
  std::unique_ptr<mcts::Evaluator> evaluator_;
  SearchThinkerOptions options_;

  std::unique_ptr<mcts::Search> search_;  // None before the first root.
  mcts::RootPolicy policy_ = mcts::RootPolicy::kGumbel;
  std::optional<PlayedGame> root_;  // The game that the tree's root belongs to.

  // Reused by step().
  std::vector<mcts::Leaf> leaves_;
  std::vector<mcts::EvalRequest> requests_;
  std::vector<mcts::Evaluation> evaluations_;
};

}  // namespace makzero::play
