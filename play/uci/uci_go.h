// What the UCI command "go" asks for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "play/engine/search_info.h"
#include "play/played_game.h"

namespace makzero::play {

struct UciGo {
  Limits limits;
  std::optional<int> perft;
  bool infinite = false;            // The answer waits for "stop".
  bool ponder = false;              // ... or for "ponderhit", from which on the limits hold.
  std::vector<std::string> faults;  // What is left out, or stands for something else.
};

// Reads the words after "go" for the position of `game`. `overhead` is what a move loses on a clock.
UciGo read_go(const std::vector<std::string>& words, const PlayedGame& game,
              std::chrono::milliseconds overhead);

}  // namespace makzero::play
