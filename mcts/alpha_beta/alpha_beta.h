// Alpha-beta: principal variation search with iterative deepening, for any evaluation.
//
// Files, from the bottom up: options.h (every technique and margin), transposition_table.h,
// move_order.h, then alpha_beta.cc, which reads from the root to the leaves.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "game/game.h"
#include "game/history.h"
#include "mcts/alpha_beta/material_evaluation.h"
#include "mcts/alpha_beta/move_order.h"
#include "mcts/alpha_beta/options.h"
#include "mcts/alpha_beta/transposition_table.h"
#include "mcts/draw_value.h"
#include "mcts/score.h"
#include "mcts/small_network.h"

namespace makzero::mcts {

// A search ends at the first limit that is reached. The first iteration is always finished, whatever the
// limits.
struct AlphaBetaLimits {
  int depth = 64;                                        // Plies of the last iteration.
  std::optional<std::uint64_t> nodes = {};               // Positions.
  std::optional<std::chrono::nanoseconds> time = {};     // From begin() on.
  std::function<std::chrono::nanoseconds()> clock = {};  // That `time` is read from; none: wall time.
  const std::atomic<bool>* stop = nullptr;               // Ends the search when it becomes true.
  std::vector<game::Move> search_moves = {};             // Moves of the root to consider; empty: all.
  int lines = 1;                                         // Best moves to find, each with its line (MultiPV).
  int first_depth = 1;                     // Plies of the first iteration: threads that differ help more.
  int contempt = 0;                        // Score that a draw costs the side to move at the root.
  std::optional<std::uint64_t> seed = {};  // Shuffles the root's moves: equal ones vary.
};

// A move of the root, its score and how the game goes on.
template <class Score>
struct AlphaBetaLine {
  Score score;
  std::vector<game::Move> moves;  // Principal variation; never empty.

  game::Move move() const { return moves.front(); }
};

template <class Score>
struct AlphaBetaResult {
  std::vector<AlphaBetaLine<Score>> lines;  // Best first.
  int depth = 0;                            // Of the last finished iteration.
  int seldepth = 0;                         // Plies of the deepest line that was searched.
  std::uint64_t nodes = 0;

  game::Move best() const { return lines.front().move(); }
  Score score() const { return lines.front().score; }
};

// Evaluation: SmallEvaluator or MaterialEvaluation. The transposition table is kept from search to search.
// Not thread-safe.
template <class Evaluation>
class AlphaBeta {
 public:
  using Score = typename Evaluation::Score;
  using Line = AlphaBetaLine<Score>;
  using Result = AlphaBetaResult<Score>;

  static constexpr std::uint64_t kEndless = ~std::uint64_t{0};

  // Keeps a reference to the game. REQUIRES: the evaluation is of the game. Searches of several threads may
  // share a table.
  AlphaBeta(const game::Game& game, Evaluation evaluation, const AlphaBetaOptions& options,
            std::shared_ptr<TranspositionTable> table);
  AlphaBeta(const AlphaBeta&) = delete;
  AlphaBeta& operator=(const AlphaBeta&) = delete;

  // Begins a search. `history` ends with `position`. A root that the rules have drawn is searched as if the
  // game went on. REQUIRES: there are legal moves; the moves to search are legal; limits.lines > 0.
  void begin(const game::Position& position, const game::History& history, const AlphaBetaLimits& limits);

  // Searches until the end of an iteration, and at most so many more positions. An iteration that is cut
  // short is begun again by the next step, with the table and the best move so far; that step may search
  // twice as many positions as were searched in vain, so that every iteration comes to its end. The step also
  // ends when the clock is at `until`. REQUIRES: not done().
  void step(std::uint64_t nodes = kEndless, std::chrono::nanoseconds until = std::chrono::nanoseconds::max());

  // True when a limit is reached, or the best line is proven.
  bool done() const { return done_; }

  // The result so far. A better move that an unfinished iteration has found counts where one line is asked
  // for. REQUIRES: a step.
  const Result& result() const { return result_; }

  // Forgets all that earlier searches have found; its owner clears a table that threads share.
  void clear();

 private:
  // Working memory of a position on the line that is searched.
  struct Ply {
    game::Position position;
    typename Evaluation::Accumulator accumulator;
    NodeMoves moves;
    std::uint64_t key = 0;         // Of the table.
    bool is_forced = false;        // The side to move has no free choice: it is in check, or has to capture.
    bool after_null_move = false;  // The move before was a null move.
    int standing = 0;              // Evaluation, where pruning may ask for it.
    bool improving = false;        // It is better than before the side's last move.
  };

  // Depth and bounds of a search.
  struct Window {
    int depth, alpha, beta;
    bool cut = false;  // Expected to be cut: the first moves are likely to prove it, or none.

    bool is_open() const { return beta - alpha > 1; }
  };

  void search_line();
  int search_root(Window window);
  int search_node(int ply, Window window);
  int search_moves(int ply, Window window, game::Move table_move);
  int search_move(int ply, const Window& below, int number, int reduction);
  int search_child(int ply, const Window& window);
  int search_captures(int ply, int plies_left, int alpha, int beta);
  int search_capture(int ply, int plies_left, int alpha, int beta);
  int evaluate_leaf(int ply);
  std::optional<int> prune_by_evaluation(int ply, const Window& window);
  std::optional<int> prune_by_null_move(int ply, const Window& window);
  bool prunes_quiet(int ply, const Window& window, int number) const;
  bool prunes_loss(int ply, const Window& window, game::Move move, bool capture) const;
  int late_move_reduction(int ply, const Window& window, int number, game::Move move) const;
  void play(int ply, game::Move move);
  void take_back() { history_.pop(); }
  void count_node(int ply);
  std::uint64_t key_of(const game::Position& position, const game::History& history) const;
  int contempt(const game::Position& position) const;
  std::optional<int> repeated(int ply);
  std::optional<int> ended(int ply, bool can_move);
  std::optional<int> probe(int ply) const;
  void update_evaluation(int ply);
  int static_score(int ply) const;
  int hunt_score(const game::Position& position) const;
  void look_at_threats(int ply);
  std::optional<int> table_score(const TableEntry& entry, int ply, const Window& window) const;
  void store(int ply, const Window& window, int score, game::Move best);
  std::vector<game::Move> principal_variation(game::Move first) const;
  std::chrono::nanoseconds now() const;
  bool out_of_time();

  const game::Game& game_;
  const game::GameInfo& info_;
  const AlphaBetaOptions options_;
  const Reductions reductions_;
  DrawValue draw_value_;
  Evaluation evaluation_;
  std::shared_ptr<TranspositionTable> shared_table_;
  TranspositionTable& table_;
  MoveOrder move_order_;
  std::vector<Ply> plies_;  // Index: plies from the root.
  game::History history_;
  int root_size_ = 0;          // Of the history at the root.
  int contempt_of_white_ = 0;  // Score that a draw costs White and gives Black.

  AlphaBetaLimits limits_;
  std::chrono::nanoseconds deadline_{};  // Of the search, where it has a time, ...
  std::chrono::nanoseconds step_end_{};  // ... and of its step.
  std::vector<Line> root_lines_;         // A line for each move of the root, in the order of search.
  Result result_;
  int lines_ = 1;  // To find, at most as many as there are moves.
  int depth_ = 1;  // Of the running iteration.
  int line_ = 0;   // That it has come to.
  std::uint64_t nodes_ = 0;
  std::uint64_t tried_nodes_ = 0;       // Of the last step, where it cut the iteration short.
  std::uint64_t last_node_ = 0;         // At which the step ends.
  std::uint64_t repetition_draws_ = 0;  // Met so far: what rests on one is not stored (kExact).
  int seldepth_ = 0;
  bool probes_ = false;    // Endings; not below a drawn one, where any move would do.
  bool may_stop_ = false;  // Not in the first iteration.
  bool stopped_ = false;
  bool done_ = true;
};

extern template class AlphaBeta<SmallEvaluator>;
extern template class AlphaBeta<MaterialEvaluation>;

using NetworkSearch = AlphaBeta<SmallEvaluator>;

}  // namespace makzero::mcts
