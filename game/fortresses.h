// The set-ups of fortresses.txt, as parse_fortress() reads them.
#pragma once

#include <span>

#include "game/embedded_text.h"

namespace makzero::game {

std::span<const EmbeddedText> fortresses();

}  // namespace makzero::game
