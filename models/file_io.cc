#include "models/file_io.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "game/plain_text.h"
#include "models/error.h"
#include "models/system.h"

namespace makzero::models {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& action) {
  throw Error(path, "cannot " + action + ": " + system_text(errno));
}

// Waits for who reads a pipe, where nobody does yet.
void write_stream(const std::filesystem::path& path, std::string_view text) {
  std::ofstream stream(path, std::ios::binary);
  if (!stream.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) fail(path, "write");
}

}  // namespace

File::File(std::filesystem::path path, Mode mode) : path_(std::move(path)) {
  descriptor_ = system::open_file(path_, mode);
  if (descriptor_ < 0) fail(path_, mode == Mode::kRead || mode == Mode::kStream ? "open" : "write");
  const auto status = system::file_status(descriptor_);
  if (!status || status->kind == system::FileKind::kFile) return;
  const bool is_folder = status->kind == system::FileKind::kFolder;
  if (!is_folder && (mode == Mode::kStream || mode == Mode::kCreate)) return;
  close();
  throw Error(path_, is_folder ? "is a folder, a file is needed"
                               : "is a pipe or a device: copy what it holds to a file");
}

File::~File() { close(); }

File::File(File&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::string File::read(std::uint64_t offset, std::size_t size) const {
  std::string bytes;
  try {
    bytes.resize(size);
  } catch (const std::exception& error) {
    throw Error(path_, "cannot read " + std::to_string(size) + " bytes at once: " + explain(error));
  }
  std::size_t done = 0;
  while (done < size) {
    const std::int64_t got = system::read_at(descriptor_, bytes.data() + done, size - done, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path_, "read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

std::string File::read_on(std::size_t most) const {
  static constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::string bytes;
  while (bytes.size() <= most) {
    const std::size_t done = bytes.size();
    bytes.resize(done + kPiece);
    const std::int64_t got = system::read_next(descriptor_, bytes.data() + done, kPiece);
    if (got < 0 && errno != EINTR) fail(path_, "read");
    bytes.resize(done + static_cast<std::size_t>(std::max<std::int64_t>(0, got)));
    if (got == 0) break;
  }
  return bytes;
}

void File::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::int64_t put = system::write_next(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail(path_, "write");
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

std::uint64_t File::size() const {
  const auto status = system::file_status(descriptor_);
  if (!status) fail(path_, "read the size");
  return status->size;
}

void File::truncate(std::uint64_t size) {
  if (!system::truncate_file(descriptor_, size)) fail(path_, "cut off the end");
}

void File::sync() {
  if (!system::sync_file(descriptor_)) fail(path_, "sync");
}

void File::close() {
  if (descriptor_ >= 0) system::close_file(std::exchange(descriptor_, -1));
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(path, "cannot make the folder: " + system_text(error));
}

std::filesystem::path behind_links(std::filesystem::path path) {
  static constexpr int kMostLinks = 40;  // As of the system.
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, error); ++i)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  return path;
}

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  return behind_links(path).string() + ".tmp";
}

void publish(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  const std::filesystem::path final = behind_links(path);
  if (!system::replace_file(temporary, final)) fail(final, "rename " + temporary.string());
  const std::filesystem::path folder = final.has_parent_path() ? final.parent_path() : ".";
  if (!system::sync_folder(folder)) fail(folder, "sync the folder");
}

std::filesystem::path damaged_name(const std::filesystem::path& path) {
  std::filesystem::path name = path.string() + ".damaged";
  for (int i = 2; std::filesystem::exists(name); ++i) name = path.string() + ".damaged-" + std::to_string(i);
  return name;
}

std::filesystem::path keep_damaged(const std::filesystem::path& path) {
  std::filesystem::path name = damaged_name(path);
  std::error_code error;
  std::filesystem::create_hard_link(path, name, error);
  if (error) std::filesystem::copy_file(path, name, error);  // A file system without links.
  if (error) throw Error(name, "cannot set the damaged file aside: " + system_text(error));
  return name;
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  if (is_stream(path)) return write_stream(path, text);
  const std::filesystem::path temporary = temporary_name(path);
  try {
    File file(temporary, File::Mode::kCreate);
    file.write(text);
    file.sync();
    file.close();
    publish(temporary, path);
  } catch (const Error&) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

void require_place(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw Error(path, "is a folder, a file is needed");
  if (is_stream(path)) return;
  const std::filesystem::path temporary = temporary_name(path);
  File(temporary, File::Mode::kCreate).close();
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
}

bool is_stream(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && std::filesystem::is_other(status);
}

std::string read_text_file(const std::filesystem::path& path) {
  const File file(path, File::Mode::kRead);
  return file.read(0, file.size());
}

std::string read_given_text(const std::filesystem::path& path) {
  const std::string bytes = File(path, File::Mode::kStream).read_on(kMostTextBytes);
  if (bytes.size() > kMostTextBytes) throw Error(path, "is longer than 64 MB: divide it");
  std::string text = game::plain_text(bytes);
  if (text.find_first_not_of(" \t\n") == std::string::npos) throw Error(path, "is empty");
  return text;
}

}  // namespace makzero::models
