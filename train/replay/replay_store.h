// The games of a run: append-only shards on disk, a sampling window in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/framed_file.h"
#include "train/config.pb.h"
#include "train/replay/record.pb.h"
#include "train/replay/shard_index.h"

namespace makzero::train {

// How many rows of so many are learnt from.
std::int64_t window_size(const ReplayConfig& config, std::int64_t rows);

// The newest games of a RUN/replay up to its window, oldest first. Changes nothing, so that it may be read
// while a training writes to it. Throws models::Error.
std::vector<std::unique_ptr<GameRecord>> read_window(const std::filesystem::path& folder,
                                                     const ReplayConfig& config);

// Rows of all games of a RUN/replay, deleted shards included. Changes nothing. Throws models::Error.
std::int64_t stored_rows(const std::filesystem::path& folder);

// RUN/replay/000000.mzg, 000001.mzg ...: the truth; RUN/replay/index: the counts of finished shards, made
// anew when missing. A row is a ply that is learnt from (is_row()). Not thread-safe; one per
// folder. Throws models::Error.
class ReplayStore {
 public:
  static constexpr std::int64_t kEverything = std::numeric_limits<std::int64_t>::max();

  // Opens RUN/replay, loads the newest games up to the window. A torn last frame (killed process) is cut off;
  // a damaged shard is reported in warnings(), set aside as *.damaged, and its good games are kept. Where the
  // window depends on rows(), open with 0 and call set_window().
  ReplayStore(std::filesystem::path folder, int games_per_shard, std::int64_t window_rows = kEverything);

  // Appends a game: once this returns a killed process does not lose it. The window grows by
  // it, up to set_most_rows().
  void add(GameRecord game);

  // Waits until all games are on the disk: after this a power failure does not lose them either.
  void sync();

  // Forgets the oldest games in memory (never on disk) as long as this many rows remain, or loads older ones
  // up to this many rows. Samples and window() of before are invalid afterwards.
  void set_window(std::int64_t rows);

  // Above so many rows in memory games go to the disk alone, until set_window() reads those of its window
  // from there: for games that come faster than they are learnt from. Unbounded unless said otherwise.
  void set_most_rows(std::int64_t rows) { most_rows_ = rows; }

  // Marks the oldest shards as deleted until the others have at most so many bytes, but those of the window
  // and of the newest rows; their games and rows go on counting. Returns the files that are to be deleted,
  // those of a process that was killed before it did among them.
  std::vector<std::filesystem::path> delete_oldest(std::uint64_t most_bytes, std::int64_t newest_rows);

  // Index of the shards as they are now.
  ShardIndex index() const;

  // For the next game: above that of every game on disk, also of those that damage has cost.
  std::uint64_t next_number() const { return next_number_; }

  // The last game of each worker on disk, written down or not: sync() makes them durable.
  const WorkerMarks& marks() const { return marks_; }

  std::int64_t games() const { return games_; }  // On disk.
  std::int64_t rows() const { return rows_; }    // Of these.
  std::int64_t window_rows() const { return window_rows_; }
  std::span<const std::unique_ptr<GameRecord>> window() const {  // Oldest first.
    return std::span(window_).subspan(forgotten_);
  }

  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void count_shards();
  void write_index();
  void leave_out(const Shard& deleted);
  void leave_out_first();
  void count_numbers(const std::vector<std::unique_ptr<GameRecord>>& games);
  void take_counts(const Shard& known);
  void count(const GameRecord& game);
  void open_shard();
  void load_older(std::int64_t rows);
  std::vector<std::unique_ptr<GameRecord>> load_counted(Shard* shard);
  void forget_older(std::int64_t rows);
  void forget_all();

  std::filesystem::path folder_;
  int games_per_shard_;
  std::vector<Shard> shards_, deleted_;
  std::optional<models::FrameAppender> appender_;  // Of the newest shard, once a game was added.
  std::uint64_t next_number_ = 0;
  WorkerMarks marks_;
  std::int64_t games_ = 0, rows_ = 0;
  std::vector<std::string> warnings_;

  // The window: its first forgotten_ entries are empty; then all games from (first_shard_, first_in_shard_)
  // on.
  std::vector<std::unique_ptr<GameRecord>> window_;
  std::ptrdiff_t forgotten_ = 0;
  std::size_t first_shard_ = 0;
  std::int64_t first_in_shard_ = 0;
  std::int64_t window_rows_ = 0;
  std::int64_t most_rows_ = kEverything;
  bool is_behind_ = false;  // Games of the end of the window are on disk alone.
};

}  // namespace makzero::train
