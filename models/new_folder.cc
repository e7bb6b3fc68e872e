#include "models/new_folder.h"

#include <system_error>

#include "models/error.h"
#include "models/file_io.h"

namespace makzero::models {
namespace {

namespace fs = std::filesystem;

fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

}  // namespace

NewFolder::NewFolder(const fs::path& path, std::string_view mark, std::string_view kind)
    : path_(without_slash(fs::absolute(path).lexically_normal())), building_(temporary_name(path_)) {
  const bool replaceable = fs::is_directory(path_) && (fs::is_empty(path_) || fs::exists(path_ / mark));
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
  make_folder((building_ / name).parent_path());
  write_text_file(building_ / name, bytes);
}

std::string NewFolder::read(const fs::path& name) const { return read_text_file(building_ / name); }

void NewFolder::publish() {
  fs::path earlier = building_;
  earlier += ".earlier";
  fs::remove_all(earlier);
  if (fs::exists(path_)) fs::rename(path_, earlier);
  models::publish(building_, path_);
  fs::remove_all(earlier);
}

}  // namespace makzero::models
