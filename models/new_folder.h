// Files that appear in a folder when all of them are whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace makzero::models {

// Filled under another name (PATH.tmp), takes its own by publish(); dropped without it. In a folder that
// exists files are replaced one by one, the mark last, and files of other people stay. Throws Error.
class NewFolder {
 public:
  // `names`: files that publish() removes where they are not added anew; the first is the mark, which is
  // added always. `kind` is for people: "export". Throws Error where the path holds something without the
  // mark.
  NewFolder(const std::filesystem::path& path, std::vector<std::string> names, std::string_view kind);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  void add(const std::filesystem::path& name, std::string_view bytes);
  std::string read(const std::filesystem::path& name) const;
  void publish();

 private:
  std::filesystem::path path_, building_;
  std::vector<std::string> names_;
};

}  // namespace makzero::models
