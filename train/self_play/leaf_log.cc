#include "train/self_play/leaf_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "models/error.h"
#include "models/file_io.h"

namespace makzero::train {
namespace {

using models::FileKind;

constexpr std::uint64_t kLeastShards = 8;  // So that little is lost where the oldest is deleted.

// What a frame may have in the file: data that do not compress become a little larger.
constexpr std::uint64_t stored_at_most(std::uint64_t bytes) { return bytes + bytes / 64 + 1024; }

}  // namespace

LeafLog::LeafLog(std::filesystem::path folder, std::uint64_t most_bytes,
                 std::function<void(const std::filesystem::path&)> before_delete)
    : folder_(std::move(folder)),
      most_bytes_(most_bytes),
      shard_bytes_(std::min(kShardBytes, most_bytes / kLeastShards)),
      before_delete_(std::move(before_delete)) {
  models::make_folder(folder_);
  if (const auto found = list_leaf_shards(folder_); !found.empty()) repair(found.back().path);
  shards_ = list_leaf_shards(folder_);
  for (const LeafShard& shard : shards_) bytes_ += shard.bytes;
}

void LeafLog::repair(const std::filesystem::path& shard) {
  const models::Recovery recovery = models::repair_frames(shard, FileKind::kLeaves);
  for (const std::string& damage : recovery.damages) {
    warnings_.push_back(fmt::format("{}: {}; {} good frames are kept{}", shard.string(), damage,
                                    recovery.frames,
                                    recovery.torn ? "" : ", the damaged file is set aside as *.damaged"));
  }
}

void LeafLog::begin(std::string network, std::int64_t generation) {
  flush();
  network_ = std::move(network);
  generation_ = generation;
}

void LeafLog::add(const std::string& ruleset, std::span<const Leaf> leaves) {
  const std::lock_guard lock(mutex_);
  std::vector<Leaf>& pending = pending_[ruleset];
  pending.insert(pending.end(), leaves.begin(), leaves.end());
  if (pending.size() >= kLeavesPerFrame) write_block(ruleset, &pending);
}

void LeafLog::flush() {
  const std::lock_guard lock(mutex_);
  for (auto& [ruleset, leaves] : pending_)
    if (!leaves.empty()) write_block(ruleset, &leaves);
  pending_.clear();
}

void LeafLog::write_block(const std::string& ruleset, std::vector<Leaf>* leaves) {
  const std::string bytes = encode_leaves({ruleset, network_, generation_, std::move(*leaves)});
  leaves->clear();
  const std::uint64_t stored = stored_at_most(bytes.size());
  make_room(stored);
  if (shards_.empty() || shards_.back().bytes + stored > shard_bytes_) begin_shard();
  LeafShard& shard = shards_.back();
  if (!appender_) appender_.emplace(shard.path, FileKind::kLeaves);
  appender_->add(bytes);
  bytes_ += appender_->size() - shard.bytes;
  shard.bytes = appender_->size();
}

void LeafLog::make_room(std::uint64_t bytes) {
  while (shards_.size() > 1 && bytes_ + bytes > most_bytes_) {
    const std::filesystem::path& oldest = shards_.front().path;
    if (before_delete_) before_delete_(oldest);
    std::error_code error;
    std::filesystem::remove(oldest, error);
    if (error)
      throw models::Error(oldest, "cannot be deleted to make room: " + models::system_text(error.value()));
    bytes_ -= shards_.front().bytes;
    shards_.erase(shards_.begin());
  }
}

void LeafLog::begin_shard() {
  appender_.reset();
  const std::uint64_t number = shards_.empty() ? 0 : shards_.back().number + 1;
  shards_.push_back({leaf_shard_path(folder_, number), number, 0});
}

}  // namespace makzero::train
