// Checks every file of a run and sets damaged pieces aside without losing the good ones: `makzero fsck RUN`.
#include "train/run/fsck.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "models/error.h"
#include "models/framed_file.h"
#include "train/replay/shard_index.h"
#include "train/run/file_kinds.h"
#include "train/run/ledger.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

class Fsck {
 public:
  Fsck(const std::filesystem::path& run, bool repair) : context_(run), repair_(repair) {}

  FsckReport check_all() {
    for (const std::filesystem::path& path : files()) {
      try {
        check(path);
      } catch (const models::Error& error) {
        set_aside(path, error.what());
      }
    }
    for (const std::filesystem::path& folder : {paths_.replay(), paths_.small_replay()}) check_index(folder);
    check_ledger();
    return std::move(report_);
  }

 private:
  // All regular files of the run, by name.
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(paths_.root)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  // Throws models::Error for a file that is of no use any more.
  void check(const std::filesystem::path& path) {
    if (path.extension().string().starts_with(".damaged"))
      return note(path, "was set aside earlier; delete it when it is of no use");
    if (path.extension() == ".tmp") return check_unfinished(path);
    ++report_.files;
    const RunFileKind* kind = kind_of(path);
    if (!kind || !kind->check) return;
    const FileCheck found = kind->check(path, &context_);
    if (found.torn && !repair_) {
      note(path, found.damage + "; the next start cuts it off");
    } else if (!found.damage.empty()) {
      damaged(path, found.damage, [&] { return kind->repair(path, &context_); });
    }
    if (!found.misfit.empty()) report_.findings.push_back({path, found.misfit});
  }

  void note(const std::filesystem::path& path, std::string what) {
    report_.findings.push_back({path, std::move(what), FsckState::kNote});
  }

  // Damage that `repair` repairs; what it returns is added to the finding.
  void damaged(const std::filesystem::path& path, const std::string& what,
               const std::function<std::string()>& repair) {
    if (!repair_) {
      report_.findings.push_back({path, what, FsckState::kDamaged});
      return;
    }
    try {
      report_.findings.push_back({path, what + "; " + repair(), FsckState::kRepaired});
    } catch (const models::Error& error) {
      report_.findings.push_back({path, what + "; cannot be repaired: " + error.what(), FsckState::kDamaged});
    }
  }

  // A file of which nothing can be kept in place.
  void set_aside(const std::filesystem::path& path, const std::string& what) {
    damaged(path, what, [&] {
      const std::filesystem::path kept = models::keep_damaged(path);
      std::filesystem::remove(path);
      return "set aside as " + kept.filename().string();
    });
  }

  void check_unfinished(const std::filesystem::path& path) {
    if (repair_) std::filesystem::remove(path);
    note(path, repair_ ? "was unfinished and is removed" : "is unfinished, left by a killed process");
  }

  // What the index knows of shards that are shorter now or gone.
  void check_index(const std::filesystem::path& folder) {
    bool stale = false;
    for (const Shard& shard : read_shard_index(folder).shards) {
      std::error_code missing;
      if (shard.bytes == 0) continue;  // Deleted on purpose.
      const std::uint64_t bytes = std::filesystem::file_size(shard.path, missing);
      if (!missing && bytes >= shard.bytes) continue;
      if (!missing && std::filesystem::exists(shard.path.string() + ".damaged")) {
        stale = true;  // Repaired above or earlier: its good games were counted anew.
        continue;
      }
      stale = true;
      const std::string what =
          missing ? fmt::format("the shard with {} games is missing", shard.games)
                  : fmt::format("has {} bytes, but had {} when it was last seen whole", bytes, shard.bytes);
      damaged(shard.path, what, [] { return "the games that are left are counted anew"; });
    }
    if (stale && repair_) kind_of(folder / "index")->repair(folder / "index", &context_);
  }

  bool has_finding(const std::filesystem::path& path, bool is_damaged) const {
    return std::ranges::any_of(report_.findings, [&](const FsckFinding& finding) {
      return finding.path == path &&
             (is_damaged ? finding.state == FsckState::kDamaged : finding.state != FsckState::kNote);
    });
  }

  // Losses that leave no trace in the file itself.
  void check_ledger() {
    for (const LedgerFault& fault : ledger_faults(paths_.root, LedgerDepth::kEveryByte)) {
      if (!has_finding(fault.file, false)) damaged(fault.file, fault.what, [&] { return repair(fault); });
      if (repair_ && !has_finding(fault.file, true)) count_anew(paths_.root, fault.file);
    }
  }

  // Takes the content from where there is another copy of it.
  std::string repair(const LedgerFault& fault) {
    const RunFileKind* kind = counted_kind(fault.file.lexically_relative(paths_.root));
    if (!kind) return "written anew from its copy";
    if (kind->has_copy) return kind->repair(fault.file, &context_);
    if (!std::filesystem::exists(fault.file)) return "there is no copy of it; it is not counted any more";
    if (!fault.is_other || !models::find_file_kind(fault.file)) return "what is left is counted anew";
    const std::filesystem::path kept = models::keep_damaged(fault.file);
    std::filesystem::remove(fault.file);
    return "set aside as " + kept.filename().string();
  }

  CheckContext context_;
  const RunPaths& paths_ = context_.paths;
  bool repair_;
  FsckReport report_;
};

std::string_view state_text(FsckState state) {
  switch (state) {
    case FsckState::kNote:
      return "note";
    case FsckState::kRepaired:
      return "repaired";
    case FsckState::kDamaged:
      return "damaged";
  }
  return "";
}

}  // namespace

bool FsckReport::whole() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const FsckFinding& finding) { return finding.state == FsckState::kDamaged; });
}

std::string FsckReport::text() const {
  std::string lines;
  std::map<FsckState, int> counts;
  for (const FsckFinding& finding : findings) {
    // Messages of failed operations begin with the path already.
    const std::string path = finding.path.string() + ": ";
    const bool named = finding.what.starts_with(path);
    lines += fmt::format("{:<8} {}{}\n", state_text(finding.state), named ? "" : path, finding.what);
    ++counts[finding.state];
  }
  lines += fmt::format("{} files checked: {} damaged, {} repaired\n", files, counts[FsckState::kDamaged],
                       counts[FsckState::kRepaired]);
  if (!whole()) lines += "`makzero fsck RUN --repair` sets damaged pieces aside and keeps the good ones\n";
  return lines;
}

FsckReport fsck_run(const std::filesystem::path& run, bool repair) {
  const RunPaths paths(run);
  if (!std::filesystem::is_directory(run)) throw models::Error(run, "is no folder; give the folder of a run");
  if (!std::filesystem::exists(paths.config()) && !std::filesystem::exists(paths.checkpoints()) &&
      !std::filesystem::exists(paths.replay())) {
    throw models::Error(run, "is no run: it has neither config.textproto nor checkpoints nor replay");
  }
  std::optional<RunLock> lock;
  if (repair) lock.emplace(run);
  return Fsck(run, repair).check_all();
}

}  // namespace makzero::train
