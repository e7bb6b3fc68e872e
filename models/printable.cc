#include "models/printable.h"

#include <algorithm>
#include <cstddef>

namespace makzero::models {
namespace {

// Bytes of the visible character, line feed or tab that the text begins with; 0 where it begins with none.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) == '\n' || byte(0) == '\t' || (byte(0) >= 0x20 && byte(0) != 0x7f);
  if (byte(0) < 0xc2 || byte(0) > 0xf4) return 0;
  const std::size_t size = byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return byte(0) == 0xc2 && byte(1) < 0xa0 ? 0 : size;  // U+0080 to U+009F are control characters.
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size > 0) {
      safe += text.substr(0, size);
    } else {
      static constexpr char kDigits[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text.front());
      safe += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return safe;
}

std::string printable_excerpt(std::string_view text, std::size_t most) {
  if (text.size() <= most) return printable(text);
  const std::size_t end = most / 4;
  return printable(text.substr(0, most - end)) + "... (" + std::to_string(text.size()) + " bytes) ..." +
         printable(text.substr(text.size() - end));
}

}  // namespace makzero::models
