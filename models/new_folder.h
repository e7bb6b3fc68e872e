// A folder that appears under its name when it is whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace makzero::models {

// Filled under another name (PATH.tmp), takes its own by publish(); dropped without it. An earlier folder of
// that name is replaced if it holds `mark`, a file that every folder of the kind has. Throws Error.
class NewFolder {
 public:
  // `kind` is for people: "export". Throws Error where the path holds something else.
  NewFolder(const std::filesystem::path& path, std::string_view mark, std::string_view kind);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  void add(const std::filesystem::path& name, std::string_view bytes);
  std::string read(const std::filesystem::path& name) const;
  void publish();

 private:
  std::filesystem::path path_, building_;
};

}  // namespace makzero::models
