// How long to think about a move when the whole game has a clock.
#pragma once

#include <chrono>

namespace makzero::play {

// The clock of the side to move, as UCI tells it.
struct ClockTimes {
  std::chrono::milliseconds remaining{0};
  std::chrono::milliseconds increment{0};
  int moves_to_go = 0;  // Until more time is added; 0 = the remaining time is for the whole game.
};

// Time for a move, at least 1 ms: planned, and the most where the search is unstable.
struct MoveTime {
  std::chrono::milliseconds planned, most;
};

// The time for the next move. `overhead` is what a move loses between client and engine; it is never spent.
MoveTime time_for_move(const ClockTimes& clock, std::chrono::milliseconds overhead);

}  // namespace makzero::play
