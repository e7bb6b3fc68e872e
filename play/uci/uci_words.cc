#include "play/uci/uci_words.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace makzero::play {

std::vector<std::string> split_words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<OptionText> read_option(const std::string& line) {
  OptionText option;
  std::istringstream words(line);
  std::string word;
  if (!(words >> word >> word) || word != "name") return std::nullopt;
  while (words >> word && word != "value") option.name += (option.name.empty() ? "" : " ") + word;
  if (words.get() != std::char_traits<char>::eof()) std::getline(words, option.value);
  return option.name.empty() ? std::nullopt : std::optional(option);
}

std::string join_words(const std::vector<std::string>& words, size_t first, size_t last) {
  std::string text;
  for (size_t i = first; i < last; ++i) text += (i == first ? "" : " ") + words[i];
  return text;
}

std::optional<std::int64_t> nearest_number(const std::string& text, std::int64_t minimum,
                                           std::int64_t maximum) {
  std::int64_t number = 0;
  const char* begin = text.data() + text.starts_with('+');
  const std::errc error = std::from_chars(begin, text.data() + text.size(), number).ec;
  if (error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) return text.starts_with('-') ? minimum : maximum;
  return std::clamp(number, minimum, maximum);
}

}  // namespace makzero::play
