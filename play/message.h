// Sentences for people with named places, "{side} has no men left": put together here, translated where they
// are shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace makzero::play {

// A text is translated, too, where the catalogue has it ("White"); a number is written as the language writes
// it.
using MessageValue = std::variant<std::string, std::int64_t>;
using MessageValues = std::vector<std::pair<std::string, MessageValue>>;

struct Message {
  std::string text;  // In English, which is its key in the catalogues of languages/.
  MessageValues values = {};

  std::string english() const;
};

// The text with its places filled; a place without a value stays as it is.
// REQUIRES: numbers are texts already.
std::string fill_places(std::string_view text,
                        const std::vector<std::pair<std::string, std::string>>& values);

// A sentence of the catalogue. tests/web/language_test.mjs finds its text by this name.
inline Message message(std::string_view text, MessageValues values = {}) {
  return {std::string(text), std::move(values)};
}

// A text of the catalogue that is translated where it is shown.
constexpr const char* later(const char* text) { return text; }

}  // namespace makzero::play
