// The games of a run: append-only shards on disk, a sampling window in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mcts/rng.h"
#include "train/record.pb.h"

namespace makzero::train {

// One position of a game in the window.
struct Sample {
  const GameRecord* game = nullptr;
  int ply = 0;
};

// Not thread-safe. Throws models::Error.
class ReplayStore {
 public:
  // Opens RUN/replay, loads the newest games up to the window. A torn last frame (killed process) is cut off;
  // a damaged shard is reported in warnings() and its good games are kept.
  ReplayStore(std::filesystem::path folder, int games_per_shard);
  ~ReplayStore();

  // Appends a game: once this returns a killed process does not lose it.
  void add(GameRecord game);

  // Forgets the oldest games in memory (never on disk) beyond this many rows.
  void set_window(std::int64_t rows);

  std::int64_t games() const;  // Ever added, on disk.
  std::int64_t rows() const;   // Ever added: positions with a training target.
  std::int64_t window_rows() const;
  std::span<const std::unique_ptr<GameRecord>> window() const;  // Oldest first.

  // `count` rows drawn uniformly from the window. REQUIRES: window_rows() > 0.
  std::vector<Sample> sample(int count, mcts::Rng* rng) const;

  const std::vector<std::string>& warnings() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::train
