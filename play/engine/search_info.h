// What limits a search, and what it finds: by tree search or alpha-beta.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "game/move.h"
#include "mcts/evaluator.h"
#include "mcts/value.h"

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

// The expected result of the mover in [-1, 1] on the scale of chess programs (the formula of lc0), and back.
int to_centipawns(float expected);
float to_expected(int centipawns);

}  // namespace makzero::play
