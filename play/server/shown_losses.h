// The held-out rows of largest loss of a run, with what a page needs to draw them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace makzero::play {

// The content of RUN/losses.json (train/run/losses_json.h) where each row has `title` and `kinds` of its
// rules, and each move how it is `written`. Rows that do not fit the rules are left out; null where the text
// is no such file.
nlohmann::json shown_losses(const std::string& text);

}  // namespace makzero::play
