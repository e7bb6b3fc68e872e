#include "play/check_view.h"

namespace makzero::play {

game::Bitboard checked_kings(const PlayedGame& game) {
  const game::Position& position = game.position();
  const game::Bitboard kings = position.own() & game::kings(game.rules().info(), position);
  return kings ? kings & game.rules().threats(position, game::other(position.to_move)).targets : 0;
}

}  // namespace makzero::play
