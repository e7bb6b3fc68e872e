#include "train/hub/quarantine.h"

#include <iterator>

#include "models/file_io.h"

namespace makzero::train {

void Quarantine::keep(const std::string& name, std::string_view frame, const std::string& about) const {
  std::filesystem::create_directories(folder_);
  const auto files = std::distance(std::filesystem::directory_iterator(folder_), {});
  if (static_cast<std::size_t>(files) >= 2 * kMost) return;
  const std::filesystem::path path = folder_ / (name + ".frame");
  models::write_text_file(path, frame.substr(0, kMostBytes));
  models::write_text_file(path.string() + ".txt", about);
}

}  // namespace makzero::train
