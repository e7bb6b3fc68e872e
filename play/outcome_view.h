// How a game ended, in sentences for people.
#pragma once

#include <optional>
#include <string>

#include "play/played_game.h"

namespace makzero::play {

// Why it is over, without who won: "Black has no men left". `outcome` may be a resignation that the rules do
// not know. REQUIRES: outcome.over().
std::string outcome_cause(const PlayedGame& game, const game::Outcome& outcome);

// "White wins: Black has no men left."; for the person that plays one side "You win: ...", "You lose: ...".
// REQUIRES: outcome.over().
std::string outcome_sentence(const PlayedGame& game, const game::Outcome& outcome,
                             std::optional<game::Color> person);

}  // namespace makzero::play
