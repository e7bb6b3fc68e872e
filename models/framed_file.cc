// The one container of everything that the program writes: a header, then checksummed frames.
#include "models/framed_file.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/error.h"
#include "models/frame.h"

namespace makzero::models {
namespace {

constexpr std::string_view kMagic = "MakZero\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 24;

template <class T>
void put(std::string* out, T value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// REQUIRES: the bytes are there.
template <class T>
T get(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

std::string byte_range(std::uint64_t begin, std::uint64_t end) {
  return "bytes " + std::to_string(begin) + "-" + std::to_string(end - 1);
}

std::string header(FileKind kind) {
  std::string bytes(kMagic);
  put(&bytes, kVersion);
  put(&bytes, static_cast<std::uint32_t>(kind));
  put(&bytes, static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
  return bytes;
}

bool looks_like_ours(std::string_view bytes) {
  const std::size_t length = std::min(bytes.size(), kMagic.size());
  std::size_t equal = 0;
  for (std::size_t i = 0; i < length; ++i) equal += bytes[i] == kMagic[i];
  return equal * 2 >= length;  // A damaged byte or two do not make it foreign.
}

// What is wrong with the first bytes of a file that looks like ours; empty for a whole header, of whatever
// kind.
std::string header_damage(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) {
    return "the header ends after " + std::to_string(bytes.size()) + " of " + std::to_string(kHeaderBytes) +
           " bytes";
  }
  const auto checksum = get<std::uint64_t>(bytes, kHeaderBytes - sizeof(std::uint64_t));
  if (checksum != XXH3_64bits(bytes.data(), kHeaderBytes - sizeof(checksum))) {
    return byte_range(0, kHeaderBytes) + ": the checksum of the header is wrong";
  }
  return "";
}

// Throws Error for foreign files, newer versions and other kinds; says what is damaged otherwise.
std::string check_header(const std::filesystem::path& path, std::string_view bytes, FileKind kind) {
  if (!looks_like_ours(bytes)) {
    throw Error(path, "is not a file of MakZero (" + std::string(kind_text(kind)) + " expected)");
  }
  std::string damage = header_damage(bytes);
  if (!damage.empty()) return damage;
  const auto version = get<std::uint32_t>(bytes, 8);
  if (version > kVersion) {
    throw Error(path, "has format version " + std::to_string(version) + ", this program reads up to " +
                          std::to_string(kVersion) + "; use the newer program that wrote it");
  }
  const auto stored = static_cast<FileKind>(get<std::uint32_t>(bytes, 12));
  if (stored != kind) {
    throw Error(path, "holds " + std::string(kind_text(stored)) + ", not " + std::string(kind_text(kind)));
  }
  return "";
}

// Where the next good frame begins at or behind `from`; the size of the file when there is none.
std::size_t find_frame(std::string_view bytes, std::size_t from) {
  static constexpr std::string_view kZstdMagic("\x28\xB5\x2F\xFD", 4);
  for (std::size_t at = from + kFrameHeaderBytes; (at = bytes.find(kZstdMagic, at)) != std::string_view::npos;
       ++at) {
    const std::size_t begin = at - kFrameHeaderBytes;
    if (decode_frame(bytes.substr(begin)).state == DecodedFrame::State::kGood) return begin;
  }
  return bytes.size();
}

}  // namespace

std::string_view kind_text(FileKind kind) {
  switch (kind) {
    case FileKind::kCheckpoint:
      return "checkpoint";
    case FileKind::kLearnerState:
      return "learner state";
    case FileKind::kGames:
      return "game records";
    case FileKind::kMatches:
      return "match records";
    case FileKind::kSmallNetwork:
      return "small network";
    case FileKind::kEnding:
      return "ending";
  }
  return "unknown contents";
}

FrameBuffer::FrameBuffer(FileKind kind) : bytes_(header(kind)) {}

void FrameBuffer::add(std::string_view bytes) { bytes_ += encode_frame(bytes); }

FrameAppender::FrameAppender(const std::filesystem::path& path, FileKind kind)
    : file_(path, File::Mode::kAppend) {
  const Recovery recovery = recover_frames(path, kind, [](std::string_view) {});
  if (!recovery.damages.empty() && !recovery.torn) {
    throw Error(path, recovery.damages.front() + "; `makzero fsck --repair` on the run keeps what is good");
  }
  if (file_.size() > recovery.good_bytes) file_.truncate(recovery.good_bytes);
  if (recovery.good_bytes == 0) file_.write(header(kind));
  size_ = file_.size();
}

void FrameAppender::add(std::string_view bytes) {
  const std::string frame = encode_frame(bytes);
  try {
    file_.write(frame);
  } catch (const Error&) {
    file_.truncate(size_);
    throw;
  }
  size_ += frame.size();
}

void FrameAppender::sync() { file_.sync(); }

FrameReader::FrameReader(const std::filesystem::path& path, FileKind kind)
    : source_(File(path, File::Mode::kRead)), size_(std::get<File>(source_).size()) {
  damage_ = check_header(path, read(0, kHeaderBytes), kind);
  if (damage_.empty()) offset_ = kHeaderBytes;
}

FrameReader::FrameReader(const std::string& name, std::string_view bytes, FileKind kind)
    : source_(bytes), size_(bytes.size()) {
  damage_ = check_header(name, read(0, kHeaderBytes), kind);
  if (damage_.empty()) offset_ = kHeaderBytes;
}

std::string FrameReader::read(std::uint64_t offset, std::size_t size) const {
  if (const auto* file = std::get_if<File>(&source_)) return file->read(offset, size);
  return std::string(std::get<std::string_view>(source_).substr(offset, size));
}

std::optional<std::string> FrameReader::next() {
  if (!damage_.empty() || offset_ >= size_) return std::nullopt;
  std::string bytes = read(offset_, kFrameHeaderBytes);
  if (bytes.size() == kFrameHeaderBytes) {
    const std::uint64_t stored = get<std::uint32_t>(bytes, 0);
    bytes = read(offset_, std::min(kFrameHeaderBytes + stored, size_ - offset_));
  }
  DecodedFrame frame = decode_frame(bytes);
  if (frame.state != DecodedFrame::State::kGood) {
    damage_ = byte_range(offset_, offset_ + bytes.size()) + ": " + frame.why;
    return std::nullopt;
  }
  offset_ += frame.stored;
  return std::move(frame.plain);
}

Recovery recover_frames(const std::filesystem::path& path, FileKind kind,
                        const std::function<void(std::string_view)>& visit) {
  const std::string content = read_text_file(path);
  const std::string_view bytes = content;
  Recovery recovery;
  std::size_t at = kHeaderBytes;
  if (const std::string damage = check_header(path, bytes.substr(0, kHeaderBytes), kind); !damage.empty()) {
    recovery.torn = header(kind).starts_with(bytes);
    recovery.damages.push_back(damage);
  } else {
    recovery.good_bytes = kHeaderBytes;
  }
  while (at < bytes.size()) {
    const DecodedFrame frame = decode_frame(bytes.substr(at));
    if (frame.state == DecodedFrame::State::kGood) {
      ++recovery.frames;
      visit(frame.plain);
      at += frame.stored;
      if (recovery.damages.empty()) recovery.good_bytes = at;
      continue;
    }
    const std::size_t next = find_frame(bytes, at + 1);
    recovery.torn =
        recovery.damages.empty() && next == bytes.size() && frame.state == DecodedFrame::State::kUnfinished;
    recovery.damages.push_back(byte_range(at, next) + ": " + frame.why);
    at = next;
  }
  return recovery;
}

Recovery repair_frames(const std::filesystem::path& path, FileKind kind) {
  Recovery found = recover_frames(path, kind, [](std::string_view) {});
  if (found.damages.empty()) return found;
  if (found.torn) {
    FrameAppender(path, kind).sync();
    return found;
  }
  FrameBuffer good(kind);
  recover_frames(path, kind, [&](std::string_view frame) { good.add(frame); });
  keep_damaged(path);
  write_text_file(path, good.bytes());
  return found;
}

std::optional<FileKind> find_file_kind(const std::filesystem::path& path) {
  const std::string bytes = File(path, File::Mode::kRead).read(0, kHeaderBytes);
  if (bytes.empty() || !looks_like_ours(bytes)) return std::nullopt;
  if (const std::string damage = header_damage(bytes); !damage.empty()) throw Error(path, damage);
  return static_cast<FileKind>(get<std::uint32_t>(bytes, 12));
}

FileKind file_kind(const std::filesystem::path& path) {
  const std::optional<FileKind> kind = find_file_kind(path);
  if (!kind) throw Error(path, "is not a file of MakZero");
  return *kind;
}

}  // namespace makzero::models
