// Conversion of given text: byte order marks, UTF-16 and line ends.
#pragma once

#include <string>
#include <string_view>

namespace makzero::game {

// The same text as UTF-8 without a byte order mark, with lines that end in LF. UTF-16 is known by its byte
// order mark; CR, CR LF and CR CR LF end lines; bytes that are no UTF-8 stay as they are.
std::string plain_text(std::string_view bytes);

}  // namespace makzero::game
