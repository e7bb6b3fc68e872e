// The games of a run: append-only shards on disk, a sampling window in memory.
#include "train/replay/replay_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "models/error.h"
#include "models/file_io.h"

namespace makzero::train {

// Window = minimum * (rows / minimum) ^ exponent.
constexpr float kWindowExponent = 0.65f;

std::int64_t window_size(const ReplayConfig& config, std::int64_t rows) {
  const auto least = static_cast<double>(config.minimum_window());
  const double grown = least * std::pow(std::max(1.0, static_cast<double>(rows) / least), kWindowExponent);
  return std::min(config.maximum_window(), static_cast<std::int64_t>(grown));
}

std::vector<std::unique_ptr<GameRecord>> read_window(const std::filesystem::path& folder,
                                                     const ReplayConfig& config) {
  std::int64_t all_rows = 0, rows = 0;
  for (const Shard& shard : read_shard_index(folder).shards) all_rows += shard.rows;
  const std::vector<Shard> shards = list_shards(folder);
  std::vector<std::unique_ptr<GameRecord>> window;  // Newest first.
  const auto is_full = [&] { return rows > 0 && rows >= window_size(config, std::max(all_rows, rows)); };
  for (auto shard = shards.rbegin(); shard != shards.rend() && !is_full(); ++shard) {
    models::Recovery recovery;
    std::vector<std::unique_ptr<GameRecord>> games = read_shard(shard->path, &recovery);
    for (auto game = games.rbegin(); game != games.rend() && !is_full(); ++game) {
      rows += count_rows(**game);
      window.push_back(std::move(*game));
    }
  }
  std::reverse(window.begin(), window.end());
  return window;
}

std::int64_t stored_rows(const std::filesystem::path& folder) {
  std::map<std::filesystem::path, Shard> shards;
  for (const Shard& shard : list_shards(folder)) shards[shard.path] = shard;
  std::int64_t rows = 0;
  for (const Shard& known : read_shard_index(folder).shards) {
    const auto listed = shards.find(known.path);
    const bool whole = listed != shards.end() && listed->second.bytes == known.bytes;
    if (known.bytes > 0 && !whole) continue;
    rows += known.rows;
    if (listed != shards.end()) shards.erase(listed);
  }
  for (const auto& [path, shard] : shards) {
    models::Recovery recovery;
    for (const auto& game : read_shard(path, &recovery)) rows += count_rows(*game);
  }
  return rows;
}

ReplayStore::ReplayStore(std::filesystem::path folder, int games_per_shard, std::int64_t window_rows)
    : folder_(std::move(folder)), games_per_shard_(games_per_shard) {
  assert(games_per_shard > 0);
  models::make_folder(folder_);
  count_shards();
  set_window(window_rows);
}

void ReplayStore::add(GameRecord game) {
  if (!appender_ || shards_.back().games >= games_per_shard_) open_shard();
  appender_->add(game.SerializeAsString());
  count(game);
  is_behind_ = is_behind_ || window_rows_ >= most_rows_;
  if (is_behind_) return;
  window_rows_ += count_rows(game);
  window_.push_back(std::make_unique<GameRecord>(std::move(game)));
}

void ReplayStore::sync() {
  if (appender_) appender_->sync();
}

void ReplayStore::set_window(std::int64_t rows) {
  if (std::exchange(is_behind_, false)) forget_all();
  load_older(rows);
  forget_older(rows);
}

ShardIndex ReplayStore::index() const {
  ShardIndex index{deleted_, marks_};
  index.shards.insert(index.shards.end(), shards_.begin(), shards_.end());
  return index;
}

std::vector<std::filesystem::path> ReplayStore::delete_oldest(std::uint64_t most_bytes,
                                                              std::int64_t newest_rows) {
  std::uint64_t bytes = 0;
  std::int64_t rows = 0;
  for (const Shard& shard : shards_) {
    bytes += shard.bytes;
    rows += shard.rows;
  }
  while (first_shard_ > 0 && bytes > most_bytes && rows - shards_.front().rows >= newest_rows) {
    bytes -= shards_.front().bytes;
    rows -= shards_.front().rows;
    leave_out_first();
  }
  std::vector<std::filesystem::path> files;
  for (const Shard& shard : deleted_) {
    if (std::filesystem::exists(shard.path)) files.push_back(shard.path);
  }
  if (!files.empty()) write_index();
  return files;
}

// Fills in shards_ from the index where it still fits, else from the shards themselves. The newest one is
// always read: it is the one that a killed process tears, and its games have the highest numbers.
void ReplayStore::count_shards() {
  shards_ = list_shards(folder_);
  const ShardIndex known = read_shard_index(folder_);
  marks_ = known.marks;
  for (const Shard& old : known.shards) old.bytes == 0 ? leave_out(old) : take_counts(old);
  for (auto shard = shards_.rbegin(); shard != shards_.rend(); ++shard) {
    if (shard->games == 0 || next_number_ == 0) count_numbers(load_shard(&*shard, &warnings_));
    games_ += shard->games;
    rows_ += shard->rows;
  }
  // A killed process may have written bytes that are not on the disk yet.
  if (!shards_.empty() && !marks_.empty())
    models::File(shards_.back().path, models::File::Mode::kAppend).sync();
  if (!shards_.empty() && known != index()) write_index();
  if (!shards_.empty()) {
    first_shard_ = shards_.size() - 1;
    first_in_shard_ = shards_.back().games;
  }
}

// The index must not know of a game that the disk does not have yet: its worker would not send it again.
void ReplayStore::write_index() {
  sync();
  write_shard_index(folder_, index());
}

// A deleted shard, whose file may still be there.
void ReplayStore::leave_out(const Shard& deleted) {
  std::erase_if(shards_, [&](const Shard& shard) { return shard.path == deleted.path; });
  deleted_.push_back(deleted);
  games_ += deleted.games;
  rows_ += deleted.rows;
}

void ReplayStore::leave_out_first() {
  deleted_.push_back(shards_.front());
  deleted_.back().bytes = 0;
  shards_.erase(shards_.begin());
  --first_shard_;
}

void ReplayStore::count_numbers(const std::vector<std::unique_ptr<GameRecord>>& games) {
  for (const auto& game : games) {
    next_number_ = std::max<std::uint64_t>(next_number_, game->number() + 1);
    raise_mark(*game, &marks_);
  }
}

void ReplayStore::take_counts(const Shard& known) {
  const auto shard =
      std::find_if(shards_.begin(), shards_.end(), [&](const Shard& s) { return s.path == known.path; });
  if (shard == shards_.end()) {
    warnings_.push_back(
        fmt::format("{}: the shard with {} games is missing", known.path.string(), known.games));
  } else if (shard->bytes == known.bytes) {
    *shard = known;
  } else if (shard->bytes < known.bytes) {
    warnings_.push_back(fmt::format("{}: has {} bytes, but had {} when it was last seen whole",
                                    known.path.string(), shard->bytes, known.bytes));
  }
}

void ReplayStore::count(const GameRecord& game) {
  const std::int64_t rows = count_rows(game);
  Shard& newest = shards_.back();
  ++newest.games;
  newest.rows += rows;
  newest.bytes = appender_->size();
  next_number_ = std::max<std::uint64_t>(next_number_, game.number() + 1);
  raise_mark(game, &marks_);
  ++games_;
  rows_ += rows;
}

// Makes room for the next game: goes on with the newest shard, or begins another when it is full.
void ReplayStore::open_shard() {
  sync();
  const bool full = !shards_.empty() && shards_.back().games >= games_per_shard_;
  if (full) write_index();
  if (shards_.empty() || full) {
    const std::size_t number = shards_.empty() ? 0 : std::stoull(shards_.back().path.stem().string()) + 1;
    shards_.push_back({shard_path(folder_, number)});
    if (window().empty()) {
      first_shard_ = shards_.size() - 1;
      first_in_shard_ = 0;
    }
  }
  appender_.emplace(shards_.back().path, models::FileKind::kGames);
}

// Puts games from disk in front of the window until it has this many rows or begins with the first game.
void ReplayStore::load_older(std::int64_t rows) {
  while (window_rows_ < rows && (first_shard_ > 0 || first_in_shard_ > 0)) {
    if (first_in_shard_ == 0) first_in_shard_ = shards_[--first_shard_].games;
    std::vector<std::unique_ptr<GameRecord>> games = load_counted(&shards_[first_shard_]);
    games.resize(std::min<std::size_t>(games.size(), first_in_shard_));
    for (const auto& game : games) window_rows_ += count_rows(*game);
    window_.erase(window_.begin(), window_.begin() + forgotten_);
    forgotten_ = 0;
    window_.insert(window_.begin(), std::make_move_iterator(games.begin()),
                   std::make_move_iterator(games.end()));
    first_in_shard_ = 0;
  }
}

// Keeps the totals right where a shard turns out to be damaged.
std::vector<std::unique_ptr<GameRecord>> ReplayStore::load_counted(Shard* shard) {
  const Shard before = *shard;
  std::vector<std::unique_ptr<GameRecord>> games = load_shard(shard, &warnings_);
  games_ += shard->games - before.games;
  rows_ += shard->rows - before.rows;
  if (*shard != before) write_index();
  return games;
}

void ReplayStore::forget_older(std::int64_t rows) {
  while (!window().empty()) {
    const std::int64_t oldest = count_rows(*window_[forgotten_]);
    if (window_rows_ - oldest < rows) break;
    window_rows_ -= oldest;
    window_[forgotten_++].reset();
    if (++first_in_shard_ >= shards_[first_shard_].games && first_shard_ + 1 < shards_.size()) {
      ++first_shard_;
      first_in_shard_ = 0;
    }
  }
  if (forgotten_ * 2 > static_cast<std::ptrdiff_t>(window_.size())) {
    window_.erase(window_.begin(), window_.begin() + forgotten_);
    forgotten_ = 0;
  }
}

// The window is empty and begins behind the last game.
void ReplayStore::forget_all() {
  window_rows_ = 0;
  window_.clear();
  forgotten_ = 0;
  first_shard_ = shards_.size() - 1;
  first_in_shard_ = shards_.back().games;
}

}  // namespace makzero::train
