// State of long work, for whoever shows it.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace makzero::train {

struct Progress {
  std::string what;                         // Part of the work.
  int done = 0, of = 0;                     // Games or positions of this part.
  std::optional<double> seconds_left = {};  // Estimate: of this part or all; none before one game is over.
};

using ShowProgress = std::function<void(const Progress&)>;

}  // namespace makzero::train
