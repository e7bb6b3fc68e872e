// Ctrl-C: the first asks the running command to finish what it does, the second ends the program at once.
#pragma once

#include <stop_token>

namespace makzero::play {

// A stop is requested at the first interrupt or termination signal from now on; `message` is then written to
// stderr and must live as long as the program. Call once.
std::stop_token stop_on_interrupt(const char* message);

// For commands that talk with a person: an interrupt ends nothing by itself. Whether there was one since the
// last call; the first call begins to watch.
bool take_interrupt();

}  // namespace makzero::play
