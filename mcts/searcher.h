// Stepwise search: the interface that an engine, a match and a server drive, whatever searches behind it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "game/game.h"
#include "game/history.h"
#include "mcts/endings/endings.h"
#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "mcts/value.h"

namespace makzero::mcts {

// The position to search and the way to it. All that is pointed to must live until begin() returns.
struct SearchRoot {
  const game::Position* position = nullptr;
  const game::History* history = nullptr;  // Ends with `position`.
  const game::MoveList* legal = nullptr;   // Its legal moves; not empty.
  const game::Position* start = nullptr;   // Of the game.
  std::span<const game::Move> moves = {};  // From the start to `position`.
};

// Limits of a search, which ends at the first that is reached; without one it ends when it is stopped.
struct Limits {
  std::optional<std::int64_t> nodes = {};  // Simulations of a tree search, positions of alpha-beta.
  std::optional<int> depth = {};           // Plies: the last iteration, of a tree its deepest line.
  std::optional<std::chrono::nanoseconds> time = {};
  std::optional<std::chrono::nanoseconds> most_time = {};  // On a game's clock: `time` is a plan, SearchTime.
  std::function<std::chrono::nanoseconds()> clock = {};    // Source of both times; none: the wall clock.
  std::optional<int> mate = {};                            // Moves: only wins within so many are looked for.
  std::vector<game::Move> search_moves = {};  // Moves of the root that are considered; empty: all.

  // For who takes the move (sample_move.h): temperature, 0 = the best move; and first plies of a game that
  // are varied without one.
  float temperature = 0;
  int varied_plies = 0;

  int contempt = 0;                         // Centipawns that a draw costs the side to move at the root.
  int lines = 1;                            // Candidate moves that alpha-beta searches fully.
  std::uint64_t seed = 1;                   // Seed for the order of moves that are equal.
  const std::atomic<bool>* stop = nullptr;  // Ends a step early; the search is then done.

  bool endless() const { return !nodes && !depth && !time && !mate; }

  std::chrono::nanoseconds now() const {
    return clock ? clock() : std::chrono::steady_clock::now().time_since_epoch();
  }
};

// A candidate move and the line that is expected to follow.
struct Line {
  std::vector<game::Move> moves = {};    // Begins with the candidate.
  MoverValue value = {};                 // Of the candidate, for the side to move.
  int centipawns = 0;                    // The same on the scale of chess programs.
  std::optional<int> end_in_plies = {};  // A proven win or loss: by at most so many plies.
  int visits = 0;                        // Simulations through the candidate; 0 of alpha-beta.
  float prior = 0;                       // Policy of the network alone; 0 of alpha-beta.
  float policy = 0;                      // Share with which temperature 1 plays it, up to a factor.
  float moves_left = 0;                  // Expected plies to the end of the game; 0 of alpha-beta.
};

// Result of a search so far.
struct SearchInfo {
  std::vector<Line> lines = {};  // Best first; never empty. A tree lists all moves of its root.
  int depth = 0;                 // Plies: all lines by alpha-beta, the main line of a tree search.
  int seldepth = 0;              // Plies of the deepest line.
  std::uint64_t nodes = 0;       // Simulations of a tree search, positions of alpha-beta.
  int hashfull = 0;              // Memory that is taken, per mille of the tree's limit.
  MoverValue value = {};         // Of the position, for the side to move.
  float moves_left = 0;          // Expected plies to the end of the game; 0 of alpha-beta.
  std::optional<Evaluation> raw =
      {};  // Output of the network alone, over the legal moves; none of alpha-beta.

  EndingMoves endings = {};  // Of the legal moves; of a search that knows endings (ending_searcher.h).

  // The move that a temperature or variety has sampled (sample_move.h).
  std::optional<game::Move> sampled = {};
  std::chrono::nanoseconds elapsed{0};

  // The move to play.
  game::Move best() const { return sampled.value_or(lines.front().moves.front()); }
};

// Work of one step, at most.
struct StepBudget {
  int leaves = 8;  // Of a tree search.
  std::int64_t nodes =
      std::numeric_limits<std::int64_t>::max();  // Of alpha-beta, or to the end of an iteration.
};

// A search that goes on in steps. Not thread-safe.
//
// A second step may be taken before the evaluations of the first are there.
//
//   searcher.begin(root, limits);
//   while (!searcher.done()) {
//     requests = searcher.step(budget);  // Of many searches: one batch.
//     evaluator.evaluate(requests, evaluations);
//     searcher.backup(evaluations);
//   }
class Searcher {
 public:
  Searcher() = default;
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;
  virtual ~Searcher() = default;

  // Begins a search. What is known of the position from earlier searches is used. A drawn game is searched as
  // if it went on: a player may not have claimed the draw. REQUIRES: the moves to search are legal.
  virtual void begin(const SearchRoot& root, const Limits& limits) = 0;

  // Goes on, and returns the positions whose evaluations it needs to go on further; empty: none, or none
  // before it has those of the step before. What they point to stays until their backup().
  virtual std::span<const EvalRequest> step(const StepBudget& budget) = 0;

  // Takes the evaluations of the oldest step's positions that were not backed up, in their order.
  virtual void backup(std::span<const Evaluation>) {}

  // True once there is a best move: from then on the search may be ended at any time.
  virtual bool ready() const = 0;

  // True when a limit is reached or nothing is left to search.
  virtual bool done() const = 0;

  // REQUIRES: ready().
  virtual SearchInfo info() const = 0;

  // Forgets earlier searches.
  virtual void forget() = 0;

  // The moves after a line from the root of a tree, without their policy; empty where it has not been, and of
  // other searches.
  virtual std::vector<RootMove> moves_after(std::span<const game::Move>) const { return {}; }
};

// The expected result of the mover in [-1, 1] on the scale of chess programs (the formula of lc0), and back.
int to_centipawns(float expected);
float to_expected(int centipawns);

}  // namespace makzero::mcts
