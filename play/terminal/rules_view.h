// The rules of a game as text for the terminal, in the person's language as far as the catalogue has them.
#pragma once

#include <string>
#include <string_view>

#include "play/language.h"

namespace makzero::play {

// The sections of the rules of this ruleset whose headings begin with `part`, in any case and in English or
// the language; without a part all that concerns players. Empty where there is none.
std::string rules_view(std::string_view ruleset, const std::string& part, const Language& language);

}  // namespace makzero::play
