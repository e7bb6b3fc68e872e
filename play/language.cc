#include "play/language.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "game/catalog.h"
#include "play/system.h"
#include "play/web_files.h"

namespace makzero::play {
namespace {

using nlohmann::json;

// "th" of "th.json".
std::string_view code_of(const WebFile& file) { return file.name.substr(0, file.name.find('.')); }

// A number has one form in the languages that the terminal speaks beside English.
std::string form_of(const json& entry) {
  return entry.is_object() ? entry.value("other", "") : entry.get<std::string>();
}

}  // namespace

std::optional<Language> Language::named(std::string_view code) {
  Language language;
  if (code == language.code_) return language;
  for (const WebFile& file : language_files()) {
    if (code_of(file) != code) continue;
    language.code_ = code;
    const json entries = json::parse(file.content);
    for (const auto& [english, entry] : entries.items()) language.catalogue_.emplace(english, form_of(entry));
    return language;
  }
  return std::nullopt;
}

Language Language::of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || !*value) continue;
    const std::string_view locale = value;
    return named(locale.substr(0, locale.find_first_of("_.@"))).value_or(Language());
  }
  return {};
}

std::string Language::text(std::string_view english) const {
  const auto found = catalogue_.find(english);
  return found == catalogue_.end() ? std::string(english) : found->second;
}

std::string Language::text(const Message& message) const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, value] : message.values) {
    const auto* number = std::get_if<std::int64_t>(&value);
    values.emplace_back(name, number ? std::to_string(*number) : text(std::get<std::string>(value)));
  }
  return fill_places(text(message.text), values);
}

std::string ruleset_of_title(const std::string& text) {
  const size_t end = std::min(text.find(':'), text.size());
  const std::string title = text.substr(0, end);
  const bool is_ascii = std::all_of(title.begin(), title.end(), [](char c) { return c >= 0; });
  if (const auto named = game::make_game(title))
    return is_ascii ? text : (*named)->info().ruleset + text.substr(end);
  for (const WebFile& file : language_files()) {
    const Language language = *Language::named(code_of(file));
    for (const std::string& name : game::ruleset_names()) {
      if (language.text((*game::make_game(name))->info().title) == title) return name + text.substr(end);
    }
  }
  return text;
}

std::string language_codes() {
  std::string codes = "en";
  for (const WebFile& file : language_files()) codes += ", " + std::string(code_of(file));
  return codes;
}

std::string padded(std::string text, int columns) {
  text.append(std::max(1, columns - display_width(text)), ' ');
  return text;
}

}  // namespace makzero::play
