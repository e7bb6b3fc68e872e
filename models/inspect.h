// What a file of ours says of itself, for people.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "models/printable.h"

namespace makzero::models {

// Lines of "  name          value", aligned, under a title.
class FactSheet {
 public:
  explicit FactSheet(std::string_view title);

  // A line; further lines of `value` are indented below the first. Both are written printable().
  void add(std::string_view name, std::string_view value);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// "640 bytes", "1.5 MiB".
std::string size_text(std::uint64_t bytes);

// "2026-03-01 12:30:00 UTC".
std::string time_text(std::int64_t unix_seconds);

// The description of a checkpoint, a learner's state, a small network or any other framed file; every byte is
// verified. Throws Error for damaged and foreign files.
std::string inspect_file(const std::filesystem::path& path);

// The card of a published model as JSON. Throws Error where the file has none.
std::string model_card_json(const std::filesystem::path& path);

}  // namespace makzero::models
