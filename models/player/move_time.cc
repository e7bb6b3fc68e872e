#include "models/player/move_time.h"

#include <algorithm>

namespace makzero::models {

using std::chrono::nanoseconds;

namespace {

constexpr int kMostMoves = 10;  // Of the balance.

}  // namespace

nanoseconds TimeBalance::next() const { return std::clamp(per_move_ + balance_, least_, 2 * per_move_); }

void TimeBalance::add(nanoseconds used) {
  balance_ = std::clamp(balance_ + per_move_ - used, -kMostMoves * per_move_, kMostMoves * per_move_);
}

}  // namespace makzero::models
