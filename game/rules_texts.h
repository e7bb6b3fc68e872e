// The rules of every game as text for people: the files of texts/, named after their games.
#pragma once

#include <span>

#include "game/embedded_text.h"

namespace makzero::game {

std::span<const EmbeddedText> rules_texts();

}  // namespace makzero::game
