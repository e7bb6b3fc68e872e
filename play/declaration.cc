#include "play/declaration.h"

#include <algorithm>

namespace makzero::play {
namespace {

using game::Declaration;

bool is_behind(const PlayedGame& game) {
  return game::material_lead(game.rules().info(), game.position(), game.position().to_move) < 0;
}

// REQUIRES: the side to move does not count.
bool wins_at_once(const PlayedGame& game) {
  const game::Result win = game::win_of(game.position().to_move);
  return std::any_of(game.legal().begin(), game.legal().end(), [&](game::Move move) {
    PlayedGame after = game;
    after.play(move);
    return after.outcome().result == win;
  });
}

}  // namespace

std::optional<Declaration> sensible_declaration(const PlayedGame& game) {
  const bool counts = game.offers(Declaration::kStopCount);
  if (!counts && !game.offers(Declaration::kStartCount)) return std::nullopt;
  PlayedGame uncounted = game;
  if (counts) uncounted.declare(Declaration::kStopCount);
  const bool should_count = is_behind(game) && !wins_at_once(uncounted);
  if (should_count == counts) return std::nullopt;
  return should_count ? Declaration::kStartCount : Declaration::kStopCount;
}

}  // namespace makzero::play
