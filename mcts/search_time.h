// Time for a move on a game's clock, by the stability of its search.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "mcts/searcher.h"

namespace makzero::mcts {

// A search ends when its result has been the same for half of the planned time: no other best move, and no
// fall of its expected result. An easy move takes half of that time, one that changes late more than all of
// it. A quarter suffices while the best move of a tree has a multiple of any other's visits.
class SearchTime {
 public:
  // REQUIRES: the limits have a time. One without most_time is neither shortened nor exceeded.
  explicit SearchTime(const Limits& limits)
      : planned_(*limits.time), most_(limits.most_time), end_(planned_) {}

  // The time at which the search ends if its result stays the same.
  std::chrono::nanoseconds end() const { return end_; }

  // True when the result may have changed since update().
  bool due(std::chrono::nanoseconds elapsed) const { return most_ && elapsed >= updated_ + planned_ / 64; }

  // Takes the result so far. REQUIRES: due().
  void update(const SearchInfo& info) {
    updated_ = info.elapsed;
    // Sequential halving has no best move by visits before its end.
    const Line* best = &info.lines.front();
    for (const Line& line : info.lines) best = line.policy > best->policy ? &line : best;
    const float expected = best->value.win - best->value.loss;
    if (best->moves.front() != best_ || expected < highest_ - kFall) {
      changed_ = info.elapsed;
      highest_ = expected;
    }
    best_ = best->moves.front();
    highest_ = std::max(highest_, expected);
    int others = 0;
    for (const Line& line : info.lines) others = &line == best ? others : std::max(others, line.visits);
    const bool leads = best->visits > 0 && best->visits >= kLead * others;
    end_ = std::min(*most_, changed_ + planned_ / (leads ? 4 : 2));
  }

 private:
  static constexpr float kFall = 0.1f;  // Of the expected result in [-1, 1].
  static constexpr int kLead = 3;       // Visits of the best move for each visit of another.

  std::chrono::nanoseconds planned_;
  std::optional<std::chrono::nanoseconds> most_;
  std::chrono::nanoseconds end_, updated_{}, changed_{};
  game::Move best_ = game::Move::pass();
  float highest_ = 1;  // Expected result since the last change.
};

}  // namespace makzero::mcts
