// A count towards a draw as people follow it: in moves, who counts, how many are left.
#pragma once

#include <optional>
#include <string>

#include "game/game.h"
#include "play/message.h"

namespace makzero::play {

struct CountView {
  std::string name;                    // "Board's honour".
  int moves = 0;                       // Of the limit, so far.
  int limit = 0;                       // In moves.
  int left = 0;                        // Until only a win with the next moves is not a draw.
  std::optional<game::Color> counter;  // None: the count binds both sides alike.
  Message text;                        // All of it as a sentence.
};

// None where no count runs.
std::optional<CountView> count_view(const game::GameInfo& info, const game::Position& position);

}  // namespace makzero::play
