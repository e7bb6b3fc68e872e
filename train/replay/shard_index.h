// The counts of a run's shards, so that a big run opens without reading every game.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/framed_file.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

struct Shard {
  std::filesystem::path path;  // FOLDER/000012.mzg
  std::uint64_t bytes = 0;     // Of the file when it was counted; 0: deleted on purpose.
  std::int64_t games = 0;
  std::int64_t rows = 0;  // Plies that are learnt from.

  bool operator==(const Shard&) const = default;
};

// "000012.mzg" in the folder.
std::filesystem::path shard_path(const std::filesystem::path& folder, std::size_t number);

// The shards of a folder by number, with their bytes, not counted. Other files are not listed.
std::vector<Shard> list_shards(const std::filesystem::path& folder);

// True of a game that a small network played by alpha-beta.
inline bool is_small_game(const GameRecord& game) { return !game.small_network().empty(); }

// True of a ply that is learnt from: it has a policy target, or was searched by alpha-beta.
inline bool is_row(const PlyRecord& ply) { return ply.full_search() || ply.depth() > 0; }

std::int64_t count_rows(const GameRecord& game);

// The games of a shard in order, damaged ones and an unfinished last one left out; `recovery` says what was
// wrong. Changes nothing, so that it may be read while a training writes to it. Throws models::Error.
std::vector<std::unique_ptr<GameRecord>> read_shard(const std::filesystem::path& path,
                                                    models::Recovery* recovery);

// The games of a shard in order; damaged ones are left out. What was wrong is repaired, set aside and added
// to `warnings`. Updates the shard's counts. Throws models::Error.
std::vector<std::unique_ptr<GameRecord>> load_shard(Shard* shard, std::vector<std::string>* warnings);

// The last game of each worker, by its sequence, that is in the shards: all before it were handled.
using WorkerMarks = std::map<std::string, std::uint64_t>;

// Counts the game in.
void raise_mark(const GameRecord& game, WorkerMarks* marks);

struct ShardIndex {
  std::vector<Shard> shards;
  WorkerMarks marks;  // Empty where all games were played by the training process itself.

  bool operator==(const ShardIndex&) const = default;
};

// What the index knows; nothing when it is missing or damaged, as it can be made anew. It is a title with a
// checksum, one line "NAME BYTES GAMES ROWS" per shard, and one line "worker NAME SEQUENCE" per mark.
ShardIndex read_shard_index(const std::filesystem::path& folder);
void write_shard_index(const std::filesystem::path& folder, const ShardIndex& index);

}  // namespace makzero::train
