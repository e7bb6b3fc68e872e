// The games of a run on its disk: those of the tower, and those of small networks.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "train/config.pb.h"
#include "train/replay/replay_store.h"
#include "train/run_folder.h"

namespace makzero::train {

// Not thread-safe; one per run. Configuration must outlive it. Throws models::Error.
class RunGames {
 public:
  // `from_workers`: games may come faster than they are learnt from.
  RunGames(const Config& config, const RunPaths& paths, bool from_workers);

  void add(GameRecord record);  // Numbers it.
  void sync();                  // To the disk.

  // What a tower learns from by now. Spans of before are invalid afterwards.
  void update_window();
  std::span<const std::unique_ptr<GameRecord>> window() const { return tower_.window(); }
  std::span<const std::unique_ptr<GameRecord>> small_window() const { return small_.window(); }

  std::int64_t games() const { return tower_.games() + small_.games(); }
  std::int64_t rows() const { return tower_.rows() + small_.rows(); }
  std::int64_t tower_rows() const { return tower_.rows(); }
  std::int64_t window_rows() const { return tower_.window_rows(); }
  std::int64_t small_window_rows() const { return small_.window_rows(); }

  // A number that no earlier session has had.
  std::uint64_t next_number() const { return tower_.next_number() + small_.next_number(); }

  // The games that were played for that generation, the newest on the disk.
  void for_each_of(std::int64_t generation, const std::function<void(const GameRecord&)>& use) const;

  // The last game of each worker on the disk.
  WorkerMarks marks() const;

  std::vector<ShardIndex> indices() const;
  std::vector<std::string> warnings() const;

  // What `replay.gigabytes` leaves over: files that are to be deleted.
  std::vector<std::filesystem::path> delete_oldest();

 private:
  const Config& config_;
  std::array<std::filesystem::path, 2> folders_;  // Of the stores, in their order.
  ReplayStore tower_;
  ReplayStore small_;  // Workers may send games of before where small networks play none.
  bool from_workers_;
};

}  // namespace makzero::train
