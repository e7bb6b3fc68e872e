#include "train/run/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iostream>

#include "nn/system.h"

namespace makzero::train {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{250}, kLineInterval{60'000};
constexpr int kStderr = 2;

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole >= 3600) return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
  return fmt::format("{}m{:02}s", whole / 60, whole % 60);
}

ProgressLine::ProgressLine()
    : ProgressLine(&std::cerr, nn::is_terminal(kStderr),
                   nn::is_terminal(kStderr) ? kRedrawInterval : kLineInterval) {}

ProgressLine::ProgressLine(std::ostream* out, bool terminal, std::chrono::milliseconds interval)
    : out_(out), terminal_(terminal), interval_(interval), next_(std::chrono::steady_clock::now()) {
  if (!terminal_) next_ += interval_;
}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + interval_;
  if (!terminal_) {
    *out_ << text << std::endl;
    return;
  }
  *out_ << '\r' << text << std::string(width_ - std::min(width_, text.size()), ' ') << std::flush;
  width_ = std::max(width_, text.size());
}

void ProgressLine::show(const Progress& now) {
  const std::string left = now.seconds_left ? fmt::format(", {} left", duration_text(*now.seconds_left)) : "";
  show(fmt::format("{}, {} of {}{}", now.what, now.done, now.of, left));
}

void ProgressLine::clear() {
  if (width_ > 0) *out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
  width_ = 0;
}

}  // namespace makzero::train
