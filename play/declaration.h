// What a sensible player declares before his move where the rules leave counting to the players.
#pragma once

#include <optional>

#include "play/played_game.h"

namespace makzero::play {

// A side with less material counts for a draw. It does not, or stops, with as much or more, and where it can
// win by its next move: a mate by the side that counts is a draw.
std::optional<game::Declaration> sensible_declaration(const PlayedGame& game);

}  // namespace makzero::play
