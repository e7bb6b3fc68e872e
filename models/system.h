// System calls for files: system.cc for Linux, system_windows.cc for Windows. Each sets errno where it fails.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "models/file_io.h"

namespace makzero::models::system {

// Descriptor of an opened file, which child processes do not inherit; -1: failed. Does not wait for the other
// end of a pipe where the mode refuses pipes.
int open_file(const std::filesystem::path& path, File::Mode mode);
void close_file(int descriptor);

enum class FileKind { kFile, kFolder, kOther };  // kOther: a pipe or a device.
struct FileStatus {
  FileKind kind;
  std::uint64_t size;
};
std::optional<FileStatus> file_status(int descriptor);

// Bytes that were read or written, perhaps fewer than `size`; 0: the end; -1: failed.
std::int64_t read_at(int descriptor, char* bytes, std::size_t size, std::uint64_t offset);
std::int64_t read_next(int descriptor, char* bytes, std::size_t size);
std::int64_t write_next(int descriptor, const char* bytes, std::size_t size);

// False: failed.
bool truncate_file(int descriptor, std::uint64_t size);
bool sync_file(int descriptor);
bool replace_file(const std::filesystem::path& from, const std::filesystem::path& to);
// Waits until the names in the folder are on the disk.
bool sync_folder(const std::filesystem::path& folder);

}  // namespace makzero::models::system
