// Tells people how the training stands: a block redrawn in place on a terminal, a line a minute elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "train/hub/hub_state.h"
#include "train/run/metrics.h"

namespace makzero::train {

// What is shown.
struct DisplayState {
  std::string title;                         // "makyek (Mak-yek), run runs/makyek".
  std::string phase;                         // "self-play", "learning", "rating alphabeta:2".
  std::int64_t done = 0, total = 1;          // Of the phase: rows, steps or games.
  double elapsed_seconds = 0;                // Of this session.
  std::optional<double> seconds_left;        // To the time limit.
  std::optional<double> phase_seconds_left;  // At the pace so far; none before the first step.
  std::string next;                          // What comes after the phase; empty: more of the same.
  std::string game;                          // That ended last, in a line.
  Played played;                             // Of the generation that is being played.
  std::optional<HubState> hub;               // With workers on other machines.
  GenerationMetrics last;  // The last finished generation, with the totals of now; generation 0 before one.
};

// Not thread-safe.
class Display {
 public:
  // Writes to `out`, which must outlive it. `terminal`: redraw in place.
  Display(std::ostream* out, bool terminal);

  // Shows the state when it is time to: several times a second on a terminal, else once a minute.
  void update(const DisplayState& state);

  // Prints a line that stays.
  void note(const std::string& line);

 private:
  void redraw(const DisplayState& state);

  std::ostream* out_;
  bool terminal_;
  int drawn_lines_ = 0;
  std::chrono::steady_clock::time_point next_;
};

// The block of a terminal, one line per entry.
std::vector<std::string> display_block(const DisplayState& state);

// The one line for logs.
std::string display_line(const DisplayState& state);

}  // namespace makzero::train
