// The counts of a run's shards, so that a big run opens without reading every game.
#include "train/replay/shard_index.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "models/error.h"

namespace makzero::train {
namespace {

constexpr std::string_view kExtension = ".mzg";
constexpr std::string_view kIndexName = "index";
constexpr std::string_view kWorkerLine = "worker";

// The first line, with the checksum of the others.
std::string index_title(std::string_view lines) {
  return fmt::format("# shard bytes games rows, xxh3 {:016x}\n", XXH3_64bits(lines.data(), lines.size()));
}

bool is_shard_name(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  return path.extension() == kExtension && stem.size() >= 6 &&
         std::all_of(stem.begin(), stem.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::filesystem::path shard_path(const std::filesystem::path& folder, std::size_t number) {
  return folder / fmt::format("{:06}{}", number, kExtension);
}

std::vector<Shard> list_shards(const std::filesystem::path& folder) {
  std::vector<Shard> shards;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file() && is_shard_name(entry.path()))
      shards.push_back({entry.path(), entry.file_size()});
  }
  std::sort(shards.begin(), shards.end(), [](const Shard& a, const Shard& b) {
    return std::stoll(a.path.stem().string()) < std::stoll(b.path.stem().string());
  });
  return shards;
}

std::int64_t count_rows(const GameRecord& game) { return std::ranges::count_if(game.plies(), is_row); }

std::vector<std::unique_ptr<GameRecord>> read_shard(const std::filesystem::path& path,
                                                    models::Recovery* recovery) {
  std::vector<std::unique_ptr<GameRecord>> games;
  const auto read_game = [&](std::string_view bytes) {
    games.push_back(std::make_unique<GameRecord>());
    if (!games.back()->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      throw models::Error(
          path,
          fmt::format("game {} is not a game record; was it written by a newer version?", games.size() - 1));
    }
  };
  *recovery = models::recover_frames(path, models::FileKind::kGames, read_game);
  return games;
}

std::vector<std::unique_ptr<GameRecord>> load_shard(Shard* shard, std::vector<std::string>* warnings) {
  models::Recovery recovery;
  std::vector<std::unique_ptr<GameRecord>> games = read_shard(shard->path, &recovery);
  if (!recovery.damages.empty()) models::repair_frames(shard->path, models::FileKind::kGames);
  for (const std::string& damage : recovery.damages) {
    warnings->push_back(fmt::format("{}: {}; {} good games are kept{}", shard->path.string(), damage,
                                    recovery.frames,
                                    recovery.torn ? "" : ", the damaged file is set aside as *.damaged"));
  }
  shard->games = static_cast<std::int64_t>(games.size());
  shard->rows = 0;
  for (const auto& game : games) shard->rows += count_rows(*game);
  shard->bytes = std::filesystem::file_size(shard->path);
  return games;
}

void raise_mark(const GameRecord& game, WorkerMarks* marks) {
  if (game.worker().empty()) return;
  std::uint64_t& mark = (*marks)[game.worker()];
  mark = std::max<std::uint64_t>(mark, game.sequence());
}

ShardIndex read_shard_index(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kIndexName;
  if (!std::filesystem::exists(path)) return {};
  const std::string content = models::read_text_file(path);
  const std::size_t body = std::min(content.find('\n') + 1, content.size());
  if (content.substr(0, body) != index_title(std::string_view(content).substr(body))) return {};
  std::istringstream lines(content.substr(body));
  ShardIndex index;
  for (std::string name; lines >> name;) {
    if (name == kWorkerLine) {
      std::string worker;
      lines >> worker >> index.marks[worker];
      continue;
    }
    Shard shard{folder / name};
    lines >> shard.bytes >> shard.games >> shard.rows;
    index.shards.push_back(shard);
  }
  return index;
}

void write_shard_index(const std::filesystem::path& folder, const ShardIndex& index) {
  std::string lines;
  for (const Shard& shard : index.shards) {
    lines +=
        fmt::format("{} {} {} {}\n", shard.path.filename().string(), shard.bytes, shard.games, shard.rows);
  }
  for (const auto& [worker, mark] : index.marks)
    lines += fmt::format("{} {} {}\n", kWorkerLine, worker, mark);
  models::write_text_file(folder / kIndexName, index_title(lines) + lines);
}

}  // namespace makzero::train
