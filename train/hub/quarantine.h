// What workers have sent and the trainer has refused, kept for people: RUN/quarantine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace makzero::train {

// NAME.frame: what came, as it came, but cut at kMostBytes; NAME.frame.txt: from whom and why it was refused.
// Above kMost deliveries nothing more is kept.
class Quarantine {
 public:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;

  explicit Quarantine(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Throws models::Error where it cannot be written. REQUIRES: `name` is the name of a file.
  void keep(const std::string& name, std::string_view frame, const std::string& about) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace makzero::train
