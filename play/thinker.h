// What thinks about a move: a tree search with an evaluator, or alpha-beta.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "mcts/value.h"
#include "play/played_game.h"

namespace makzero::play {

// When to stop thinking: at the first limit that is reached. None set: when asked to.
struct Limits {
  std::optional<int> simulations = {};
  std::optional<int> depth = {};                       // Plies.
  std::optional<std::chrono::milliseconds> time = {};  // For this move.
};

// A candidate move and what is expected to follow.
struct Line {
  std::vector<game::Move> moves;    // Begins with the candidate.
  mcts::MoverValue value;           // Of the candidate for the side to move.
  int centipawns = 0;               // The same on the scale of chess programs.
  std::optional<int> end_in_plies;  // A proved win or loss; how long it takes is only known to alpha-beta.
};

// What is known so far.
struct Thought {
  std::vector<Line> lines;  // Best first; never empty.
  int depth = 0;            // Plies.
  std::uint64_t nodes = 0;  // Simulations of a tree search, positions of alpha-beta.
  std::chrono::milliseconds elapsed{0};

  game::Move best() const { return lines.front().moves.front(); }
};

using ThoughtHandler = std::function<void(const Thought&)>;

// Thinks on the calling thread. Not thread-safe.
class Thinker {
 public:
  Thinker() = default;
  Thinker(const Thinker&) = delete;
  Thinker& operator=(const Thinker&) = delete;
  virtual ~Thinker() = default;

  // Thinks until a limit is reached or `stop` becomes true, and at least until there is a best move. `report`
  // is called now and then. REQUIRES: the game is not over; its rules are those that the thinker was made
  // for.
  virtual Thought think(const PlayedGame& game, const Limits& limits, const std::atomic<bool>& stop,
                        const ThoughtHandler& report) = 0;

  // Forgets the last game.
  virtual void forget() {}
};

// The expected result of the mover in [-1, 1] on the scale of chess programs (the formula of lc0), and back.
int to_centipawns(float expected);
float to_expected(int centipawns);

}  // namespace makzero::play
