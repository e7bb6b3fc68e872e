#include "models/new_folder.h"

#include <system_error>
#include <utility>

#include "models/error.h"
#include "models/file_io.h"

namespace makzero::models {
namespace {

namespace fs = std::filesystem;

fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

}  // namespace

NewFolder::NewFolder(const fs::path& path, std::vector<std::string> names, std::string_view kind)
    : path_(without_slash(fs::absolute(path).lexically_normal())), names_(std::move(names)) {
  const fs::path mark = path_ / names_.front();
  const bool earlier = fs::is_directory(path_);
  building_ = temporary_name(earlier ? mark : path_);
  const bool replaceable = earlier && (fs::is_empty(path_) || fs::exists(mark) || fs::exists(building_));
  if (fs::exists(path_) && !replaceable) {
    throw Error(path_,
                "exists and is no earlier " + std::string(kind) + "; choose another folder or remove it");
  }
  fs::remove_all(building_);
  make_folder(building_);
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  fs::remove_all(building_, ignored);
}

void NewFolder::add(const fs::path& name, std::string_view bytes) {
  write_text_file(building_ / name, bytes);
}

std::string NewFolder::read(const fs::path& name) const { return read_text_file(building_ / name); }

void NewFolder::publish() {
  if (!fs::exists(path_)) return models::publish(building_, path_);
  for (const std::string& name : names_)
    if (!fs::exists(building_ / name)) fs::remove(path_ / name);
  for (const fs::path& file : fs::directory_iterator(building_))
    if (file.filename() != names_.front()) models::publish(file, path_ / file.filename());
  models::publish(building_ / names_.front(), path_ / names_.front());
}

}  // namespace makzero::models
