#include "train/run/display.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

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

// The speed of self-play; of a network's batches only where one plays.
std::string self_play_text(const DisplayState& state) {
  std::string games = fmt::format("{:.1f} games/s", state.games_per_second);
  if (state.self_play.small_plies > 0)
    games += fmt::format("  {:.0f} positions/s by alpha-beta", state.positions_per_second);
  if (state.self_play.batches == 0)
    return games + (state.self_play.small_plies > 0 ? "" : "  no network yet");
  return games + fmt::format("  {:.0f} evaluations/s  batch {:.0f}  network {:.0f} % of CPU",
                             state.evaluations_per_second, state.self_play.rows_per_batch(),
                             100 * state.self_play.forward_share());
}

}  // namespace

std::vector<std::string> display_block(const DisplayState& state) {
  const GenerationMetrics& last = state.last;
  std::vector<std::string> lines = {
      state.title,
      fmt::format("generation {:<6} {} {:3.0f} %  {}", last.generation, bar(fraction_of(state)),
                  100 * fraction_of(state), state.phase),
      fmt::format("time       {}", time_text(state)),
      fmt::format("self-play  {}", self_play_text(state)),
  };
  if (last.generation > 0) {
    lines.push_back(fmt::format("run        {} games  {} rows  {} evaluations  {} steps", last.games,
                                last.rows, last.evaluations, last.steps));
    lines.push_back(fmt::format("games      {:.0f} plies  {:.1f} captures  draws {:.0f} %  decided {:.0f} %",
                                last.played.mean_plies(), last.played.captures_per_game(),
                                100 * last.played.draw_share(), 100 * last.played.decisive_share()));
    if (last.has_tower())
      lines.push_back(fmt::format(
          "losses     policy {:.3f} (least {:.3f})  value {:.3f}  held out {:.3f} / {:.3f}",
          last.learning[nn::Head::kPolicy], last.learning.policy_entropy, last.learning[nn::Head::kValue],
          last.validation[nn::Head::kPolicy], last.validation[nn::Head::kValue]));
    if (last.small_rows > 0)
      lines.push_back(fmt::format("small      {} new rows  loss {:.3f}  held out {:.3f} (least {:.3f})",
                                  last.small_rows, last.small.learning, last.small.validation,
                                  last.small.entropy));
  }
  if (!state.next.empty()) lines.push_back("next       " + state.next);
  lines.push_back("Elo        " + elo_text(last));
  return lines;
}

std::string display_line(const DisplayState& state) {
  const GenerationMetrics& last = state.last;
  std::string line = fmt::format("{} generation {} {} {:.0f} %: ", time_text(state), last.generation,
                                 state.phase, 100 * fraction_of(state));
  if (last.generation > 0) line += fmt::format("{} games, ", last.games);
  line += fmt::format("{:.1f} games/s", state.games_per_second);
  if (state.self_play.batches > 0)
    line += fmt::format(", {:.0f} evaluations/s, batch {:.0f}", state.evaluations_per_second,
                        state.self_play.rows_per_batch());
  if (last.generation > 0 && last.has_tower())
    line += fmt::format(", policy {:.3f}, value {:.3f}", last.learning[nn::Head::kPolicy],
                        last.learning[nn::Head::kValue]);
  if (last.generation > 0 && last.small_rows > 0) line += fmt::format(", small {:.3f}", last.small.learning);
  if (last.generation > 0)
    line += fmt::format(", draws {:.0f} %, {:.0f} plies, {:.1f} captures", 100 * last.played.draw_share(),
                        last.played.mean_plies(), last.played.captures_per_game());
  if (!state.next.empty()) line += ", " + state.next;
  return line + ", Elo " + elo_text(last);
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

void Display::redraw(const DisplayState& state) {
  std::string text = drawn_lines_ > 0 ? fmt::format("\x1b[{}A", drawn_lines_) : "";
  const std::vector<std::string> lines = display_block(state);
  for (const std::string& line : lines) text += line + "\x1b[K\n";
  text += "\x1b[J";
  drawn_lines_ = static_cast<int>(lines.size());
  *out_ << text << std::flush;
}

}  // namespace makzero::train
