// Given text: byte order marks, UTF-16, line ends, words, numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace makzero::game {

// The same text as UTF-8 without a byte order mark, with lines that end in LF. UTF-16 is known by its byte
// order mark; CR, CR LF and CR CR LF end lines; bytes that are no UTF-8 stay as they are.
std::string plain_text(std::string_view bytes);

// The words of a text, between blanks and ends of lines.
std::vector<std::string_view> words_of(std::string_view text);

// The text without blanks and ends of lines around it.
std::string_view trimmed(std::string_view text);

// The text with capitals of ASCII as small letters.
std::string lowered(std::string_view text);

// The pieces of a text between separators, one at least; they may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

// The number that the whole text stands for, without blanks and plus sign; none where it is another text or
// out of range.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace makzero::game
