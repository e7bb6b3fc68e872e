// The tree search of one position, as a source of leaves for mcts::Lockstep: keeps to the limits, keeps the
// tree from move to move.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mcts/evaluator.h"
#include "mcts/rng.h"
#include "mcts/search.h"
#include "mcts/simulation_rate.h"
#include "play/engine/search_info.h"
#include "play/played_game.h"

namespace makzero::play {

struct TreeSearchOptions {
  int lines = 1;  // Candidate moves; 0 = all that were visited.
  std::uint64_t seed = 1;
  std::size_t memory = std::size_t{1} << 30;  // Bytes: a tree that fills them ends the search.
  mcts::SearchOptions search = {};            // The constants; simulations and noise are the search's own.
};

// Never blocks: steps as many searches as wanted on one thread. Not thread-safe.
//
//   search.begin(game, limits);
//   while (!search.done()) { lockstep.gather(&search, 8); lockstep.step(evaluator); }
//
// A given number of simulations is done exactly. Sequential halving is planned for it; where a clock ends the
// search, for what its speed lets expect; else for a number that doubles until the search is stopped.
class TreeSearch {
 public:
  TreeSearch(game::GamePtr rules, const TreeSearchOptions& options);

  // Keeps what is known where `game` goes on from the last one. REQUIRES: as Searcher::search().
  void begin(const PlayedGame& game, const Limits& limits);

  // The next leaf, at first the root, which all else waits for; none when there is nothing left to search or
  // all else waits for leaves that are not backed up.
  std::optional<mcts::Leaf> gather();
  void backup(const mcts::Leaf& leaf, const mcts::Evaluation& evaluation);

  // Whether there is a best move yet.
  bool ready() const { return raw_.has_value(); }

  // Whether a limit is reached or nothing is left to search.
  bool done() const;

  // REQUIRES: ready().
  SearchInfo info() const;

  std::chrono::milliseconds elapsed() const;

  // See Searcher.
  std::vector<mcts::RootMove> moves_after(const PlayedGame& game, std::span<const game::Move> line) const;

  void forget() { game_.reset(); }

 private:
  bool keep_tree(const PlayedGame& game);
  void plan();
  Line line_of(const mcts::RootMove& move, std::vector<game::Move> moves) const;
  float prior_of(game::Move move) const;
  std::optional<game::Move> draw(const mcts::SearchResult& result) const;

  game::GamePtr rules_;
  TreeSearchOptions options_;
  Limits limits_;
  std::unique_ptr<mcts::Search> search_;  // None before the first root.
  mcts::SimulationRate rate_;             // Of the searches before.
  int simulations_before_ = 0;            // That the tree had when this one began.
  bool restricted_ = false;               // The tree lacks moves of its root.
  std::optional<PlayedGame> game_;        // That the tree's root belongs to.
  std::optional<mcts::Evaluation> raw_;
  int waiting_ = 0;                                     // Leaves that are not backed up.
  bool exhausted_ = false;                              // Nothing was left to gather.
  std::chrono::steady_clock::time_point start_, last_;  // Of the search, and of its last evaluation.
};

}  // namespace makzero::play
