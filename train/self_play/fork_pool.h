// Forks: openings of self-play from finished games, where the search moved the policy most (KataGo).
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "mcts/rng.h"
#include "train/replay/record.pb.h"
#include "train/self_play/opening.h"

namespace makzero::train {

// The moves of a game up to the searched ply of the greatest surprise, and there another move from the
// policy: at most `longest` moves. None where no search moved the policy, or there was no other move.
// `start`: that of the game.
std::optional<Opening> fork_of(const game::Position& start, const GameRecord& record, int longest);

// The forks of the newest games of a process. Thread-safe.
class ForkPool {
 public:
  static constexpr size_t kMost = 256;

  // The oldest fork gives way where there are kMost.
  void add(const std::string& ruleset, Opening fork);

  // Any of the forks under these rules, which is not there any more: no position is forked twice. None where
  // there is no such fork.
  std::optional<Opening> take(const std::string& ruleset, mcts::Rng* rng);

 private:
  struct Entry {
    std::string ruleset;
    Opening fork;
  };

  std::mutex mutex_;
  std::deque<Entry> entries_;  // Oldest first.
};

}  // namespace makzero::train
