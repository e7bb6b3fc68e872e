// The text of a player and the options behind its '?': "zoo?ms=100&second=small".
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/parsed.h"

namespace makzero::models {

// A player as written; `name` of an engine is its command.
struct WrittenPlayer {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;  // NAME=VALUE; a bare NAME has an empty value.
};

// The options begin at the first '?' that does not stand in a folder's name, and '&', ',' or another '?'
// separates them.
WrittenPlayer read_written_player(std::string_view text);

// The same for "uci:" and "xboard:", where the command and the values may hold such characters: the options
// begin at the last '?', and '&' alone separates them.
WrittenPlayer read_written_engine(std::string_view text);

// Whether one of the options has this name.
bool has_option(const WrittenPlayer& player, std::string_view name);

// The text as a number of at least 1, or 0.
int positive_number(const std::string& text);

// The value of ms=N: processor time per move.
game::Parsed<std::chrono::milliseconds> parse_move_time(const std::string& value);

}  // namespace makzero::models
