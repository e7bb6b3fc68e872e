#include "train/rating/uci_player.h"

#include <fmt/format.h>

#include <cassert>
#include <sstream>

#include "game/notation.h"
#include "models/error.h"

namespace makzero::train {

namespace {

using game::Move;
using game::Position;

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

game::Parsed<UciSettings> parse_uci_settings(std::string_view text) {
  const WrittenEngine engine = read_engine(text);
  UciSettings settings;
  settings.command = engine.command;
  std::vector<std::string> reasons;
  if (settings.command.empty())
    reasons.emplace_back("uci: needs a command, as in uci:fairy-stockfish?nodes=1000");
  for (const auto& [name, value] : engine.settings) {
    if (name == "variant") {
      settings.variant = value;
    } else if (name != "nodes" && name != "movetime" && name != "timeout") {
      settings.options.emplace_back(name, value);
    } else if (const int number = positive_number(value); number == 0) {
      reasons.push_back(fmt::format("{}='{}' of a uci player must be a number of at least 1", name, value));
    } else if (name == "timeout") {
      settings.timeout = std::chrono::seconds(number);
    } else {
      settings.go = fmt::format("go {} {}", name, value);
    }
  }
  if (!reasons.empty()) return game::Parsed<UciSettings>::failure(reasons);
  return settings;
}

UciPlayer::UciPlayer(const game::Game& game, UciSettings settings)
    : game_(game), settings_(std::move(settings)), engine_(settings_.command, settings_.timeout) {
  if (settings_.variant.empty()) settings_.variant = game.info().ruleset;
  start();
}

void UciPlayer::start() {
  engine_.send("uci");
  bool has_variants = false, knows_variant = false;
  for (;;) {
    const std::string line = engine_.wait_for({"uciok", "option"});
    if (line.starts_with("uciok")) break;
    if (!line.starts_with("option name UCI_Variant ")) continue;
    has_variants = true;
    knows_variant = (line + ' ').find(" var " + settings_.variant + ' ') != std::string::npos;
  }
  if (!has_variants || !knows_variant) {
    throw models::Error("engine '" + settings_.command + "' does not play " + settings_.variant +
                        "; choose another engine, or give its own name of the game with ?variant=NAME");
  }
  set_option("UCI_Variant", settings_.variant);
  for (const auto& [name, value] : settings_.options) set_option(name, value);
}

void UciPlayer::set_option(const std::string& name, const std::string& value) {
  engine_.send("setoption name " + name + (value.empty() ? "" : " value " + value));
}

void UciPlayer::choose(std::span<const Turn> turns, std::span<Move> moves) {
  assert(turns.size() == moves.size());
  for (size_t i = 0; i < turns.size(); ++i) moves[i] = choose_one(turns[i]);
}

Move UciPlayer::choose_one(const Turn& turn) {
  const std::string position = position_command(game_, turn);
  try {
    engine_.send("ucinewgame");
    engine_.send("isready");
    engine_.wait_for({"readyok"});
    engine_.send(position);
    engine_.send(settings_.go);
    const std::string text = second_word(engine_.wait_for({"bestmove"}));
    const game::Parsed<Move> move = parse_move(game_, *turn.position, text);
    if (move) return *move;
    throw models::Error("engine '" + settings_.command + "' played '" + text + "': " + move.why());
  } catch (const models::Error& error) {
    throw models::Error(std::string(error.what()) + "; the game so far: " + position);
  }
}

}  // namespace makzero::train
