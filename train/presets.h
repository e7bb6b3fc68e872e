// The presets that are built into the program: the text files of presets/.
#pragma once

#include <span>
#include <string_view>

namespace makzero::train {

// "quick" holds for every game; "quick.makyek" is merged over it for that game and its rulesets.
struct Preset {
  std::string_view name;
  std::string_view text;  // A Config in text format.
};

std::span<const Preset> presets();

}  // namespace makzero::train
