// Lines of the UCI protocol as words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace makzero::play {

inline constexpr const char* kBlanks = " \t\r\n\v\f";

std::vector<std::string> split_words(const std::string& line);

// "setoption name NAME [value VALUE]": a name of words with single spaces, and what follows the blank behind
// "value", byte for byte. None where there is no name.
struct OptionText {
  std::string name, value;
};
std::optional<OptionText> read_option(const std::string& line);

// The words [first, last) with single spaces.
std::string join_words(const std::vector<std::string>& words, size_t first, size_t last);

// The number within these bounds that is nearest to the one that the text begins with; none where it begins
// with no digit or sign.
std::optional<std::int64_t> nearest_number(const std::string& text, std::int64_t minimum,
                                           std::int64_t maximum);

}  // namespace makzero::play
