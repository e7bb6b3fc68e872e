#include "models/system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace makzero::models::system {
namespace {

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

}  // namespace

int open_file(const std::filesystem::path& path, File::Mode mode) {
  static constexpr mode_t kPermissions = 0644;
  return ::open(path.c_str(), open_flags(mode) | O_CLOEXEC, kPermissions);
}

void close_file(int descriptor) { ::close(descriptor); }

std::optional<FileStatus> file_status(int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  const FileKind kind = S_ISREG(status.st_mode)   ? FileKind::kFile
                        : S_ISDIR(status.st_mode) ? FileKind::kFolder
                                                  : FileKind::kOther;
  return FileStatus{kind, static_cast<std::uint64_t>(status.st_size)};
}

std::int64_t read_at(int descriptor, char* bytes, std::size_t size, std::uint64_t offset) {
  return ::pread(descriptor, bytes, size, static_cast<off_t>(offset));
}

std::int64_t read_next(int descriptor, char* bytes, std::size_t size) {
  return ::read(descriptor, bytes, size);
}

std::int64_t write_next(int descriptor, const char* bytes, std::size_t size) {
  return ::write(descriptor, bytes, size);
}

bool truncate_file(int descriptor, std::uint64_t size) {
  return ::ftruncate(descriptor, static_cast<off_t>(size)) == 0;
}

bool sync_file(int descriptor) { return ::fsync(descriptor) == 0; }

bool replace_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}

bool sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const int status = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return status == 0 || error == EINVAL;  // EINVAL: the file system cannot, and need not.
}

}  // namespace makzero::models::system
