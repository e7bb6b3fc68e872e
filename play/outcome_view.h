// Why a game ended, as a sentence for people.
#pragma once

#include <optional>
#include <string>

#include "play/message.h"
#include "play/played_game.h"

namespace makzero::play {

// Why it is over, without who won: "Black has no men left". `outcome` may be a resignation that the rules do
// not know. REQUIRES: outcome.over().
Message outcome_cause(const PlayedGame& game, const game::Outcome& outcome);

// The side that lost; none in a draw.
std::optional<game::Color> loser_of(game::Result result);

}  // namespace makzero::play
