// Adjudication: the end of a game whose result both players agree on.
#pragma once

#include <optional>

#include "game/color.h"
#include "game/outcome.h"

namespace makzero::train {

// Follows the scores of a game. Only tests of a search adjudicate, where thousands of games tell two players
// apart, and games of self-play that have taught what they can: a player may still spoil what it believes to
// have won.
class Adjudicator {
 public:
  // Takes the result that `side` may expect, in [-1, 1], by the search that chose a move; returns the outcome
  // once the game is decided or level for good. `ply`: moves of the game so far.
  std::optional<game::Outcome> add(game::Color side, float expected, int ply);

 private:
  int decided_plies_ = 0;  // In a row in which the same side was winning; negative: Black.
  int level_plies_ = 0;    // In a row in which neither was ahead.
};

}  // namespace makzero::train
