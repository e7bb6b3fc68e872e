#include "models/player/xboard_searcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "game/notation.h"
#include "models/error.h"

namespace makzero::models {

namespace {

using std::chrono::milliseconds;

constexpr int kTableSize =
    16;  // Mebibytes: a new game clears them, and a larger table takes longer than a move.

// Of the clock that is shown to the processor time that is wanted. Fairy-Max uses a tenth of its clock.
constexpr double kLeastFactor = 1, kGreatestFactor = 100;
constexpr double kMemory = 0.7;  // Weight of the moves so far against the last one.

// True if one of the names in variants="normal,makruk" is this one.
bool has_variant(const std::string& feature, const std::string& variant) {
  const size_t begin = feature.find('"') + 1, end = feature.find('"', begin);
  const std::string names = ',' + feature.substr(begin, end - begin) + ',';
  return names.find(',' + variant + ',') != std::string::npos;
}

}  // namespace

milliseconds ClockControl::clock_for(std::chrono::nanoseconds time) const {
  const double factor = used_ > 0 ? std::clamp(shown_ / used_, kLeastFactor, kGreatestFactor) : kLeastFactor;
  const auto clock = std::chrono::duration<double>(time) * factor;
  return std::max(kXboardTick,
                  std::chrono::round<milliseconds>(clock / kXboardTick.count()) * kXboardTick.count());
}

void ClockControl::add(milliseconds shown, std::chrono::nanoseconds used) {
  shown_ = kMemory * shown_ + std::chrono::duration<double>(shown).count();
  used_ = kMemory * used_ + std::chrono::duration<double>(used).count();
}

XboardSearcher::XboardSearcher(const game::Game& game, XboardSettings settings)
    : EngineSearcher(game, settings), settings_(std::move(settings)) {
  engine_.send("xboard");
  engine_.send("protover 2");
  bool knows_variant = false, pings = false, has_memory = false;
  for (std::string line; line.find("done=1") == std::string::npos;) {
    line = engine_.wait_for({"feature"});
    if (const size_t variants = line.find("variants="); variants != std::string::npos)
      knows_variant = has_variant(line.substr(variants), variant());
    if (line.find("ping=1") != std::string::npos) pings = true;
    if (line.find("memory=1") != std::string::npos) has_memory = true;
    if (line.find("usermove=1") != std::string::npos) usermove_ = true;
    if (line.find("setboard=1") != std::string::npos) setboard_ = true;
  }
  if (!knows_variant)
    fail("does not play " + variant() +
         "; choose another engine, or give its own name of the game with ?variant=NAME");
  if (!pings) fail("lacks feature ping; choose another engine");
  if (has_memory) engine_.send(fmt::format("memory {}", kTableSize));
  for (const auto& [name, value] : settings_.options)
    engine_.send("option " + name + (value.empty() ? "" : "=" + value));
}

std::string XboardSearcher::answer() {
  set_up();
  const milliseconds clock = limits().time ? control_.clock_for(*limits().time) : settings_.clock;
  const milliseconds full = std::chrono::ceil<std::chrono::seconds>(clock);
  engine_.send(fmt::format("st {}", full.count() / 1000));
  engine_.send(fmt::format("time {}", clock / kXboardTick));
  const std::chrono::nanoseconds start = engine_.processor_time();
  engine_.send("go");
  const std::string line = engine_.wait_for({"move", "resign", "1-0", "0-1", "1/2-1/2"});
  control_.add(clock, engine_.processor_time() - start);
  return line.starts_with("move ") ? line.substr(5) : line;
}

// The position to search, with no search running.
void XboardSearcher::set_up() {
  engine_.send("new");
  engine_.send("variant " + variant());
  engine_.send("force");
  if (start() != game().initial()) {
    if (!setboard_)
      fail("takes no positions (feature setboard=0): give it openings that begin with startpos");
    engine_.send("setboard " + position_text(game(), start()));
  }
  for (const std::string& move : moves()) engine_.send((usermove_ ? "usermove " : "") + move);
  const int depth = limits().depth.value_or(settings_.depth);
  if (depth > 0) engine_.send(fmt::format("sd {}", depth));
  engine_.send(fmt::format("ping {}", ++pings_));
  const std::string line = engine_.wait_for({fmt::format("pong {}", pings_), "Illegal", "Error"});
  if (!line.starts_with("pong")) fail("says '" + line + "'");
}

}  // namespace makzero::models
