// What the rules of every game were compared with: the files of certificates/, named after their games and
// written by tests/certify.py.
#pragma once

#include <span>

#include "game/embedded_text.h"

namespace makzero::game {

std::span<const EmbeddedText> certificates();

}  // namespace makzero::game
