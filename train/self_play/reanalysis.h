// Old positions searched again with the newest network, so that they teach what is known now (MuZero
// Reanalyse, Schrittwieser et al. 2021).
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "game/game.h"
#include "mcts/lockstep.h"
#include "mcts/search.h"
#include "train/config.pb.h"
#include "train/replay/record.pb.h"
#include "train/replay/replay_store.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// A row whose search was done again: the new search stands in `ply`, the move is the old one.
struct ReanalyzedRow {
  Sample sample;
  PlyRecord ply;
};

// The rows that are to be searched, and those that were. Thread-safe. The games must outlive it.
class ReanalysisQueue {
 public:
  explicit ReanalysisQueue(std::vector<Sample> samples) : samples_(std::move(samples)) {}

  std::optional<Sample> next();
  void add(ReanalyzedRow row);
  std::vector<ReanalyzedRow> take();  // What was added since.

 private:
  std::mutex mutex_;
  std::vector<Sample> samples_;
  std::vector<ReanalyzedRow> reanalyzed_;
};

// One search after the other, stepped like a game of self-play. Not thread-safe.
class Reanalyser {
 public:
  // Pool and configuration must outlive it.
  Reanalyser(GamePool* pool, const Config& config, std::uint64_t seed);

  // Appends the next position to evaluate; none when the queue is empty. REQUIRES: the leaf before was backed
  // up.
  void gather(mcts::Lockstep<>* lockstep, ReanalysisQueue* queue);

  // Gives up the row that is being searched.
  void forget() { sample_.reset(); }

 private:
  void begin();
  ReanalyzedRow reanalyzed() const;

  GamePool* pool_;
  const Config& config_;
  mcts::Rng rng_;
  game::GamePtr game_;  // The rules of the row that is being searched.
  std::optional<mcts::Search> search_;
  std::optional<Sample> sample_;
};

}  // namespace makzero::train
