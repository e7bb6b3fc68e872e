// Files that are whole or not there: the system calls that matter for that, with errors for people.
#include "models/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "game/plain_text.h"
#include "models/error.h"

namespace makzero::models {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& action) {
  throw Error(path, "cannot " + action + ": " + system_text(errno));
}

int open_flags(File::Mode mode) {
  switch (mode) {
    case File::Mode::kRead:
      return O_RDONLY | O_NONBLOCK;  // Not until somebody writes to a pipe.
    case File::Mode::kStream:
      return O_RDONLY;
    case File::Mode::kCreate:
      return O_RDWR | O_CREAT | O_TRUNC;
    case File::Mode::kAppend:
      return O_RDWR | O_CREAT | O_APPEND;
  }
  return O_RDONLY;
}

void sync_folder(const std::filesystem::path& folder) {
  const std::filesystem::path name = folder.empty() ? "." : folder;
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail(name, "open the folder");
  const int status = ::fsync(descriptor);
  ::close(descriptor);
  if (status != 0 && errno != EINVAL)
    fail(name, "sync the folder");  // EINVAL: the file system cannot, and need not.
}

}  // namespace

File::File(std::filesystem::path path, Mode mode) : path_(std::move(path)) {
  static constexpr mode_t kPermissions = 0644;
  descriptor_ = ::open(path_.c_str(), open_flags(mode) | O_CLOEXEC, kPermissions);
  if (descriptor_ < 0) fail(path_, mode == Mode::kRead || mode == Mode::kStream ? "open" : "write");
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0 || S_ISREG(status.st_mode)) return;
  if (!S_ISDIR(status.st_mode) && (mode == Mode::kStream || mode == Mode::kCreate)) return;
  close();
  throw Error(path_, S_ISDIR(status.st_mode) ? "is a folder, a file is needed"
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
    const ssize_t got =
        ::pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
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
    const ssize_t got = ::read(descriptor_, bytes.data() + done, kPiece);
    if (got < 0 && errno != EINTR) fail(path_, "read");
    bytes.resize(done + static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    if (got == 0) break;
  }
  return bytes;
}

void File::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail(path_, "write");
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

std::uint64_t File::size() const {
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) fail(path_, "read the size");
  return static_cast<std::uint64_t>(status.st_size);
}

void File::truncate(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(path_, "cut off the end");
}

void File::sync() {
  if (::fsync(descriptor_) != 0) fail(path_, "sync");
}

void File::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(path, "cannot make the folder: " + system_text(error.value()));
}

std::filesystem::path temporary_name(const std::filesystem::path& path) { return path.string() + ".tmp"; }

void publish(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "rename " + temporary.string());
  sync_folder(path.parent_path());
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
  if (error) throw Error(name, "cannot set the damaged file aside: " + system_text(error.value()));
  return name;
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path temporary = temporary_name(path);
  try {
    File file(temporary, File::Mode::kCreate);
    file.write(text);
    file.sync();
  } catch (const Error&) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
  publish(temporary, path);
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
