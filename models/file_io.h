// Files that are whole or not there: the system calls that matter for that, with errors for people.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace makzero::models {

// An open file; closed by its destructor. Every operation throws Error with the path, the cause and the
// repair.
class File {
 public:
  enum class Mode {
    kRead,
    kStream,  // From front to back: a pipe or a device too, which kRead and kAppend refuse.
    kCreate,  // Empty afterwards, whatever was there.
    kAppend,  // Created where missing; every write goes to the end.
  };

  File() = default;
  File(std::filesystem::path path, Mode mode);
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  // Up to `size` bytes from `offset`; fewer at the end of the file.
  std::string read(std::uint64_t offset, std::size_t size) const;

  // Remaining bytes, up to `most` or a little more; waits for what a pipe still brings.
  std::string read_on(std::size_t most) const;

  // All bytes in one write(2) where the system allows it.
  void write(std::string_view bytes);

  std::uint64_t size() const;
  void truncate(std::uint64_t size);

  // Waits until the bytes are on the disk.
  void sync();

  void close();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

// Makes a folder and those above it where they are missing. Throws Error.
void make_folder(const std::filesystem::path& path);

// The file that a link leads to, which need not be there; of anything else the path itself.
std::filesystem::path behind_links(std::filesystem::path path);

// The name under which PATH is written before it is whole: PATH.tmp, of a link beside what it leads to.
std::filesystem::path temporary_name(const std::filesystem::path& path);

// Renames a whole and synced file to its final name and syncs the folder. A link stays, and what it leads to
// is replaced. Throws Error.
void publish(const std::filesystem::path& temporary, const std::filesystem::path& path);

// The first free name of PATH.damaged, PATH.damaged-2, ...
std::filesystem::path damaged_name(const std::filesystem::path& path);

// Gives a damaged file its second name damaged_name(), which is returned; PATH stays until it is replaced.
// Throws Error.
std::filesystem::path keep_damaged(const std::filesystem::path& path);

// Writes a whole file atomically: temporary name, sync, publish(). A pipe or a device takes the bytes as they
// are. Throws Error, and leaves no temporary file then.
void write_text_file(const std::filesystem::path& path, std::string_view text);

// Throws Error where no file can be written at PATH. For the begin of long work.
void require_place(const std::filesystem::path& path);

// True of a pipe or a device, also behind a link.
bool is_stream(const std::filesystem::path& path);

// The whole content of a file. Throws Error.
std::string read_text_file(const std::filesystem::path& path);

// A text that a person gives, as game::plain_text() makes it: from a file, a pipe or a device. Throws Error,
// also where it is empty or longer than kMostTextBytes.
std::string read_given_text(const std::filesystem::path& path);
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 20;

}  // namespace makzero::models
