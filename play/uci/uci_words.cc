#include "play/uci/uci_words.h"

#include <charconv>
#include <sstream>

#include "game/notation.h"

namespace makzero::play {
namespace {

constexpr size_t kLongest = 40;  // Longer names are no slips of the pen.

}  // namespace

std::vector<std::string> split_words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string join_words(const std::vector<std::string>& words, size_t first, size_t last) {
  std::string text;
  for (size_t i = first; i < last; ++i) text += (i == first ? "" : " ") + words[i];
  return text;
}

std::optional<std::int64_t> to_number(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& names) {
  const std::string near = name.size() > kLongest ? "" : game::nearest_name(name, names);
  return near.empty() ? "" : ": did you mean '" + near + "'?";
}

}  // namespace makzero::play
