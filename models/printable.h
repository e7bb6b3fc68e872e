// Text that a terminal may print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace makzero::models {

// The text as a terminal may print it: what is neither UTF-8 nor a character that is seen is written as \xNN,
// but for line feeds and tabs.
std::string printable(std::string_view text);

// The same of a text of at most `most` bytes; of a longer one its begin, its length and its end. For messages
// that quote.
std::string printable_excerpt(std::string_view text, std::size_t most = 4000);

}  // namespace makzero::models
