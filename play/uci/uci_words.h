// Lines of the UCI protocol as words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace makzero::play {

std::vector<std::string> split_words(const std::string& line);

// The words [first, last) with single spaces.
std::string join_words(const std::vector<std::string>& words, size_t first, size_t last);

std::optional<std::int64_t> to_number(const std::string& text);

// ": did you mean 'NAME'?" or an empty text.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& names);

}  // namespace makzero::play
