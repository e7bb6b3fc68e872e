#include "play/engine/clock.h"

#include <algorithm>

namespace makzero::play {
namespace {

// Moves that a game without a time control is taken to last: games of the family need 30 to 60 moves a side,
// and time saved early is worth less than time spent while the position is open.
constexpr int kExpectedMoves = 30;

constexpr std::chrono::milliseconds kLeast{1};

// The most for a move, in planned times.
constexpr int kMostTimes = 3;

}  // namespace

MoveTime time_for_move(const ClockTimes& clock, std::chrono::milliseconds overhead) {
  using std::chrono::milliseconds;
  const milliseconds usable = clock.remaining - overhead;
  if (usable <= kLeast) return {kLeast, kLeast};
  const int moves = clock.moves_to_go > 0 ? std::min(clock.moves_to_go, kExpectedMoves) : kExpectedMoves;
  // Not all of the increment: what is kept pays for the moves that need longer.
  const milliseconds share = usable / moves + clock.increment * 3 / 4;
  const milliseconds most = std::max(kLeast, usable * 4 / 5);
  return {std::clamp(share, kLeast, most), std::clamp(kMostTimes * share, kLeast, most)};
}

}  // namespace makzero::play
