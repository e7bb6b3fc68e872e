// What any file that the program writes says of itself: `makzero inspect FILE`.
#include "train/run/inspect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "models/error.h"
#include "models/framed_file.h"
#include "models/inspect.h"
#include "train/config.h"
#include "train/run/file_kinds.h"
#include "train/run/inspect_records.h"

namespace makzero::train {
namespace {

using models::FactSheet;

// A framed file that has lost its name.
std::string inspect_framed(const std::filesystem::path& path, models::FileKind kind) {
  if (kind == models::FileKind::kGames) return inspect_games(path);
  if (kind == models::FileKind::kMatches) return inspect_matches(path);
  return models::inspect_file(path);
}

std::string title(std::string_view what, const std::filesystem::path& path) {
  return fmt::format("{} {}: {}", what, path.string(), models::size_text(std::filesystem::file_size(path)));
}

// Numbers short, everything else as JSON.
std::string value_text(const nlohmann::ordered_json& value) {
  return value.is_number_float() ? fmt::format("{:.5g}", value.get<double>()) : value.dump();
}

std::string object_text(const nlohmann::ordered_json& object) {
  std::string lines;
  for (const auto& [key, value] : object.items()) lines += fmt::format("{}={}\n", key, value_text(value));
  return lines;
}

// True for plain text: UTF-8 without control characters but those of lines.
bool is_text(std::string content) {
  std::erase(content, '\r');
  return models::printable(content) == content;
}

}  // namespace

// One JSON object per line, the last of which is shown.
std::string inspect_json_lines(const std::filesystem::path& path) {
  std::istringstream text(models::read_text_file(path));
  std::string line, bad;
  nlohmann::ordered_json last;
  std::int64_t lines = 0;
  while (std::getline(text, line)) {
    ++lines;
    auto parsed = nlohmann::ordered_json::parse(line, nullptr, false);
    if (parsed.is_object()) {
      last = std::move(parsed);
    } else {
      bad += fmt::format("{}{}", bad.empty() ? "" : ", ", lines);
    }
  }
  FactSheet sheet(title("metrics, a JSON object per line,", path));
  sheet.add("lines", std::to_string(lines));
  if (!bad.empty()) sheet.add("damaged", "lines " + bad);
  sheet.add("last", object_text(last));
  return sheet.text();
}

std::string inspect_json(const std::filesystem::path& path) {
  const auto whole = nlohmann::ordered_json::parse(models::read_text_file(path), nullptr, false);
  if (!whole.is_object()) return inspect_json_lines(path);
  FactSheet sheet(title("JSON object", path));
  sheet.add("content", object_text(whole));
  return sheet.text();
}

std::string inspect_config(const std::filesystem::path& path) {
  if (const std::string damage = config_damage(path); !damage.empty()) throw models::Error(path, damage);
  FactSheet sheet(title("configuration", path));
  sheet.add("content", models::read_text_file(path));
  return sheet.text();
}

// Text of any sort, its first lines.
std::string inspect_text(const std::filesystem::path& path) {
  static constexpr int kLines = 12;
  const std::string content = models::read_text_file(path);
  if (!is_text(content)) throw models::Error(path, "is none of the files that this program writes");
  std::istringstream text(content);
  std::string line, first;
  std::int64_t lines = 0;
  for (; std::getline(text, line); ++lines) {
    if (lines < kLines) first += line + "\n";
  }
  FactSheet sheet(title("text", path));
  sheet.add("lines", std::to_string(lines));
  sheet.add("first", first);
  return sheet.text();
}

std::string config_damage(const std::filesystem::path& path) {
  const std::string content = models::read_text_file(path);
  if (content.find_first_not_of(" \t\r\n") == std::string::npos) return "is empty";
  const auto config = parse_config(content, path.filename().string());
  return config ? "" : config.why();
}

std::string inspect_file(const std::filesystem::path& path) {
  const RunFileKind* kind = kind_of(path);
  const bool may_be_empty = kind && kind->name == "lock";
  if (!may_be_empty && models::File(path, models::File::Mode::kRead).size() == 0)
    throw models::Error(path, "is empty");
  if (kind) return kind->describe(path);
  if (const auto framed = models::find_file_kind(path)) return inspect_framed(path, *framed);
  const std::string content = models::read_text_file(path);
  return content.starts_with('{') ? inspect_json(path) : inspect_text(path);
}

}  // namespace makzero::train
