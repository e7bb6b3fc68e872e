// Tells people how long work stands: one line, redrawn in place on a terminal, a line a minute elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>

#include "train/progress.h"

namespace makzero::train {

// "12m34s", "1h01m".
std::string duration_text(double seconds);

// Not thread-safe. Takes a line that it has drawn in place away when it goes.
class ProgressLine {
 public:
  // Of stderr: several times a second on a terminal, else once a minute, after the first minute.
  ProgressLine();

  // Shows a line when `interval` has passed since the last one; the first at once on a terminal. `out` must
  // outlive it.
  ProgressLine(std::ostream* out, bool terminal, std::chrono::milliseconds interval);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);
  void show(const Progress& now);

  // Before anything else is printed.
  void clear();

 private:
  std::ostream* out_;
  bool terminal_;
  std::chrono::milliseconds interval_;
  std::chrono::steady_clock::time_point next_;
  std::size_t width_ = 0;  // That is drawn.
};

}  // namespace makzero::train
