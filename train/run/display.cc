#include "train/run/display.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "train/run/figures.h"
#include "train/run/progress_line.h"

namespace makzero::train {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{250};
constexpr std::chrono::seconds kLineInterval{60};
constexpr int kBarWidth = 30;

std::string bar(double fraction) {
  const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kBarWidth);
  return "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "]";
}

double fraction_of(const DisplayState& state) {
  return state.total > 0 ? static_cast<double>(state.done) / static_cast<double>(state.total) : 0;
}

std::string time_text(const DisplayState& state) {
  std::string text = duration_text(state.elapsed_seconds);
  if (state.seconds_left) text += ", " + duration_text(*state.seconds_left) + " left";
  return text;
}

std::string elo_text(const GenerationMetrics& last) {
  if (!last.elo.known()) return "not rated yet";
  const EloFigures &rating = last.elo, &small = last.small_elo;
  std::string text = fmt::format("{:+.0f} [{:+.0f} {:+.0f}] at generation {}, random = 0", rating.elo,
                                 rating.low, rating.high, rating.generation);
  if (small.known())
    text += fmt::format("; small {:+.0f} [{:+.0f} {:+.0f}]", small.elo, small.low, small.high);
  return text;
}

struct Line {
  std::string head, text;
};

// Facts of the run that are known, by the lines of the table of figures.
std::vector<Line> lines_of(const DisplayState& state) {
  std::vector<Line> lines;
  const auto add = [&](std::string_view head, const std::string& text) {
    if (!text.empty()) lines.push_back({std::string(head), text});
  };
  const Played& played = state.played.seconds > 0 ? state.played : state.last.played;
  std::string self_play = display_columns("self-play", {.played = played});
  if (state.last.run.generation == 0 && played.self_play.batches + played.self_play.small_plies == 0)
    self_play += (self_play.empty() ? "" : "  ") + std::string("no network yet");
  add("self-play", self_play);
  if (state.last.run.generation > 0) {
    for (const char* head : {"run", "games", "losses", "small"}) add(head, display_columns(head, state.last));
  }
  add("game", state.game);
  add("next", state.next);
  add("Elo", elo_text(state.last));
  return lines;
}

}  // namespace

std::vector<std::string> display_block(const DisplayState& state) {
  std::vector<std::string> lines = {
      state.title,
      fmt::format("generation {:<6} {} {:3.0f} %  {}", state.last.run.generation, bar(fraction_of(state)),
                  100 * fraction_of(state), state.phase),
      fmt::format("time       {}", time_text(state)),
  };
  for (const auto& [head, text] : lines_of(state)) lines.push_back(fmt::format("{:<10} {}", head, text));
  return lines;
}

std::string display_line(const DisplayState& state) {
  std::string line = fmt::format("{} generation {} {} {:.0f} %", time_text(state), state.last.run.generation,
                                 state.phase, 100 * fraction_of(state));
  for (const auto& [head, text] : lines_of(state)) line += fmt::format("; {}: {}", head, text);
  return line;
}

Display::Display(std::ostream* out, bool terminal)
    : out_(out), terminal_(terminal), next_(std::chrono::steady_clock::now()) {
  if (!terminal) next_ += kLineInterval;
}

void Display::update(const DisplayState& state) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  if (terminal_)
    redraw(state);
  else
    *out_ << display_line(state) << std::endl;
  next_ = now + (terminal_ ? std::chrono::steady_clock::duration(kRedrawInterval) : kLineInterval);
}

void Display::note(const std::string& line) {
  if (drawn_lines_ > 0) *out_ << "\x1b[" << drawn_lines_ << "A\x1b[J";
  drawn_lines_ = 0;
  *out_ << line << std::endl;
}

// Without wrapping: a long line ends at the terminal's edge, else the block had more lines than drawn_lines_.
void Display::redraw(const DisplayState& state) {
  std::string text = "\x1b[?7l";
  if (drawn_lines_ > 0) text += fmt::format("\x1b[{}A", drawn_lines_);
  const std::vector<std::string> lines = display_block(state);
  for (const std::string& line : lines) text += line + "\x1b[K\n";
  text += "\x1b[J\x1b[?7h";
  drawn_lines_ = static_cast<int>(lines.size());
  *out_ << text << std::flush;
}

}  // namespace makzero::train
