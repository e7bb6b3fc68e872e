// Monte-Carlo tree search as a state machine that never blocks: gather a leaf, have it evaluated, back it up.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "game/game.h"
#include "game/history.h"
#include "mcts/evaluator.h"
#include "mcts/rng.h"
#include "mcts/tree.h"
#include "mcts/value.h"

namespace makzero::mcts {

class ActionSelection;
class Endings;

enum class SearchAlgorithm : std::uint8_t { kGumbel, kPuct };

struct SearchOptions {
  SearchAlgorithm algorithm =
      SearchAlgorithm::kGumbel;  // Gumbel learns from few simulations; PUCT is AlphaZero's.

  // Descents per move, ends of the game among them; the root's own evaluation is none.
  // Those of a kept tree count for PUCT only.
  int simulations = 16;

  // What sequential halving is planned for where `simulations` is only a bound: a search that a clock ends,
  // or of a front end. Where more are done, it begins anew with as many again. 0 = simulations.
  int expected_simulations = 0;

  // Gumbel (Danihelka et al. 2022).
  // Moves that sequential halving starts with; 0 = one for each eight simulations, 4 to 16: as good priors
  // allow.
  int max_considered_actions = 16;
  float gumbel_scale = 1;  // 0 plays the best move: for matches and analysis.
  float c_visit = 50;      // c_visit: how many visits the completed Q gets at least.
  float c_scale = 1;       // c_scale: weight of the completed Q, scaled to [0, 1], against the prior logits.

  // PUCT (Silver et al. 2018).
  float cpuct = 1.25f;       // c_init: more spreads visits.
  float cpuct_base = 19652;  // c_base: how it grows with the visits.
  // First-play urgency: how much worse than its node an unvisited move is taken to be.
  float fpu_reduction = 0.2f;
  float dirichlet_alpha = 0;  // Noise at the root; 0 = none.
  float noise_fraction = 0.25f;

  float draw_score = 0;             // What a draw is worth to either side, in [-1, 1]; below 0 plays on.
  float contempt_of_white = 0;      // How much less a draw is worth to White, and more to Black.
  float moves_left_weight = 0.02f;  // Most that a quicker win or slower loss adds to a value in [-1, 1].

  // Exact endings, whose values are those of leaves; null: none. Must outlive the search.
  const Endings* endings = nullptr;
};

// A constant of the searches with a network: manifests, net.json and the page have it under this name, and so
// does a training's configuration where train/config.proto has the key.
struct SearchConstant {
  const char* name;
  float SearchOptions::*member;
};

inline constexpr SearchConstant kSearchConstants[] = {
    {"draw_score", &SearchOptions::draw_score},
    {"moves_left_weight", &SearchOptions::moves_left_weight},
    {"c_visit", &SearchOptions::c_visit},
    {"c_scale", &SearchOptions::c_scale},
    {"cpuct", &SearchOptions::cpuct},
    {"cpuct_base", &SearchOptions::cpuct_base},
    {"fpu_reduction", &SearchOptions::fpu_reduction},
};

// A position that waits for its evaluation. Valid until it is backed up or the root is set.
struct Leaf {
  EvalRequest request;     // Points into the search.
  std::uint32_t node = 0;  // For the search alone, like `slot`.
  std::uint32_t slot = 0;
};

struct RootMove {
  game::Move move;
  float prior = 0;
  int visits = 0;
  WhiteValue value;  // Mean of its visits; the root's value where visits == 0.
  float moves_left = 0;
  Bounds bounds;
  float policy = 0;       // The improved policy: the training target. Sums to 1 over the moves of the root.
  bool expanded = false;  // The moves after it are known to the search.
};

struct SearchResult {
  game::Move best;
  std::vector<RootMove> moves;  // In the order of the legal moves.
  WhiteValue value;             // Of the root after the search; Gumbel: what the improved policy expects.
  float moves_left = 0;         // Plies.
  Bounds bounds;
  int simulations = 0;                          // Done since set_root() or advance().
  int depth = 0;                                // Of the deepest leaf, in plies.
  std::vector<game::Move> principal_variation;  // Begins with `best`.
};

// One tree. Not thread-safe: a thread steps as many searches as it likes, one after the other.
//
//   search.set_root(position, history);
//   while (!search.done())
//     if (auto leaf = search.gather()) { evaluate; search.backup(*leaf, evaluation); }
//
// Several leaves may be gathered before the first is backed up: virtual losses keep them apart.
class Search {
 public:
  Search(const game::Game& game, const SearchOptions& options, std::uint64_t seed);
  ~Search();
  Search(Search&&) noexcept;

  // Starts a new tree; waiting leaves are forgotten. `history` ends with `position`. Of the root's moves only
  // those of `among` are searched; empty: all.
  // A root that the rules have drawn is searched as if the game went on: a player may not have claimed it.
  // REQUIRES: there are legal moves at `position`; the moves are legal.
  void set_root(const game::Position& position, const game::History& history,
                std::span<const game::Move> among = {});

  // Makes the position after `move` the root and keeps what is known below it.
  // REQUIRES: a root is set, no leaf is waiting, `move` is legal, the game is not over after it.
  void advance(game::Move move);

  // Changes how much is searched from now on.
  void set_simulations(int simulations, int expected_simulations = 0);

  // Done since set_root() or advance().
  int simulations() const { return simulations_; }

  // Whether the simulations are spent or the root is proven.
  bool done() const;

  // Whether the simulations that are still expected cannot change the best move: there is no other, or none
  // that could overtake it. For whoever has a clock. REQUIRES: no leaf is waiting.
  bool settled() const;

  // Descends until a leaf needs an evaluation; ends of the game on the way are backed up at once. None when
  // the search is done, or when nothing can be gathered before a waiting leaf is backed up. So many descents
  // may meet a waiting leaf before that: each counts as under way behind its move of the root, so that the
  // next may go elsewhere there.
  std::optional<Leaf> gather(int most_collisions = 0);

  // Expands the leaf with its evaluation and updates the path to the root.
  void backup(const Leaf& leaf, const Evaluation& evaluation);

  // What the search knows now. REQUIRES: the root was expanded.
  SearchResult result() const;

  // What the search knows of the moves after a line of moves from the root, without their policy; empty where
  // it has not been.
  std::vector<RootMove> moves_after(std::span<const game::Move> line) const;

  // From a move of the root on, the moves with the most visits. REQUIRES: the root was expanded.
  std::vector<game::Move> principal_variation(game::Move first) const;

  const game::Position& root() const { return root_; }

  // Bytes that the tree fills.
  std::size_t memory() const { return tree_.memory(); }

 private:
  // A leaf's request points here while it waits.
  struct Slot {
    game::Position position;
    game::MoveList legal;
  };

  // A descent to a leaf that waits already, by a move of the root. It is under way behind that alone: which
  // move a simulation is for does not depend on it.
  struct Collision {
    NodeId leaf, move;
  };

  // kForced: there is one move, with which the descent goes on.
  enum class Descent : std::uint8_t { kAtLeaf, kBackedUp, kBlocked, kForced };

  // Descents in a row that may end where nothing is to be evaluated. A search without end of a position from
  // which all lines end or repeat would never come back.
  static constexpr int kMostIdleDescents = 100'000;

  // Positions with one move that a descent passes without an evaluation: without a rule of repetition they
  // could go round for ever.
  static constexpr int kMostForced = 64;

  void begin_root();
  void forget_collisions();
  Descent descend(int root_edge, std::uint32_t slot, Leaf* leaf);
  Descent evaluate_or_finish(NodeId id, std::uint32_t slot, bool forces, Leaf* leaf);
  bool repeats() const;
  std::uint32_t take_slot();
  void expand(NodeId id, const game::MoveList& legal, std::span<const float> priors, float evaluation);
  const Edge* find_edge(const Node& node, game::Move move) const;
  RootMove root_move(const Node& node, const Edge& edge) const;
  std::vector<game::Move> principal_variation(const Edge* edge) const;

  const game::Game& game_;
  std::unique_ptr<SearchOptions> options_;  // On the heap: the selection refers to them, and searches move.
  Rng rng_;
  std::unique_ptr<ActionSelection> selection_;
  Tree tree_;
  game::Position root_;
  std::vector<game::Move> among_;  // The root's moves that are searched; empty: all.
  game::History history_;          // Ends with the root; longer during a descent.
  int root_plies_ = 0;             // Positions before the root.
  int simulations_ = 0;
  int kept_simulations_ = 0;  // Of a kept tree, as far as they count.
  int depth_ = 0;
  bool probes_ = false;                // Endings, of leaves.
  std::vector<Collision> collisions_;  // Since the last backup.
  std::deque<Slot> slots_;             // A deque: a waiting leaf's slot stays where it is.
  std::vector<std::uint32_t> free_slots_;
};

}  // namespace makzero::mcts
