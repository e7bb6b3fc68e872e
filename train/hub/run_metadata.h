// What a trainer and its workers must agree on before they exchange games and networks.
#pragma once

#include <map>
#include <span>
#include <string>

#include "game/game.h"

namespace makzero::train {

using RunMetadata = std::map<std::string, std::string>;

// Of a run of these games, as this program sees it: format of the messages, the games by their list, their
// rules by the validation records, versions of encoder and move index, the program.
RunMetadata run_metadata(std::span<const game::GamePtr> games, const std::string& game_list);

// The games that a run's metadata name. Throws models::Error where they are not those of this program, or
// where anything else differs but the program's version: it names the worker's and the run's.
std::vector<game::GamePtr> games_of(const RunMetadata& metadata);

}  // namespace makzero::train
