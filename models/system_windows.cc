#include "models/system.h"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>

namespace makzero::models::system {
namespace {

int open_flags(File::Mode mode) {
  switch (mode) {
    case File::Mode::kRead:
    case File::Mode::kStream:
      return _O_RDONLY;
    case File::Mode::kCreate:
      return _O_RDWR | _O_CREAT | _O_TRUNC;
    case File::Mode::kAppend:
      return _O_RDWR | _O_CREAT | _O_APPEND;
  }
  return _O_RDONLY;
}

// Windows opens no folder as a file, and says that access is denied.
void name_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  if (errno == EACCES && std::filesystem::is_directory(path, ignored)) errno = EISDIR;
}

unsigned at_once(std::size_t size) { return static_cast<unsigned>(std::min<std::size_t>(size, INT_MAX)); }

}  // namespace

int open_file(const std::filesystem::path& path, File::Mode mode) {
  const int descriptor =
      _wopen(path.c_str(), open_flags(mode) | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
  if (descriptor < 0) name_folder(path);
  return descriptor;
}

void close_file(int descriptor) { _close(descriptor); }

std::optional<FileStatus> file_status(int descriptor) {
  struct _stat64 status = {};
  if (_fstat64(descriptor, &status) != 0) return std::nullopt;
  const FileKind kind = (status.st_mode & _S_IFMT) == _S_IFREG ? FileKind::kFile : FileKind::kOther;
  return FileStatus{kind, static_cast<std::uint64_t>(status.st_size)};
}

std::int64_t read_at(int descriptor, char* bytes, std::size_t size, std::uint64_t offset) {
  OVERLAPPED place = {};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  DWORD got = 0;
  const auto file = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  if (ReadFile(file, bytes, at_once(size), &got, &place)) return got;
  if (GetLastError() == ERROR_HANDLE_EOF) return 0;
  errno = EIO;
  return -1;
}

std::int64_t read_next(int descriptor, char* bytes, std::size_t size) {
  return _read(descriptor, bytes, at_once(size));
}

std::int64_t write_next(int descriptor, const char* bytes, std::size_t size) {
  return _write(descriptor, bytes, at_once(size));
}

bool truncate_file(int descriptor, std::uint64_t size) {
  const errno_t error = _chsize_s(descriptor, static_cast<long long>(size));
  if (error != 0) errno = error;
  return error == 0;
}

bool sync_file(int descriptor) { return _commit(descriptor) == 0; }

bool replace_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
  const std::error_code error(static_cast<int>(GetLastError()), std::system_category());
  errno = error.default_error_condition().value();
  return false;
}

// The move has been written through.
bool sync_folder(const std::filesystem::path&) { return true; }

}  // namespace makzero::models::system
