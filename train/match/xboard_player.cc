#include "train/match/xboard_player.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "game/notation.h"
#include "models/error.h"

namespace makzero::train {

namespace {

using game::Move;
using game::Position;
using std::chrono::milliseconds;

constexpr int kTableSize =
    16;  // Mebibytes: a new game clears them, and a larger table takes longer than a move.

// Of the clock that is shown to the processor time that is wanted. Fairy-Max uses a tenth of its clock.
constexpr double kLeastFactor = 1, kGreatestFactor = 100;
constexpr double kMemory = 0.7;  // Weight of the moves so far against the last one.

// Whether one of the names in variants="normal,makruk" is this one.
bool has_variant(const std::string& feature, const std::string& variant) {
  const size_t begin = feature.find('"') + 1, end = feature.find('"', begin);
  const std::string names = ',' + feature.substr(begin, end - begin) + ',';
  return names.find(',' + variant + ',') != std::string::npos;
}

std::vector<std::string> texts_of(const game::Game& game, const Turn& turn) {
  std::vector<std::string> texts;
  texts.reserve(turn.moves->size());
  Position position = turn.start ? *turn.start : game.initial();
  for (const Move move : *turn.moves) {
    texts.push_back(move_text(game, position, move));
    game.apply(move, &position);
  }
  return texts;
}

}  // namespace

milliseconds ClockControl::next() const {
  const double factor = used_ > 0 ? std::clamp(shown_ / used_, kLeastFactor, kGreatestFactor) : kLeastFactor;
  const auto clock = std::chrono::duration<double>(balance_.next()) * factor;
  return std::max(kXboardTick,
                  std::chrono::round<milliseconds>(clock / kXboardTick.count()) * kXboardTick.count());
}

void ClockControl::add(milliseconds shown, std::chrono::nanoseconds used) {
  balance_.add(used);
  shown_ = kMemory * shown_ + std::chrono::duration<double>(shown).count();
  used_ = kMemory * used_ + std::chrono::duration<double>(used).count();
}

XboardPlayer::XboardPlayer(const game::Game& game, XboardSettings settings)
    : game_(game), settings_(std::move(settings)), engine_(settings_.command, settings_.timeout) {
  if (settings_.variant.empty()) settings_.variant = game.info().ruleset;
  if (settings_.time) control_.emplace(*settings_.time);
  start();
}

void XboardPlayer::start() {
  engine_.send("xboard");
  engine_.send("protover 2");
  bool knows_variant = false, pings = false, has_memory = false;
  for (std::string line; line.find("done=1") == std::string::npos;) {
    line = engine_.wait_for({"feature"});
    if (const size_t variants = line.find("variants="); variants != std::string::npos)
      knows_variant = has_variant(line.substr(variants), settings_.variant);
    if (line.find("ping=1") != std::string::npos) pings = true;
    if (line.find("memory=1") != std::string::npos) has_memory = true;
    if (line.find("usermove=1") != std::string::npos) usermove_ = true;
    if (line.find("setboard=1") != std::string::npos) setboard_ = true;
  }
  if (!knows_variant) {
    throw models::Error("engine '" + settings_.command + "' does not play " + settings_.variant +
                        "; choose another engine, or give its own name of the game with ?variant=NAME");
  }
  if (!pings)
    throw models::Error("engine '" + settings_.command + "' lacks feature ping; choose another engine");
  if (has_memory) engine_.send(fmt::format("memory {}", kTableSize));
  for (const auto& [name, value] : settings_.options)
    engine_.send("option " + name + (value.empty() ? "" : "=" + value));
}

void XboardPlayer::choose(std::span<const Turn> turns, std::span<Move> moves) {
  assert(turns.size() == moves.size());
  for (size_t i = 0; i < turns.size(); ++i) moves[i] = choose_one(turns[i]);
}

Move XboardPlayer::choose_one(const Turn& turn) {
  const std::vector<std::string> before = texts_of(game_, turn);
  try {
    set_up(turn, before);
    const std::string line = answer();
    const std::string text = line.starts_with("move ") ? line.substr(5) : line;
    const game::Parsed<Move> move = parse_move(game_, *turn.position, text);
    if (move) return *move;
    throw models::Error("engine '" + settings_.command + "' played '" + text + "': " + move.why());
  } catch (const models::Error& error) {
    throw models::Error(fmt::format("{}; the game so far: {}", error.what(), fmt::join(before, " ")));
  }
}

// What the program answers, and what it uses for that.
std::string XboardPlayer::answer() {
  const milliseconds clock = control_ ? control_->next() : settings_.clock;
  const milliseconds full = std::chrono::ceil<std::chrono::seconds>(clock);
  engine_.send(fmt::format("st {}", full.count() / 1000));
  engine_.send(fmt::format("time {}", clock / kXboardTick));
  const std::chrono::nanoseconds start = engine_.processor_time();
  engine_.send("go");
  std::string line = engine_.wait_for({"move", "resign", "1-0", "0-1", "1/2-1/2"});
  const std::chrono::nanoseconds used = engine_.processor_time() - start;
  used_ += used;
  if (control_) control_->add(clock, used);
  return line;
}

// The position after these moves, with no search running.
void XboardPlayer::set_up(const Turn& turn, const std::vector<std::string>& moves) {
  engine_.send("new");
  engine_.send("variant " + settings_.variant);
  engine_.send("force");
  if (turn.start && *turn.start != game_.initial()) {
    if (!setboard_)
      throw models::Error(
          "engine '" + settings_.command +
          "' takes no positions (feature setboard=0): give it openings that begin with startpos");
    engine_.send("setboard " + position_text(game_, *turn.start));
  }
  for (const std::string& move : moves) engine_.send((usermove_ ? "usermove " : "") + move);
  if (settings_.depth > 0) engine_.send(fmt::format("sd {}", settings_.depth));
  engine_.send(fmt::format("ping {}", ++pings_));
  const std::string line = engine_.wait_for({fmt::format("pong {}", pings_), "Illegal", "Error"});
  if (!line.starts_with("pong"))
    throw models::Error("engine '" + settings_.command + "' says '" + line + "'");
}

}  // namespace makzero::train
