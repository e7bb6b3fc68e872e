// Checks every file of a run and sets damaged pieces aside without losing the good ones: `makzero fsck RUN`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace makzero::train {

enum class FsckState {
  kNote,      // Worth knowing, not damage: the traces of a killed process, which the next start removes by
              // itself.
  kRepaired,  // Was damaged; what was good is in its place again.
  kDamaged,   // Is damaged and was not repaired.
};

struct FsckFinding {
  std::filesystem::path path;
  std::string what;  // What is wrong and at which bytes or lines, and what was or can be done.
  FsckState state = FsckState::kDamaged;
};

struct FsckReport {
  int files = 0;  // That were checked.
  std::vector<FsckFinding> findings;

  // Nothing is damaged any more: exit status 0, else 1.
  bool whole() const;

  // A line per finding and one for the whole.
  std::string text() const;
};

// Checks checkpoints, learner state, shards with their index, match records, metrics, events, status and
// configuration, byte by byte where they carry checksums; games are played through by the rules. With
// `repair` damaged files are kept as NAME.damaged and replaced by what is good in them, and unfinished files
// are removed. Throws models::Error when the folder is no run, or, with `repair`, while a training uses it.
FsckReport fsck_run(const std::filesystem::path& run, bool repair);

}  // namespace makzero::train
