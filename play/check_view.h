// Kings in check, for people.
#pragma once

#include "game/bitboard.h"
#include "play/played_game.h"

namespace makzero::play {

// The kings of the side to move that the enemy could take.
game::Bitboard checked_kings(const PlayedGame& game);

}  // namespace makzero::play
