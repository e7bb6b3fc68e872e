// Transposition table: scores and best moves of positions that an alpha-beta search has met.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "game/game.h"
#include "mcts/alpha_beta/options.h"
#include "mcts/score.h"

namespace makzero::mcts {

// Relation of a stored score to the true one.
enum class Bound : std::uint8_t { kNone, kExact, kLower, kUpper };

struct TableEntry {
  std::uint64_t key = 0;
  std::int32_t score = 0;  // Proven scores count their plies from the position, not from the root.
  game::Move best;
  std::int8_t depth = 0;
  Bound bound = Bound::kNone;

  // The score as seen from the root of a search that meets the position at `ply`, and the reverse.
  int score_at(int ply) const { return shifted(score, -ply); }
  static int stored_score(int score, int ply) { return shifted(score, ply); }

  // True if the entry decides a search between alpha and beta whose score of the position is `score`.
  bool cuts(int score, int alpha, int beta) const {
    return bound == Bound::kExact || (bound == Bound::kLower && score >= beta) ||
           (bound == Bound::kUpper && score <= alpha);
  }

 private:
  static int shifted(int score, int plies) {
    if (!is_proven(score)) return score;
    return score > 0 ? score + plies : score - plies;
  }
};
static_assert(sizeof(TableEntry) == 16);

// One entry a slot, always replaced. Threads may share it: what two have written at once is an entry of no
// position.
class TranspositionTable {
 public:
  // `entries` is rounded up to a power of two.
  explicit TranspositionTable(std::size_t entries, bool shared = false)
      : slots_(std::bit_ceil(std::max<std::size_t>(entries, 1))), most_filled_(shared ? 0 : kFewEntries) {}

  bool is_shared() const { return most_filled_ == 0; }

  // Costs as much as there are entries while these are few and one thread's: a short search needs no small
  // table.
  void clear() {
    if (filled_.size() < most_filled_) {
      for (const std::uint32_t slot : filled_) slots_[slot].write({});
    } else {
      for (Slot& slot : slots_) slot.write({});
    }
    filled_.clear();
  }

  void store(const TableEntry& entry) {
    Slot& slot = slots_[place_of(entry.key)];
    if (filled_.size() < most_filled_ && slot.read().bound == Bound::kNone)
      filled_.push_back(static_cast<std::uint32_t>(place_of(entry.key)));
    slot.write(entry);
  }

  // Begins to read the slot of a key, which takes as long as a hundred instructions.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[place_of(key)]); }

  // The content of a key's slot: an entry of this position, of another, or of none.
  TableEntry slot(std::uint64_t key) const { return slots_[place_of(key)].read(); }

 private:
  // An entry as two words, the first of which gives the key together with the second alone.
  class Slot {
   public:
    TableEntry read() const {
      const std::uint64_t content = content_.load(std::memory_order_relaxed);
      const std::uint64_t key = check_.load(std::memory_order_relaxed) ^ content;
      return std::bit_cast<TableEntry>(std::array{key, content});
    }
    void write(const TableEntry& entry) {
      const auto [key, content] = std::bit_cast<std::array<std::uint64_t, 2>>(entry);
      check_.store(key ^ content, std::memory_order_relaxed);
      content_.store(content, std::memory_order_relaxed);
    }

   private:
    std::atomic<std::uint64_t> check_ = 0, content_ = 0;
  };

  std::size_t place_of(std::uint64_t key) const { return key & (slots_.size() - 1); }

  static constexpr std::size_t kFewEntries = 1 << 13;

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> filled_;  // The first slots that were filled, at most most_filled_.
  std::size_t most_filled_;
};

// Key of a position. A running count takes part, the plies of the game and those without progress from so
// many plies before their limits on: near a limit they decide.
inline std::uint64_t table_key(const game::GameInfo& info, game::Position position,
                               std::uint64_t repetition_key, int horizon) {
  if (position.no_progress_plies + horizon < info.no_progress ||
      (info.no_progress == 0 && horizon < AlphaBetaOptions::kEndless))
    position.no_progress_plies = 0;
  const std::uint64_t key = evaluation_key(position, repetition_key);
  const bool counts_plies = info.max_plies > 0 && position.ply + horizon >= info.max_plies;
  return counts_plies ? key + position.ply * 0xD1B54A32D192ED03u : key;
}

}  // namespace makzero::mcts
