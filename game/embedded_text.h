// A text file that is compiled into the program; makzero_embed() of CMakeLists.txt makes the rows.
#pragma once

#include <string_view>

namespace makzero::game {

struct EmbeddedText {
  std::string_view name;  // Of the file without folder and last extension.
  std::string_view text;
};

}  // namespace makzero::game
