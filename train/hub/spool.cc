#include "train/hub/spool.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <utility>

#include "models/error.h"
#include "models/file_io.h"
#include "models/frame.h"
#include "train/hub/hub.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

constexpr int kGamesPerSegment = 64;
constexpr std::size_t kMostHostBytes = 24;

std::string host_name() {
  std::array<char, 64> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "worker";
  std::string plain;
  for (const char* c = name.data(); *c != '\0' && plain.size() < kMostHostBytes; ++c)
    plain += is_worker_name(std::string("a") + *c) ? *c : '-';
  return is_worker_name(plain) ? plain : "worker";
}

FolderLock take_lock(const std::filesystem::path& folder) {
  std::optional<FolderLock> lock = FolderLock::take(folder);
  if (!lock) throw SpoolInUse(folder, "another worker uses this spool: stop it, or choose another --spool");
  return std::move(*lock);
}

std::string read_line(const std::filesystem::path& path) {
  std::string line = models::read_text_file(path);
  line.erase(std::min(line.find('\n'), line.size()));
  return line;
}

// 0 where the text is no number.
std::uint64_t number_of(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

std::vector<std::filesystem::path> list_segments(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".mzg") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

Spool::Spool(std::filesystem::path folder, std::size_t most_bytes, const std::string& account)
    : folder_(std::move(folder)), lock_(take_lock(folder_)), most_bytes_(most_bytes) {
  name_worker(account.empty() ? "" : account + ".");
  load();
  const std::filesystem::path starts = folder_ / "starts";
  if (std::filesystem::exists(starts)) starts_ = number_of(read_line(starts));
  models::write_text_file(starts, fmt::format("{}\n", ++starts_));
}

// A spool that begins anew must not have the name of an earlier one: its sequences would be taken for games
// that are known.
void Spool::name_worker(const std::string& account) {
  const std::filesystem::path path = folder_ / "worker";
  if (std::filesystem::exists(path)) worker_ = read_line(path);
  if (is_worker_name(worker_)) {
    if (worker_.starts_with(account)) return;
    throw models::Error(path,
                        fmt::format("account '{}' may not send the games of '{}': drain them with theirs, "
                                    "or choose another --spool",
                                    account.substr(0, account.size() - 1), worker_));
  }
  if (!worker_.empty())
    warnings_.push_back(path.string() + ": is no worker's name; the spool gets a new one");
  worker_ = fmt::format("{}{}-{:08x}", account, host_name(), std::random_device()());
  if (!is_worker_name(worker_))
    throw models::Error(
        fmt::format("'{}' cannot be a worker's name: give the account a short plain one", worker_));
  models::write_text_file(path, worker_ + "\n");
}

void Spool::load() {
  for (const std::filesystem::path& path : list_segments(folder_)) load_segment(path);
  if (!warnings_.empty()) next_ += kDamageJump;
}

void Spool::load_segment(const std::filesystem::path& path) {
  Segment segment{path};
  const auto read_game = [&](std::string_view bytes) {
    const ParsedRecord parsed = parse_record(bytes);
    if (!parsed.record || parsed.record->worker() != worker_ || parsed.record->sequence() < next_) {
      warnings_.push_back(
          fmt::format("{}: holds what is no game of worker {}; it is left out", path.string(), worker_));
      return;
    }
    segment.last = parsed.record->sequence();
    ++segment.games;
    next_ = segment.last + 1;
    games_.push_back({segment.last, models::encode_frame(bytes)});
    bytes_ += games_.back().frame.size();
  };
  const models::Recovery recovery = models::recover_frames(path, models::FileKind::kGames, read_game);
  if (!recovery.damages.empty()) {
    models::repair_frames(path, models::FileKind::kGames);
    if (!recovery.torn) {
      warnings_.push_back(
          fmt::format("{}: {}; the other games are kept", path.string(), recovery.damages.front()));
    }
  }
  next_ = std::max(next_, number_of(path.stem().string()));
  segments_.push_back(std::move(segment));
}

void Spool::begin_segment() {
  sync();
  const std::filesystem::path path = folder_ / fmt::format("{:012}.mzg", next_);
  if (!segments_.empty() && segments_.back().path == path) segments_.pop_back();  // It has no game.
  segments_.push_back({path});
  appender_.emplace(segments_.back().path, models::FileKind::kGames);
}

void Spool::add(GameRecord record) {
  if (segments_.empty() || segments_.back().games >= kGamesPerSegment || segments_.back().last + 1 != next_)
    begin_segment();
  if (!appender_) appender_.emplace(segments_.back().path, models::FileKind::kGames);
  record.set_worker(worker_);
  record.set_sequence(next_);
  const std::string bytes = record.SerializeAsString();
  appender_->add(bytes);
  games_.push_back({next_, models::encode_frame(bytes)});
  bytes_ += games_.back().frame.size();
  segments_.back().last = next_++;
  ++segments_.back().games;
}

void Spool::sync() {
  if (appender_) appender_->sync();
}

// The last segment stays: its name and games say where the sequence goes on.
void Spool::drop_through(std::uint64_t mark) {
  while (!games_.empty() && games_.front().sequence <= mark) {
    bytes_ -= games_.front().frame.size();
    games_.pop_front();
  }
  while (segments_.size() > 1 && segments_.front().last <= mark) {
    std::filesystem::remove(segments_.front().path);
    segments_.pop_front();
  }
}

}  // namespace makzero::train
