// The leaf log of a run: files of evaluated positions, the newest of them up to a size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/framed_file.h"
#include "train/self_play/leaf_record.h"

namespace makzero::train {

// Writes RUN/leaves/000000.mzf, 000001.mzf ... in frames of kLeavesPerFrame; a killed process loses the
// leaves of an unwritten frame and tears the last one at most, which is cut off when the log is opened again.
// One per folder. add() may be called by several threads at once, nothing else. Throws models::Error.
class LeafLog {
 public:
  static constexpr std::size_t kLeavesPerFrame = 8192;  // 256 KiB: larger ones compress no better.

  // Files of at most this size: opening the log reads the last one.
  static constexpr std::uint64_t kShardBytes = std::uint64_t{64} << 20;

  // The folder never holds more than `most_bytes`: the oldest files are deleted first.
  // REQUIRES: most_bytes >= 1,000,000.
  // `before_delete` is called for each.
  LeafLog(std::filesystem::path folder, std::uint64_t most_bytes,
          std::function<void(const std::filesystem::path&)> before_delete = {});

  // The network that evaluates the leaves from now on; those of the one before are written.
  void begin(std::string network, std::int64_t generation);

  // Leaves whose positions follow this ruleset.
  void add(const std::string& ruleset, std::span<const Leaf> leaves);

  // Writes what is not yet a whole frame.
  void flush();

  // What was wrong with the last file; it is set aside as *.damaged and its good frames are kept.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void repair(const std::filesystem::path& shard);
  void write_block(const std::string& ruleset, std::vector<Leaf>* leaves);
  void make_room(std::uint64_t bytes);
  void begin_shard();

  std::filesystem::path folder_;
  std::uint64_t most_bytes_, shard_bytes_;
  std::function<void(const std::filesystem::path&)> before_delete_;
  std::mutex mutex_;  // Of all that follows, while leaves are added.
  std::string network_;
  std::int64_t generation_ = 0;
  std::map<std::string, std::vector<Leaf>> pending_;  // Not yet written, by ruleset.
  std::vector<LeafShard> shards_;                     // Oldest first; the last one is written to.
  std::optional<models::FrameAppender> appender_;     // Of the last shard, once there is one.
  std::uint64_t bytes_ = 0;                           // Of all shards.
  std::vector<std::string> warnings_;
};

}  // namespace makzero::train
