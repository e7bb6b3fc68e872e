// A searcher of moves: tree search with an evaluator, or alpha-beta.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "play/played_game.h"

namespace makzero::play {

// When to stop: at the first limit that is reached. None set: when asked to.
struct Limits {
  std::optional<int> simulations = {};
  std::optional<int> depth = {};                       // Plies of the deepest line.
  std::optional<std::chrono::milliseconds> time = {};  // For this move.
  std::optional<int> mate = {};               // Moves: looks for a win in at most so many, by alpha-beta.
  std::vector<game::Move> search_moves = {};  // Only these are considered; empty: all.

  // Draws the move by chance (mcts::sample_move). 0 = the best.
  float temperature = 0;

  // Without a temperature so many first plies of a game are varied among nearly equal moves (variety.h).
  int varied_plies = 0;

  // Whether nothing but a request ends the search.
  bool endless() const { return !simulations && !depth && !time && !mate; }
};

// A candidate move and what is expected to follow.
struct Line {
  std::vector<game::Move> moves;    // Begins with the candidate.
  mcts::MoverValue value;           // Of the candidate for the side to move.
  int centipawns = 0;               // The same on the scale of chess programs.
  std::optional<int> end_in_plies;  // A proven win or loss: by at most so many plies.
  int visits = 0;                   // Simulations through the candidate; 0 of alpha-beta.
  float prior = 0;                  // What the network alone gives to it.
  float moves_left = 0;             // Expected plies to the end of the game; 0 of alpha-beta.
};

// What is known so far.
struct SearchInfo {
  std::vector<Line> lines;  // Best first; never empty.
  int depth = 0;            // Plies: all lines by alpha-beta, the main line of a tree search.
  int seldepth = 0;         // Plies of the deepest line.
  std::uint64_t nodes = 0;  // Simulations of a tree search, positions of alpha-beta.
  int hashfull = 0;         // Of the memory that a tree may take, per mille.
  mcts::MoverValue value;   // Of the position for the side to move.
  float moves_left = 0;     // Expected plies to the end of the game; 0 of alpha-beta.
  std::optional<mcts::Evaluation>
      raw;                          // What the network alone says, over the legal moves; none of alpha-beta.
  std::optional<game::Move> drawn;  // By Limits::temperature.
  std::chrono::milliseconds elapsed{0};

  // The move to play.
  game::Move best() const { return drawn.value_or(lines.front().moves.front()); }
};

using SearchInfoHandler = std::function<void(const SearchInfo&)>;

// Searches on the calling thread. Not thread-safe but for moves_after().
class Searcher {
 public:
  Searcher() = default;
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;
  virtual ~Searcher() = default;

  // Searches until a limit is reached or `stop` becomes true, and at least until there is a best move.
  // `report` is called now and then. A drawn game is searched as if it went on. REQUIRES: there are legal
  // moves; its rules are those that the searcher was made for; the moves to search are legal.
  virtual SearchInfo search(const PlayedGame& game, const Limits& limits, const std::atomic<bool>& stop,
                            const SearchInfoHandler& report) = 0;

  // Forgets the last game.
  virtual void forget() {}

  // The search tree, for those who open it step by step: the moves after a line from `game`, which was
  // searched last; empty where nothing is known. May be called while search() runs.
  virtual std::vector<mcts::RootMove> moves_after(const PlayedGame& game,
                                                  std::span<const game::Move> line) const;
};

// The expected result of the mover in [-1, 1] on the scale of chess programs (the formula of lc0), and back.
int to_centipawns(float expected);
float to_expected(int centipawns);

}  // namespace makzero::play
