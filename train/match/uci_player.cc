#include "train/match/uci_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <sstream>
#include <utility>

#include "game/notation.h"
#include "models/error.h"

namespace makzero::train {

namespace {

using game::Move;
using game::Position;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// "position startpos moves e3e4 ...", "position fen 8/... w moves e3e4 ..."
std::string position_command(const game::Game& game, const Turn& turn) {
  Position position = turn.start ? *turn.start : game.initial();
  std::string command =
      "position " + (position == game.initial() ? "startpos" : "fen " + position_text(game, position));
  if (!turn.moves->empty()) command += " moves";
  for (const Move move : *turn.moves) {
    command += ' ' + move_text(game, position, move);
    game.apply(move, &position);
  }
  return command;
}

// The second word of a line, or an empty text.
std::string second_word(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  return words >> word ? word : "";
}

}  // namespace

UciPlayer::UciPlayer(const game::Game& game, UciSettings settings)
    : game_(game), settings_(std::move(settings)), engine_(settings_.command, settings_.timeout) {
  if (settings_.time) balance_.emplace(*settings_.time, milliseconds(1));
  if (settings_.variant.empty()) settings_.variant = game.info().ruleset;
  start();
}

void UciPlayer::start() {
  engine_.send("uci");
  bool has_variants = false, knows_variant = false, has_threads = false;
  for (;;) {
    const std::string line = engine_.wait_for({"uciok", "option"});
    if (line.starts_with("uciok")) break;
    if (line.starts_with("option name Threads ")) has_threads = true;
    if (!line.starts_with("option name UCI_Variant ")) continue;
    has_variants = true;
    knows_variant = (line + ' ').find(" var " + settings_.variant + ' ') != std::string::npos;
  }
  if (!has_variants || !knows_variant) {
    throw models::Error("engine '" + settings_.command + "' does not play " + settings_.variant +
                        "; choose another engine, or give its own name of the game with ?variant=NAME");
  }
  set_option("UCI_Variant", settings_.variant);
  if (settings_.time && has_threads) set_option("Threads", "1");
  for (const auto& [name, value] : settings_.options) set_option(name, value);
}

void UciPlayer::set_option(const std::string& name, const std::string& value) {
  engine_.send("setoption name " + name + (value.empty() ? "" : " value " + value));
}

void UciPlayer::choose(std::span<const Turn> turns, std::span<Move> moves) {
  assert(turns.size() == moves.size());
  for (size_t i = 0; i < turns.size(); ++i) moves[i] = choose_one(turns[i]);
}

// What the engine answers, and what it uses for that.
std::string UciPlayer::best_move(const std::string& position) {
  const nanoseconds start = engine_.processor_time();
  engine_.send(position);
  const std::string answer = balance_ ? answer_in(balance_->next()) : answer_to(settings_.go);
  const nanoseconds used = engine_.processor_time() - start;
  used_ += used;
  if (balance_) balance_->add(used);
  return second_word(answer);
}

std::string UciPlayer::answer_to(const std::string& go) {
  engine_.send(go);
  return engine_.wait_for({"bestmove"});
}

std::string UciPlayer::answer_in(nanoseconds time) {
  const nanoseconds end = engine_.processor_time() + time;
  const auto patience = std::chrono::ceil<milliseconds>(kUciPatience * time);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  engine_.send(fmt::format("go movetime {}", patience.count()));
  for (nanoseconds left; (left = end - engine_.processor_time()) > nanoseconds(0);) {
    if (std::chrono::steady_clock::now() >= deadline) break;
    // A quarter: several threads may use it faster than the clock runs.
    const auto wait = std::max(milliseconds(1), std::chrono::floor<milliseconds>(left / 4));
    if (const auto answer = engine_.poll_for({"bestmove"}, wait)) return *answer;
  }
  return answer_to("stop");
}

Move UciPlayer::choose_one(const Turn& turn) {
  const std::string position = position_command(game_, turn);
  try {
    if (std::exchange(played_, turn.game) != turn.game) engine_.send("ucinewgame");
    engine_.send("isready");
    engine_.wait_for({"readyok"});
    const std::string text = best_move(position);
    const game::Parsed<Move> move = parse_move(game_, *turn.position, text);
    if (move) return *move;
    throw models::Error("engine '" + settings_.command + "' played '" + text + "': " + move.why());
  } catch (const models::Error& error) {
    throw models::Error(std::string(error.what()) + "; the game so far: " + position);
  }
}

}  // namespace makzero::train
