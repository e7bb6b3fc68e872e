// Balance of the processor time over the moves of a player.
#pragma once

#include <chrono>

namespace makzero::models {

// Running balance of the time per move: what a move overspends or leaves is taken from or given to the next
// ones, so that the mean is the time asked for. It holds ten moves at most: a stall of the machine is not
// paid for by a whole game.
class TimeBalance {
 public:
  // No move is given less than `least`.
  TimeBalance(std::chrono::nanoseconds per_move, std::chrono::nanoseconds least)
      : per_move_(per_move), least_(least) {}

  // For the next move: at most twice the time per move.
  std::chrono::nanoseconds next() const;

  // Takes what that move has used.
  void add(std::chrono::nanoseconds used);

 private:
  std::chrono::nanoseconds per_move_, least_, balance_{};
};

}  // namespace makzero::models
