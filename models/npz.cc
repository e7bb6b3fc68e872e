// The formats: numpy.lib.format, version 1.0, and PKWARE's APPNOTE 4.3.
#include "models/npz.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "models/error.h"

namespace makzero::models {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kDirectoryEnd = 0x06054b50;
constexpr std::uint16_t kVersion = 20;           // Of the ZIP format: the first with folders.
constexpr std::uint16_t kFirstOfJanuary = 0x21;  // 1980: equal arrays give equal bytes.

template <class Number>
std::string bytes_of(Number number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>(number >> (8 * i) & 255);
  return bytes;
}

// "(3, 8, 8)", of one dimension "(3,)".
std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : " ") + std::to_string(size) + ",";
  if (shape.size() > 1) text.pop_back();
  return "(" + text + ")";
}

// Magic, version, length and dictionary, padded so that the array begins at a multiple of 64.
std::string npy_header(std::string_view type, const std::vector<std::int64_t>& shape) {
  static constexpr std::size_t kAlignment = 64, kBefore = 10;
  std::string dictionary =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
  const std::size_t end = kBefore + dictionary.size() + 1;
  dictionary.append((kAlignment - end % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + bytes_of(static_cast<std::uint16_t>(dictionary.size())) +
         dictionary;
}

// CRC-32 of what has this checksum and more bytes. Without an address zlib would begin anew.
std::uint32_t extended(std::uint32_t checksum, std::string_view bytes) {
  if (bytes.empty()) return checksum;
  return static_cast<std::uint32_t>(
      crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Fields that the local header of a file and its entry in the directory share.
std::string entry_fields(const std::string& name, std::uint32_t checksum, std::uint32_t bytes) {
  return bytes_of(kVersion) + bytes_of<std::uint16_t>(0) + bytes_of<std::uint16_t>(0) +  // Flags; stored.
         bytes_of<std::uint16_t>(0) + bytes_of(kFirstOfJanuary) +                        // Time, date.
         bytes_of(checksum) + bytes_of(bytes) + bytes_of(bytes) +
         bytes_of(static_cast<std::uint16_t>(name.size())) + bytes_of<std::uint16_t>(0);  // Nothing extra.
}

}  // namespace

NpzWriter::NpzWriter(std::filesystem::path path)
    : path_(std::move(path)), file_(temporary_name(path_), File::Mode::kCreate) {}

NpzWriter::~NpzWriter() {
  if (is_finished_) return;
  file_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_name(path_), ignored);
}

void NpzWriter::add_texts(const std::string& name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string bytes;  // UTF-32, each text padded with zeros.
  for (const std::string& text : texts) {
    for (const char letter : text) bytes += bytes_of(static_cast<std::uint32_t>(letter));
    bytes.append((longest - text.size()) * sizeof(std::uint32_t), '\0');
  }
  add_bytes(name, "<U" + std::to_string(longest), {static_cast<std::int64_t>(texts.size())}, bytes);
}

void NpzWriter::add_bytes(const std::string& name, std::string_view type,
                          const std::vector<std::int64_t>& shape, std::string_view bytes) {
  const std::string header = npy_header(type, shape), file = name + ".npy";
  static constexpr std::uint64_t kRoom = 4096;  // For names and the end of the directory.
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (written_ + directory_.size() + header.size() + bytes.size() + kRoom > kMost)
    throw Error(path_, "would be larger than 4 GiB: ask for fewer rows");
  const std::uint32_t checksum = extended(extended(0, header), bytes);
  const auto size = static_cast<std::uint32_t>(header.size() + bytes.size());
  const std::string fields = entry_fields(file, checksum, size);
  directory_ += bytes_of(kDirectoryEntry) + bytes_of(kVersion) + fields;
  // No comment, the first disk, no attributes.
  directory_ += bytes_of<std::uint16_t>(0) + bytes_of<std::uint16_t>(0) + bytes_of<std::uint16_t>(0) +
                bytes_of<std::uint32_t>(0) + bytes_of(static_cast<std::uint32_t>(written_)) + file;
  write(bytes_of(kLocalHeader) + fields + file + header);
  write(bytes);
  contents_.push_back(name + " " + std::string(type) + " " + shape_text(shape));
}

void NpzWriter::finish() {
  const auto files = static_cast<std::uint16_t>(contents_.size());
  const auto begin = static_cast<std::uint32_t>(written_);
  write(directory_ + bytes_of(kDirectoryEnd) + bytes_of<std::uint32_t>(0) +  // All on the first disk.
        bytes_of(files) + bytes_of(files) + bytes_of(static_cast<std::uint32_t>(directory_.size())) +
        bytes_of(begin) + bytes_of<std::uint16_t>(0));
  file_.sync();
  file_.close();
  publish(temporary_name(path_), path_);
  is_finished_ = true;
}

void NpzWriter::write(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

}  // namespace makzero::models
