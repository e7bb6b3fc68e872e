// How a game ended, in a sentence for the players.
#pragma once

#include <optional>
#include <string>

#include "play/language.h"
#include "play/played_game.h"

namespace makzero::play {

// "White wins: Black has no men left."; for the person that plays one side "You win: ...", "You lose: ...".
// REQUIRES: outcome.over().
std::string outcome_sentence(const PlayedGame& game, const game::Outcome& outcome,
                             std::optional<game::Color> person, const Language& language = {});

}  // namespace makzero::play
