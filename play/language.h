// The languages that people play in: a catalogue each, by the English text. The catalogues of languages/ are
// the page's, too (web/src/language.ts).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "play/message.h"

namespace makzero::play {

// English unless it is another one. A text that the catalogue does not have stays English.
class Language {
 public:
  Language() = default;

  const std::string& code() const { return code_; }

  std::string text(std::string_view english) const;
  std::string text(const Message& message) const;

  // None where there is no such language: "th", "km", "en".
  static std::optional<Language> named(std::string_view code);

  // What LC_ALL, LC_MESSAGES or LANG ask for ("th_TH.UTF-8"), the first that is set; else English.
  static Language of_environment();

 private:
  std::string code_ = "en";
  std::map<std::string, std::string, std::less<>> catalogue_;
};

// A game that is named by its title in one of the languages, by its own name with its options; any other text
// as it is: "makruk:count.mode=manual" of "หมากรุก:count.mode=manual".
std::string ruleset_of_title(const std::string& text);

// "en, km, th".
std::string language_codes();

// The text and spaces behind it, up to so many columns, at least one space.
std::string padded(std::string text, int columns);

}  // namespace makzero::play
