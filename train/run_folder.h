// The folder of a run: its paths, its lock, and the small files that are written whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace makzero::train {

struct RunPaths {
  explicit RunPaths(std::filesystem::path run) : root(std::move(run)) {}

  std::filesystem::path root;

  std::filesystem::path config() const { return root / "config.textproto"; }
  std::filesystem::path status() const { return root / "status.json"; }
  std::filesystem::path log() const { return root / "train.log"; }
  std::filesystem::path metrics() const { return root / "metrics.jsonl"; }
  std::filesystem::path learner() const { return root / "learner.mzl"; }
  std::filesystem::path checkpoints() const { return root / "checkpoints"; }
  std::filesystem::path replay() const { return root / "replay"; }
  std::filesystem::path leaves() const { return root / "leaves"; }
  // Of the matches of one game, where a run has several.
  std::filesystem::path ratings_of(const std::string& ruleset) const { return root / "ratings" / ruleset; }
  std::filesystem::path games() const { return root / "games"; }
  std::filesystem::path tensorboard() const { return root / "tensorboard"; }
};

// Holds RUN/lock as long as it lives: two trainings must not share a run. Creates the folder.
// Throws models::Error, saying `in_use`, when another process holds it.
class RunLock {
 public:
  explicit RunLock(const std::filesystem::path& run,
                   const std::string& in_use =
                       "another training uses this run: stop it, or choose another folder with --run");
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

// Appends a line with one write(2), so that a killed process tears the last line at most; a torn line of an
// earlier process is ended first. Throws models::Error.
void append_line(const std::filesystem::path& path, std::string_view line);

}  // namespace makzero::train
