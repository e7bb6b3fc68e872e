// What one position cannot know: how often it has stood on the board in this game.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "game/position.h"

namespace makzero::game {

// The repetition keys of a game, last position last. A search pushes on its way down the tree and pops on its
// way back.
class History {
 public:
  History() = default;
  explicit History(const Position& start) { push(start); }

  void push(const Position& position) {
    entries_.push_back({repetition_key(position), position.no_progress_plies});
  }

  // Takes back the last push. REQUIRES: size() > 0.
  void pop() { entries_.pop_back(); }

  // Drops all but the first `size` positions. REQUIRES: size <= size().
  void truncate(int size) { entries_.resize(size); }

  // The repetition key of the last position. REQUIRES: size() > 0.
  std::uint64_t key() const { return entries_.back().key; }

  int size() const { return static_cast<int>(entries_.size()); }

  // How often the last position has occurred from position number `begin` on, itself included; only positions
  // since the last irreversible move can be equal to it. REQUIRES: size() > 0.
  int occurrences(int begin = 0) const {
    const int last = size() - 1;
    const int first = std::max(begin, last - entries_[last].no_progress_plies);
    int count = 1;
    for (int i = last - 1; i >= first; --i) count += entries_[i].key == entries_[last].key;
    return count;
  }

 private:
  struct Entry {
    std::uint64_t key;
    int no_progress_plies;
  };
  std::vector<Entry> entries_;
};

}  // namespace makzero::game
