#include "models/player/uci_searcher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "game/notation.h"
#include "models/error.h"

namespace makzero::models {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr milliseconds kStopInterval{50};  // Between two looks at the stop flag.

// The second word of a line, or an empty text.
std::string second_word(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  return words >> word ? word : "";
}

}  // namespace

UciSearcher::UciSearcher(const game::Game& game, UciSettings settings)
    : EngineSearcher(game, settings), settings_(std::move(settings)) {
  engine_.send("uci");
  bool knows_variant = false, has_threads = false;
  for (;;) {
    const std::string line = engine_.wait_for({"uciok", "option"});
    if (line.starts_with("uciok")) break;
    if (line.starts_with("option name Threads ")) has_threads = true;
    if (line.starts_with("option name UCI_Variant "))
      knows_variant = (line + ' ').find(" var " + variant() + ' ') != std::string::npos;
  }
  if (!knows_variant)
    fail("does not play " + variant() +
         "; choose another engine, or give its own name of the game with ?variant=NAME");
  set_option("UCI_Variant", variant());
  if (settings_.time && has_threads) set_option("Threads", "1");
  for (const auto& [name, value] : settings_.options) set_option(name, value);
}

void UciSearcher::set_option(const std::string& name, const std::string& value) {
  engine_.send("setoption name " + name + (value.empty() ? "" : " value " + value));
}

std::string UciSearcher::answer() {
  std::string position = start() == game().initial() ? "startpos" : "fen " + position_text(game(), start());
  if (!moves().empty()) position += fmt::format(" moves {}", fmt::join(moves(), " "));
  if (new_game_) engine_.send("ucinewgame");
  engine_.send("isready");
  engine_.wait_for({"readyok"});
  engine_.send("position " + position);
  return second_word(best_move_line());
}

std::string UciSearcher::go_command() const {
  if (limits().nodes) return fmt::format("go nodes {}", *limits().nodes);
  if (limits().depth) return fmt::format("go depth {}", *limits().depth);
  return settings_.go;
}

std::string UciSearcher::best_move_line() {
  if (limits().time) {
    const nanoseconds end = engine_.processor_time() + *limits().time;
    const auto patience = std::chrono::ceil<milliseconds>(kUciPatience * *limits().time);
    engine_.send(fmt::format("go movetime {}", patience.count()));
    return wait_for_move(end, patience);
  }
  engine_.send(go_command());
  const auto deadline = steady_clock::now() + settings_.timeout;
  while (!is_stopped()) {
    if (auto line = next_move_line(kStopInterval)) return *std::move(line);
    if (steady_clock::now() >= deadline) engine_.fail_silent();
  }
  engine_.send("stop");
  return engine_.wait_for({"bestmove"});
}

// The answer until the processor time of the engine is `end`, then that to "stop".
std::string UciSearcher::wait_for_move(nanoseconds end, milliseconds patience) {
  const auto deadline = steady_clock::now() + patience;
  for (nanoseconds left; (left = end - engine_.processor_time()) > nanoseconds(0);) {
    if (is_stopped() || steady_clock::now() >= deadline) break;
    // A quarter: several threads may use it faster than the clock runs.
    const auto wait = std::max(milliseconds(1), std::chrono::floor<milliseconds>(left / 4));
    if (auto line = next_move_line(std::min(wait, kStopInterval))) return *std::move(line);
  }
  engine_.send("stop");
  return engine_.wait_for({"bestmove"});
}

// "bestmove ..." where it comes in that time; scores on the way are kept.
std::optional<std::string> UciSearcher::next_move_line(milliseconds wait) {
  std::optional<std::string> line = engine_.poll_for({"bestmove", "info"}, wait);
  if (!line || line->starts_with("bestmove")) return line;
  if (const auto score = line->find(" score cp "); score != std::string::npos)
    std::istringstream(line->substr(score + 10)) >> centipawns_;
  if (const auto score = line->find(" score mate "); score != std::string::npos)
    centipawns_ = mcts::to_centipawns(line->substr(score + 12).starts_with('-') ? -1 : 1);
  return std::nullopt;
}

}  // namespace makzero::models
