// Refuses positions with more pieces than a game has.
#pragma once

#include <string>
#include <vector>

#include "game/color.h"

namespace makzero::game {

// Adds "White has 17 men: at most 16 are possible" where a side has too many.
inline void check_at_most(int most, const std::string& pieces, Color side, int count,
                          std::vector<std::string>* reasons) {
  if (count <= most) return;
  reasons->push_back(std::string(side == Color::kWhite ? "White" : "Black") + " has " +
                     std::to_string(count) + " " + pieces + ": at most " + std::to_string(most) +
                     " are possible");
}

}  // namespace makzero::game
