// The one container of everything that the program writes: a header, then checksummed frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/file_io.h"

namespace makzero::models {

// Layout, little-endian: "MakZero\n", u32 version, u32 kind, u64 xxh3 of the header so far; then the frames
// (frame.h). A flipped byte anywhere is detected.
enum class FileKind : std::uint32_t {
  kCheckpoint = 1,
  kLearnerState = 2,
  kGames = 3,
  kMatches = 4,
  kSmallNetwork = 6,  // 5 was that of evaluations of self-play.
  kEnding = 7
};

// "checkpoint", "learner state", "game records", "match records", "small network", "ending", "unknown
// contents".
std::string_view kind_text(FileKind kind);

// The bytes of a whole file: to be written by write_text_file() or sent.
class FrameBuffer {
 public:
  explicit FrameBuffer(FileKind kind);

  void add(std::string_view bytes);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Appends frames to a growing file; each add() is one write(2), so a killed process tears the last frame at
// most. Throws Error; after a failed add() the file is as it was before.
class FrameAppender {
 public:
  // Creates the file, or opens it and cuts off a torn last frame. Throws Error when the file is damaged
  // otherwise: repair_frames() repairs it.
  FrameAppender(const std::filesystem::path& path, FileKind kind);

  void add(std::string_view bytes);
  void sync();
  std::uint64_t size() const { return size_; }

 private:
  File file_;
  std::uint64_t size_ = 0;
};

// Reads frame by frame. The constructor throws Error when the file cannot be opened, is foreign, of another
// kind or of a newer version; damage is reported by damage().
class FrameReader {
 public:
  FrameReader(const std::filesystem::path& path, FileKind kind);

  // The bytes of a file in memory, which must outlive the reader; errors name it so.
  FrameReader(const std::string& name, std::string_view bytes, FileKind kind);

  // The next frame's plain bytes, or none at the end of the file and at damage.
  std::optional<std::string> next();

  std::uint64_t good_bytes() const { return offset_; }   // Header and all frames read so far.
  const std::string& damage() const { return damage_; }  // What is wrong and at which bytes; empty = nothing.

 private:
  std::string read(std::uint64_t offset, std::size_t size) const;

  std::variant<File, std::string_view> source_;
  std::uint64_t size_ = 0, offset_ = 0;
  std::string damage_;
};

// Every good frame of a damaged file, those behind the damage included.
struct Recovery {
  std::uint64_t frames = 0;
  std::uint64_t good_bytes = 0;      // Header and all frames before the first damage.
  std::vector<std::string> damages;  // Each with its bytes; empty when the file is whole.
  bool torn = false;  // The only damage is an unfinished last frame: what a killed process leaves.
};
Recovery recover_frames(const std::filesystem::path& path, FileKind kind,
                        const std::function<void(std::string_view)>& visit);

// Repairs a damaged file of appended frames: a torn last frame is cut off; otherwise the file is set aside as
// PATH.damaged (.damaged-2 ...) and its good frames are written to PATH. Does nothing to a whole file.
// Throws Error.
Recovery repair_frames(const std::filesystem::path& path, FileKind kind);

// The kind of a file of ours, by its header; none for foreign files. Throws Error for damaged headers and
// missing files.
std::optional<FileKind> find_file_kind(const std::filesystem::path& path);

// The kind of a file of ours, by its header. Throws Error for foreign or truncated files.
FileKind file_kind(const std::filesystem::path& path);

}  // namespace makzero::models
