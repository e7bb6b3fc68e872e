#include "models/player/level.h"

#include <cmath>
#include <cstdlib>

namespace makzero::models {

std::string level_name(int level) { return std::to_string(level) + (level == 1 ? " - beginner" : ""); }

std::string level_label(const PlayerLevel& level) {
  const long elo = std::lround(level.elo);
  const std::string distance = std::to_string(std::labs(elo)) + (elo < 0 ? " below" : " above");
  return level_name(level.level) + " (" + distance + " random play" +
         (level.measured_in.empty() ? "" : ", measured in " + level.measured_in) + ")";
}

}  // namespace makzero::models
