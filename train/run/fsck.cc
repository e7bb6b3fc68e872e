// Checks every file of a run and sets damaged pieces aside without losing the good ones: `makzero fsck RUN`.
#include "train/run/fsck.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "game/catalog.h"
#include "models/error.h"
#include "models/framed_file.h"
#include "models/small_network_file.h"
#include "models/store.h"
#include "train/config.h"
#include "train/replay/game_replay.h"
#include "train/replay/shard_index.h"
#include "train/run/event_file.h"
#include "train/run_folder.h"
#include "train/self_play/leaf_record.h"

namespace makzero::train {
namespace {

using models::FileKind;

// Why a frame is not the record that it should be; empty when it is.
using Judge = std::function<std::string(std::string_view)>;

class Fsck {
 public:
  Fsck(const std::filesystem::path& run, bool repair) : paths_(run), repair_(repair) {}

  FsckReport check_all() {
    for (const std::filesystem::path& path : files()) {
      try {
        check(path);
      } catch (const models::Error& error) {
        set_aside(path, error.what());
      }
    }
    check_index();
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
    const std::string name = path.filename().string(), extension = path.extension().string();
    if (extension.starts_with(".damaged"))
      return note(path, "was set aside earlier; delete it when it is of no use");
    if (extension == ".tmp") return check_unfinished(path);
    ++report_.files;
    if (extension == ".mzc") return check_checkpoint(path);
    if (extension == ".mzl") return check_learner(path);
    if (extension == ".mzs") return check_small_network(path);
    if (extension == ".mzg")
      return check_frames(path, FileKind::kGames, [&](auto bytes) { return judge_game(bytes); });
    if (extension == ".mzm") return check_frames(path, FileKind::kMatches, judge_match);
    if (extension == ".mzf")
      return check_frames(path, FileKind::kLeaves, [&](auto bytes) { return judge_leaves(bytes); });
    if (extension == ".jsonl") return check_json_lines(path);
    if (name.starts_with("events.out.tfevents")) return check_events(path);
    if (path == paths_.status()) return check_status(path);
    if (path == paths_.config()) return check_config(path);
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

  // Keeps the damaged file under another name and puts `good` in its place.
  void replace(const std::filesystem::path& path, const std::string& what, const std::string& good) {
    damaged(path, what, [&] {
      const std::filesystem::path kept = models::keep_damaged(path);
      models::write_text_file(path, good);
      return "what is good is kept, the damaged file is " + kept.filename().string();
    });
  }

  void check_unfinished(const std::filesystem::path& path) {
    if (repair_) std::filesystem::remove(path);
    note(path, repair_ ? "was unfinished and is removed" : "is unfinished, left by a killed process");
  }

  static void check_checkpoint(const std::filesystem::path& path) {
    const models::Checkpoint checkpoint = models::read_checkpoint(path);
    const std::string generation = std::to_string(checkpoint.manifest.generation());
    if (!path.stem().string().ends_with(generation)) {
      throw models::Error(path, "holds generation " + generation + ", which its name does not say");
    }
  }

  static void check_learner(const std::filesystem::path& path) { models::read_learner_state(path, nullptr); }

  static void check_small_network(const std::filesystem::path& path) { models::read_small_network(path); }

  void check_frames(const std::filesystem::path& path, FileKind kind, const Judge& judge) {
    std::vector<std::string> misfits;
    std::uint64_t number = 0;
    const models::Recovery recovery = models::recover_frames(path, kind, [&](std::string_view bytes) {
      const std::string why = judge(bytes);
      if (!why.empty()) misfits.push_back(fmt::format("record {}: {}", number, why));
      ++number;
    });
    if (recovery.torn && !repair_) {
      note(path, fmt::format("{}; the next start cuts it off", recovery.damages.front()));
    } else if (!recovery.damages.empty()) {
      damaged(path, fmt::format("{}", fmt::join(recovery.damages, "; ")), [&] {
        models::repair_frames(path, kind);
        return fmt::format("{} good records are kept{}", recovery.frames,
                           recovery.torn ? "" : ", the damaged file is set aside as *.damaged");
      });
    }
    if (!misfits.empty()) {
      report_.findings.push_back(
          {path, fmt::format("{} records do not fit the rules of this program, first {}; they are "
                             "whole, use the program that wrote them",
                             misfits.size(), misfits.front())});
    }
  }

  // Null for unknown rulesets.
  const game::Game* game_of(const std::string& ruleset) {
    const auto [game, added] = games_.try_emplace(ruleset);
    if (added) {
      const auto made = game::make_game(ruleset);
      if (made) game->second = *made;
    }
    return game->second.get();
  }

  std::string judge_game(std::string_view bytes) {
    GameRecord record;
    if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return "is not a game record";
    const game::Game* game = game_of(record.ruleset());
    if (!game) return "unknown ruleset '" + record.ruleset() + "'";
    try {
      replay_game(*game, record, {});
    } catch (const models::Error& error) {
      return error.what();
    }
    return "";
  }

  static std::string judge_match(std::string_view bytes) {
    MatchRecord record;
    return record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ? "" : "is not a match record";
  }

  std::string judge_leaves(std::string_view bytes) {
    const auto block = decode_leaves(bytes);
    if (!block) return "is not a block of leaves";
    const game::Game* game = game_of(block->ruleset);
    if (!game) return "unknown ruleset '" + block->ruleset + "'";
    for (std::size_t i = 0; i < block->leaves.size(); ++i) {
      if (!game::unpack(game->info(), block->leaves[i].position))
        return fmt::format("leaf {} is not a position of {}", i, block->ruleset);
    }
    return "";
  }

  void check_json_lines(const std::filesystem::path& path) {
    const std::string content = models::read_text_file(path);
    std::istringstream text(content);
    std::string line, good;
    std::vector<std::int64_t> bad;
    for (std::int64_t number = 1; std::getline(text, line); ++number) {
      if (nlohmann::json::accept(line)) {
        good += line + "\n";
      } else {
        bad.push_back(number);
      }
    }
    if (!bad.empty()) replace(path, fmt::format("no JSON in line {}", fmt::join(bad, ", ")), good);
  }

  void check_events(const std::filesystem::path& path) {
    const EventScan scan = scan_events(path, [](const tensorboard::Event&) {});
    if (scan.damage.empty()) return;
    replace(path, scan.damage, models::read_text_file(path).substr(0, scan.good_bytes));
  }

  static void check_status(const std::filesystem::path& path) {
    if (!nlohmann::json::accept(models::read_text_file(path))) {
      throw models::Error(path, "is no JSON; the next start writes it anew");
    }
  }

  // A lost configuration stands in the manifest of every checkpoint.
  void check_config(const std::filesystem::path& path) {
    const auto config = parse_config(models::read_text_file(path), path.filename().string());
    if (config) return;
    std::string stored;
    for (const models::StoredCheckpoint& checkpoint : models::CheckpointStore(paths_.checkpoints()).list()) {
      try {
        stored = models::read_manifest(checkpoint.path).config();
      } catch (const models::Error&) {
        continue;  // Reported on its own.
      }
    }
    if (stored.empty() || !parse_config(stored, "checkpoint")) throw models::Error(path, config.why());
    replace(path, config.why(), stored);
  }

  // What the index knows of shards that are shorter now or gone.
  void check_index() {
    const std::filesystem::path folder = paths_.replay();
    bool stale = false;
    for (const Shard& shard : read_shard_index(folder).shards) {
      std::error_code missing;
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
    if (stale && repair_) std::filesystem::remove(folder / "index");
  }

  RunPaths paths_;
  bool repair_;
  FsckReport report_;
  std::map<std::string, game::GamePtr> games_;  // By ruleset; empty for unknown ones.
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
