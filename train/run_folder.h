// The folder of a run: its paths, its lock, and the small files that are written whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace makzero::train {

struct RunPaths {
  explicit RunPaths(std::filesystem::path run) : root(std::move(run)) {}

  std::filesystem::path root;

  std::filesystem::path config() const { return root / "config.textproto"; }
  std::filesystem::path status() const { return root / "status.json"; }
  std::filesystem::path log() const { return root / "train.log"; }
  std::filesystem::path metrics() const { return root / "metrics.jsonl"; }
  std::filesystem::path losses() const { return root / "losses.json"; }
  std::filesystem::path learner() const { return root / "learner.mzl"; }
  std::filesystem::path checkpoints() const { return root / "checkpoints"; }
  std::filesystem::path annealed(
      std::int64_t generation) const;  // Network of a copy whose learning rate fell to 0.
  std::filesystem::path replay() const { return root / "replay"; }
  std::filesystem::path small_replay() const { return root / "small"; }  // Games of alpha-beta.
  // Of the matches of one game, where a run has several.
  std::filesystem::path ratings_of(const std::string& ruleset) const { return root / "ratings" / ruleset; }
  std::filesystem::path games() const { return root / "games"; }
  std::filesystem::path tensorboard() const { return root / "tensorboard"; }
};

// Holds FOLDER/lock as long as it lives.
class FolderLock {
 public:
  // Creates the folder; none where another process has the lock. Throws models::Error.
  static std::optional<FolderLock> take(const std::filesystem::path& folder);

  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

// The lock of a run: two trainings must not share it. Throws models::Error when another process holds it.
class RunLock {
 public:
  explicit RunLock(const std::filesystem::path& run);

 private:
  FolderLock lock_;
};

// Appends a line with one write(2), so that a killed process tears the last line at most; a torn line of an
// earlier process is ended first. Throws models::Error.
void append_line(const std::filesystem::path& path, std::string_view line);

}  // namespace makzero::train
