// A worker's games on its own disk until the trainer says that they are durable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/error.h"
#include "models/framed_file.h"
#include "train/replay/record.pb.h"
#include "train/run_folder.h"

namespace makzero::train {

// Another process has the spool.
class SpoolInUse : public models::Error {
 public:
  using models::Error::Error;
};

struct SpooledGame {
  std::uint64_t sequence = 0;
  std::string frame;  // The record, with worker and sequence, as a frame.
};

// SPOOL/worker: the name under which its games are known; SPOOL/000000000001.mzg ...: shards, each named by
// the sequence of its first game and deleted once all its games are durable; SPOOL/starts: how often it was
// opened. Not thread-safe; one process for each folder: throws SpoolInUse for another, models::Error for
// files that fail.
class Spool {
 public:
  // Opens or creates it and takes its lock. A torn last game is cut off; what else is damaged is set aside,
  // the other games are kept, and the sequence goes on far behind all that may have been. `most_bytes`: of
  // the frames that are held. `account`: that of the hub, with which the name of a worker begins, as it may
  // write to no other streams (users.acl); empty: none.
  Spool(std::filesystem::path folder, std::size_t most_bytes, const std::string& account = "");

  const std::string& worker() const { return worker_; }
  std::uint64_t starts() const { return starts_; }  // This one included.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Fills in worker and sequence and writes the game: a killed process does not lose it any more.
  void add(GameRecord record);

  // Waits until all games are on the disk: no game is sent before, else a power failure would let another
  // one have its sequence.
  void sync();

  // Forgets the games up to the durable mark.
  void drop_through(std::uint64_t mark);

  bool full() const { return bytes_ >= most_bytes_; }
  std::size_t bytes() const { return bytes_; }
  const std::deque<SpooledGame>& games() const { return games_; }  // In order.

 private:
  struct Segment {
    std::filesystem::path path;
    std::uint64_t last = 0;  // Sequence; 0: it has no game.
    int games = 0;
  };

  void name_worker(const std::string& account);  // With its dot.
  void load();
  void load_segment(const std::filesystem::path& path);
  void begin_segment();

  std::filesystem::path folder_;
  FolderLock lock_;
  std::size_t most_bytes_;
  std::string worker_;
  std::uint64_t starts_ = 0;
  std::deque<Segment> segments_;
  std::optional<models::FrameAppender> appender_;  // Of the last segment, once a game was added.
  std::deque<SpooledGame> games_;
  std::size_t bytes_ = 0;
  std::uint64_t next_ = 1;
  std::vector<std::string> warnings_;
};

}  // namespace makzero::train
