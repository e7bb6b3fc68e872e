#include "game/plain_text.h"

#include <algorithm>
#include <cstdint>

namespace makzero::game {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF", kLittleMark = "\xFF\xFE", kBigMark = "\xFE\xFF";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::uint32_t kReplacement = 0xFFFD;  // For half a surrogate pair.

void append_utf8(std::uint32_t letter, std::string* text) {
  if (letter < 0x80) {
    *text += static_cast<char>(letter);
    return;
  }
  const int more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;  // Bytes behind the first.
  *text += static_cast<char>((0xFF00 >> (more + 1) & 0xFF) | letter >> (6 * more));
  for (int i = more - 1; i >= 0; --i) *text += static_cast<char>(0x80 | (letter >> (6 * i) & 0x3F));
}

// `high`: the place of the high byte of each unit.
std::string from_utf16(std::string_view bytes, int high) {
  std::string text;
  std::uint32_t first = 0;  // Of a surrogate pair; 0: none.
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto byte = [&](int at) { return static_cast<unsigned char>(bytes[i + at]); };
    const std::uint32_t unit = byte(high) << 8 | byte(1 - high);
    const bool second = (unit & 0xFC00) == 0xDC00;
    if (first && !second) append_utf8(kReplacement, &text);
    if ((unit & 0xFC00) == 0xD800) {
      first = unit;
      continue;
    }
    append_utf8(!second ? unit
                : first ? 0x10000 + ((first & 0x3FF) << 10 | (unit & 0x3FF))
                        : kReplacement,
                &text);
    first = 0;
  }
  if (first || bytes.size() % 2) append_utf8(kReplacement, &text);
  return text;
}

std::string with_plain_lines(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const size_t end = std::min(text.find('\r'), text.size());
    plain += text.substr(0, end);
    text.remove_prefix(end);
    const size_t returns = std::min(text.find_first_not_of('\r'), text.size());
    const bool one_line = returns < text.size() && text[returns] == '\n';
    if (!one_line) plain.append(returns, '\n');
    text.remove_prefix(returns);
  }
  return plain;
}

}  // namespace

std::string plain_text(std::string_view bytes) {
  if (bytes.starts_with(kLittleMark)) return with_plain_lines(from_utf16(bytes.substr(2), 1));
  if (bytes.starts_with(kBigMark)) return with_plain_lines(from_utf16(bytes.substr(2), 0));
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  return with_plain_lines(bytes);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while (at < text.size()) {
    const size_t begin = text.find_first_not_of(kBlanks, at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find_first_of(kBlanks, begin), text.size());
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::string lowered(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return pieces;
}

}  // namespace makzero::game
