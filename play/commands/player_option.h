// Players on the command line.
#pragma once

#include <string>

#include "models/player/player_spec.h"

namespace makzero::play {

// The player that `flag` names. Throws UsageError.
models::PlayerSpec player_or_usage_error(const std::string& flag, const std::string& text,
                                         const models::PlayerPlaces& places);

// The same, of a player whose searches have a limit.
models::PlayerSpec limited_player_or_usage_error(const std::string& flag, const std::string& text,
                                                 const models::PlayerPlaces& places);

}  // namespace makzero::play
