#include "train/run/file_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <vector>

#include "game/catalog.h"
#include "models/error.h"
#include "models/frame.h"
#include "models/framed_file.h"
#include "models/inspect.h"
#include "models/store.h"
#include "train/config.h"
#include "train/replay/game_replay.h"
#include "train/replay/shard_index.h"
#include "train/run/inspect.h"
#include "train/run/inspect_records.h"
#include "train/run/ledger.h"
#include "train/run/losses_json.h"

namespace makzero::train {
namespace {

using models::Error;
using models::FileKind;
using std::filesystem::path;

// --- Networks. ---

template <FileKind kind>
std::string describe_network(const path& file) {
  if (models::file_kind(file) != kind)
    throw Error(file, fmt::format("holds {}, not a {} as its name says", kind_text(models::file_kind(file)),
                                  kind_text(kind)));
  return models::inspect_file(file);
}

FileCheck check_checkpoint(const path& file, CheckContext*) {
  const models::Model checkpoint = models::read_model(file);
  if (checkpoint.tower_id().empty()) return {};  // A small network alone: its name is free.
  const std::string generation = std::to_string(checkpoint.manifest.generation());
  if (!file.stem().string().ends_with(generation))
    throw Error(file, "holds generation " + generation + ", which its name does not say");
  return {};
}

FileCheck check_learner(const path& file, CheckContext*) {
  models::read_learner_state(file, nullptr);
  return {};
}

FileCheck check_small_network(const path& file, CheckContext*) {
  models::read_model(file);
  return {};
}

// --- Records. ---

// Why a frame is not the record that it should be; empty when it is.
std::string judge_game(std::string_view bytes, CheckContext* context) {
  GameRecord record;
  if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return "is not a game record";
  const game::Game* game = context->game_of(record.ruleset());
  if (!game) return "unknown ruleset '" + record.ruleset() + "'";
  try {
    replay_game(*game, record, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string judge_match(std::string_view bytes, CheckContext*) {
  MatchRecord record;
  return record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ? "" : "is not a match record";
}

template <FileKind kind, std::string (*judge)(std::string_view, CheckContext*)>
FileCheck check_records(const path& file, CheckContext* context) {
  std::vector<std::string> misfits;
  std::uint64_t number = 0;
  const models::Recovery recovery = models::recover_frames(file, kind, [&](std::string_view bytes) {
    const std::string why = judge(bytes, context);
    if (!why.empty()) misfits.push_back(fmt::format("record {}: {}", number, why));
    ++number;
  });
  FileCheck check{fmt::format("{}", fmt::join(recovery.damages, "; ")), recovery.torn, ""};
  if (!misfits.empty())
    check.misfit = fmt::format(
        "{} records do not fit the rules of this program, first {}; they are whole, use the program that "
        "wrote them",
        misfits.size(), misfits.front());
  return check;
}

template <FileKind kind>
std::string repair_records(const path& file, CheckContext*) {
  const models::Recovery recovery = models::repair_frames(file, kind);
  return fmt::format("{} good records are kept{}", recovery.frames,
                     recovery.torn ? "" : ", the damaged file is set aside as *.damaged");
}

// --- Texts. ---

std::string replace_by(const path& file, const std::string& good) {
  const path kept = models::keep_damaged(file);
  models::write_text_file(file, good);
  return "what is good is kept, the damaged file is " + kept.filename().string();
}

// The good lines, and the numbers of the others.
std::pair<std::string, std::vector<std::int64_t>> json_lines(const path& file) {
  std::istringstream text(models::read_text_file(file));
  std::pair<std::string, std::vector<std::int64_t>> lines;
  std::string line;
  for (std::int64_t number = 1; std::getline(text, line); ++number) {
    if (nlohmann::json::accept(line))
      lines.first += line + "\n";
    else
      lines.second.push_back(number);
  }
  return lines;
}

FileCheck check_json_lines(const path& file, CheckContext*) {
  const auto bad = json_lines(file).second;
  return {bad.empty() ? "" : fmt::format("no JSON in line {}", fmt::join(bad, ", "))};
}

std::string repair_json_lines(const path& file, CheckContext*) {
  return replace_by(file, json_lines(file).first);
}

FileCheck check_status(const path& file, CheckContext*) {
  if (!nlohmann::json::accept(models::read_text_file(file)))
    throw Error(file, "is no JSON; the next start writes it anew");
  return {};
}

FileCheck check_losses(const path& file, CheckContext*) {
  inspect_losses(file);
  return {};
}

FileCheck check_config(const path& file, CheckContext*) { return {config_damage(file)}; }

// The configuration stands in the manifest of every checkpoint.
std::string repair_config(const path& file, CheckContext* context) {
  std::string stored;
  for (const models::StoredCheckpoint& checkpoint :
       models::CheckpointStore(context->paths.checkpoints()).list()) {
    try {
      stored = models::read_manifest(checkpoint.path).config();
    } catch (const Error&) {
      continue;  // Reported on its own.
    }
  }
  if (stored.empty() || !parse_config(stored, "checkpoint"))
    throw Error(file, "no checkpoint has the configuration either");
  if (std::filesystem::exists(file)) return replace_by(file, stored);
  models::write_text_file(file, stored);
  return "that of the newest checkpoint is in its place";
}

// --- The index of the shards. ---

// Frames in the first bytes of a file; none where these do not end with one.
std::optional<std::int64_t> frames_in(const path& file, std::uint64_t bytes) {
  static constexpr std::uint64_t kHeaderBytes = 24;
  const models::File shard(file, models::File::Mode::kRead);
  std::uint64_t at = kHeaderBytes;
  std::int64_t frames = 0;
  for (; at < bytes; ++frames) {
    const std::string size = shard.read(at, sizeof(std::uint32_t));
    if (size.size() < sizeof(std::uint32_t)) return std::nullopt;
    std::uint32_t stored = 0;
    std::copy(size.begin(), size.end(), reinterpret_cast<char*>(&stored));
    at += models::kFrameHeaderBytes + stored;
  }
  return at == bytes ? std::optional(frames) : std::nullopt;
}

// Shards that are shorter than it says, or gone, are named by themselves (fsck.cc).
FileCheck check_index(const path& file, CheckContext*) {
  const ShardIndex index = read_shard_index(file.parent_path());
  if (index == ShardIndex{}) return {"is damaged"};
  for (const Shard& shard : index.shards) {
    std::error_code missing;
    const std::uint64_t bytes = std::filesystem::file_size(shard.path, missing);
    if (missing || bytes < shard.bytes || shard.bytes == 0) continue;
    if (frames_in(shard.path, shard.bytes) != shard.games)
      return {fmt::format("does not fit {}: is it another run's?", shard.path.filename().string())};
  }
  return {};
}

std::string repair_index(const path& file, CheckContext* context) {
  ShardIndex index{list_shards(file.parent_path()), {}};
  if (const ShardCounts deleted = deleted_shards(context->paths.root, file.parent_path()); deleted.games > 0)
    index.shards.insert(index.shards.begin(),
                        {shard_path(file.parent_path(), 0), 0, deleted.games, deleted.rows});
  std::vector<std::string> warnings;
  for (Shard& shard : index.shards) {
    if (shard.bytes == 0) continue;
    for (const auto& game : load_shard(&shard, &warnings)) raise_mark(*game, &index.marks);
  }
  write_shard_index(file.parent_path(), index);
  return "the games that are left are counted anew";
}

std::string describe_events(const path& file) {
  return "TensorBoard events " + file.string() + ": the figures of metrics.jsonl\n";
}

std::string describe_lock(const path& file) { return "lock of a run " + file.string() + "\n"; }

std::string describe_database(const path& file) {
  return "database " + file.string() + ": written by former releases and not read any more\n";
}

constexpr auto kKinds = std::to_array<RunFileKind>({
    {"checkpoint", "*.mzc", "checkpoints", Accounting::kNetwork, "", describe_network<FileKind::kCheckpoint>,
     check_checkpoint},
    {"annealed checkpoint", "*.mzc", "annealed", Accounting::kNone,
     "a copy of the learner makes it; every byte of it has a checksum",
     describe_network<FileKind::kCheckpoint>, check_checkpoint},
    {"learner state", "*.mzl", "", Accounting::kLearner, "", describe_network<FileKind::kLearnerState>,
     check_learner},
    {"small network", "*.mzs", "-", Accounting::kNone, "no training writes it; its frames have checksums",
     describe_network<FileKind::kSmallNetwork>, check_small_network},
    {"game records", "*.mzg", "replay", Accounting::kShard, "", inspect_games,
     check_records<FileKind::kGames, judge_game>, repair_records<FileKind::kGames>},
    {"game records", "*.mzg", "small", Accounting::kShard, "", inspect_games,
     check_records<FileKind::kGames, judge_game>, repair_records<FileKind::kGames>},
    {"match records", "*.mzm", "", Accounting::kPrefix, "", inspect_matches,
     check_records<FileKind::kMatches, judge_match>, repair_records<FileKind::kMatches>},
    {"match records", "*.mzm", "ratings", Accounting::kPrefix, "", inspect_matches,
     check_records<FileKind::kMatches, judge_match>, repair_records<FileKind::kMatches>},
    {"metrics", "*.jsonl", "", Accounting::kPrefix, "", inspect_json_lines, check_json_lines,
     repair_json_lines},
    {"TensorBoard events", "events.out.tfevents.*", "tensorboard", Accounting::kPrefix, "", describe_events},
    {"log", "train.log", "", Accounting::kPrefix, "", inspect_text},
    {"sample games", "*.txt", "games", Accounting::kWhole, "", inspect_text},
    {"configuration", "*.textproto", "", Accounting::kWhole, "", inspect_config, check_config, repair_config,
     true},
    {"index of the shards", "index", "replay", Accounting::kPresent, "", inspect_text, check_index,
     repair_index, true},
    {"index of the shards", "index", "small", Accounting::kPresent, "", inspect_text, check_index,
     repair_index, true},
    {"note", "*.keep", "checkpoints", Accounting::kWhole, "", inspect_text},
    {"the best checkpoint", "best", "-", Accounting::kNone,
     "is noted anew by the next ratings; the latest stands in for it", inspect_text},
    {"ledger", "ledger", "-", Accounting::kNone, "", inspect_text},
    {"status", "status.json", "-", Accounting::kNone,
     "says what the training does now, and is written anew all the time", inspect_json, check_status},
    {"largest losses", "losses.json", "-", Accounting::kNone,
     "shows rows of the newest generation, and is written anew by the next", inspect_losses, check_losses},
    {"lock", "lock", "-", Accounting::kNone, "is empty", describe_lock},
    {"database", "ratings.sqlite", "-", Accounting::kNone, "of runs of before, and not read any more",
     describe_database},
});

bool fits(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  return name.size() >= pattern.size() - 1 && name.starts_with(pattern.substr(0, star)) &&
         name.ends_with(pattern.substr(star + 1));
}

}  // namespace

const game::Game* CheckContext::game_of(const std::string& ruleset) {
  const auto [game, added] = games.try_emplace(ruleset);
  if (added) {
    const auto made = game::make_game(ruleset);
    if (made) game->second = *made;
  }
  return game->second.get();
}

const RunFileKind* kind_of(const path& file) {
  const std::string name = file.filename().string();
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const RunFileKind& each) { return fits(each.name, name); });
  return kind == kKinds.end() ? nullptr : &*kind;
}

const RunFileKind* counted_kind(const path& below_run) {
  const std::string name = below_run.filename().string();
  const std::string folder = below_run.has_parent_path() ? below_run.begin()->string() : "";
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const RunFileKind& each) {
    return each.accounting != Accounting::kNone && each.folder == folder && fits(each.name, name);
  });
  return kind == kKinds.end() ? nullptr : &*kind;
}

}  // namespace makzero::train
