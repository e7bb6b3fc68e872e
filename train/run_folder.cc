#include "train/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "models/error.h"
#include "models/file_io.h"

namespace makzero::train {
namespace {

bool ends_with_newline(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() == 0) return true;
  file.seekg(-1, std::ios::end);
  return file.get() == '\n';
}

}  // namespace

std::filesystem::path RunPaths::annealed(std::int64_t generation) const {
  return root / "annealed" / fmt::format("{:06}.mzc", generation);
}

std::optional<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  models::make_folder(folder);
  const std::filesystem::path path = folder / "lock";
  FolderLock lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock.descriptor_ < 0) throw models::Error(path, "cannot be opened: " + models::system_text(errno));
  if (flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return lock;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

namespace {

FolderLock take_or_throw(const std::filesystem::path& run) {
  std::optional<FolderLock> lock = FolderLock::take(run);
  if (!lock)
    throw models::Error(run, "another training uses this run: stop it, or choose another folder with --run");
  return std::move(*lock);
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& run) : lock_(take_or_throw(run)) {}

void append_line(const std::filesystem::path& path, std::string_view line) {
  std::string bytes = ends_with_newline(path) ? "" : "\n";
  bytes.append(line);
  bytes += '\n';
  const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) throw models::Error(path, "cannot be opened: " + models::system_text(errno));
  const ssize_t written = write(descriptor, bytes.data(), bytes.size());
  close(descriptor);
  if (written != static_cast<ssize_t>(bytes.size()))
    throw models::Error(path, "cannot be written: is the disk full?");
}

}  // namespace makzero::train
