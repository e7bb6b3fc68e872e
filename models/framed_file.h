// The one container of everything that the program writes: a header, then checksummed frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace makzero::models {

// Layout, little-endian: "MakZero\n", u32 version, u32 kind, u64 xxh3 of the header so far; then per frame:
// u32 stored size, u32 plain size, u64 xxh3 of sizes and stored bytes, the zstd-compressed bytes. A flipped
// byte anywhere is detected.
enum class FileKind : std::uint32_t { kCheckpoint = 1, kLearnerState = 2, kGames = 3, kMatches = 4 };

// "checkpoint", "learner state", "game records", "match records".
std::string_view kind_text(FileKind kind);

// A whole file at once under a temporary name, synced and renamed by commit(); dropped without it. Throws
// Error.
class FrameWriter {
 public:
  FrameWriter(std::filesystem::path path, FileKind kind);
  ~FrameWriter();
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  void add(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
};

// Appends frames to a growing file; each add() is one write(2), so a killed process tears the last frame at
// most.
class FrameAppender {
 public:
  // Creates the file, or opens it and cuts off a torn last frame (`torn_bytes()` says how much).
  FrameAppender(std::filesystem::path path, FileKind kind);
  ~FrameAppender();
  FrameAppender(const FrameAppender&) = delete;
  FrameAppender& operator=(const FrameAppender&) = delete;

  void add(std::string_view bytes);
  void sync();
  std::uint64_t size() const { return size_; }
  std::uint64_t torn_bytes() const { return torn_bytes_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0, torn_bytes_ = 0;
};

struct FrameScan {
  std::uint64_t frames = 0;
  std::uint64_t good_bytes = 0;  // Header and all frames before the first damage.
  std::string damage;            // What is wrong and at which byte; empty when the file is whole.
};

// Calls `visit` for every good frame and stops at the first damage, which it reports instead of throwing.
// Throws Error when the file cannot be opened or is of another kind.
FrameScan scan_frames(const std::filesystem::path& path, FileKind kind,
                      const std::function<void(std::string_view)>& visit);

// The kind of a file of ours, by its header. Throws Error for foreign or truncated files.
FileKind file_kind(const std::filesystem::path& path);

// Writes a small text file (status, config) atomically: temporary name, sync, rename. Throws Error.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace makzero::models
