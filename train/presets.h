// The presets that are built into the program: the text files of presets/, each a Config in text format.
#pragma once

#include <span>

#include "game/embedded_text.h"

namespace makzero::train {

// "quick" holds for every game; "quick.chess" is merged over it for the games of that family.
std::span<const game::EmbeddedText> presets();

}  // namespace makzero::train
