#include "train/run_state.h"

#include <time.h>

#include <algorithm>

namespace makzero::train {

bool SessionLimit::reached() const {
  return stop.stop_requested() || (deadline && std::chrono::steady_clock::now() >= *deadline);
}

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_since(RunState::Clock::time_point begin) {
  return std::chrono::duration<double>(RunState::Clock::now() - begin).count();
}

double RunState::session_seconds() const { return seconds_since(begin); }

std::optional<double> RunState::seconds_left() const {
  if (!limit.deadline) return std::nullopt;
  return std::max(0.0, -seconds_since(*limit.deadline));
}

}  // namespace makzero::train
