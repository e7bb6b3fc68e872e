// Text that a terminal may print.
#pragma once

#include <string>
#include <string_view>

namespace makzero::models {

// The text as a terminal may print it: what is neither UTF-8 nor a character that is seen is written as \xNN,
// but for line feeds and tabs.
std::string printable(std::string_view text);

}  // namespace makzero::models
