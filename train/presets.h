// The presets that are built into the program: the text files of presets/, each a Config in text format.
#pragma once

#include <span>

#include "game/embedded_text.h"

namespace makzero::train {

// In the order in which they are merged: "gpu" holds for "gpu-small" too, "quick" for every game,
// "family.chess" for the games of that family with every preset; "zero" comes behind and overrules the
// families.
std::span<const game::EmbeddedText> presets();

}  // namespace makzero::train
