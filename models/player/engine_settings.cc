#include "models/player/engine_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "models/player/player_text.h"

namespace makzero::models {

namespace {

using std::chrono::milliseconds;

// The same of an XBoard program, which is not stopped when its time is spent.
constexpr int kXboardPatience = 200;

// A number that one protocol has an option for. A time per move stands without it.
struct OwnOption {
  std::string_view name;
  std::function<void(int)> set;
};

struct Protocol {
  std::string_view word;    // In front of a command.
  std::string_view player;  // "a uci player".
  std::string_view example;
  int patience = 0;
};

constexpr Protocol kUci{"uci", "a uci player", "uci:fairy-stockfish?nodes=1000", kUciPatience};
constexpr Protocol kXboard{"xboard", "an xboard player", "xboard:fairymax?clock=50", kXboardPatience};

// Reads the text into `settings`; `own` are two options, which a time excludes. Returns what is wrong.
std::vector<std::string> read(std::string_view text, const Protocol& protocol,
                              std::span<const OwnOption, 2> own, EngineSettings* settings) {
  const WrittenPlayer engine = read_written_engine(text);
  std::vector<std::string> wrong;
  settings->command = engine.name;
  if (settings->command.empty())
    wrong.push_back(fmt::format("{}: needs a command, as in {}", protocol.word, protocol.example));
  for (const auto& [name, value] : engine.options) {
    const auto mine = std::ranges::find(own, name, &OwnOption::name);
    if (name == "variant") {
      settings->variant = value;
    } else if (name == "ms") {
      const auto time = parse_move_time(value);
      if (time) settings->time = *time;
      if (!time) wrong.push_back(time.why());
    } else if (mine == own.end() && name != "timeout") {
      settings->options.emplace_back(name, value);
    } else if (const int number = positive_number(value); number == 0) {
      wrong.push_back(
          fmt::format("{}='{}' of {} must be a number of at least 1", name, value, protocol.player));
    } else if (mine == own.end()) {
      settings->timeout = std::chrono::seconds(number);
    } else {
      mine->set(number);
      settings->limited = true;
    }
  }
  const auto given = [&](const OwnOption& option) { return has_option(engine, option.name); };
  if (settings->time && std::ranges::any_of(own, given))
    wrong.push_back(fmt::format("ms=N of {} stands alone: without {}=N and {}=N", protocol.player,
                                own[0].name, own[1].name));
  if (settings->time) settings->timeout = std::max(settings->timeout, protocol.patience * *settings->time);
  return wrong;
}

}  // namespace

game::Parsed<UciSettings> parse_uci_settings(std::string_view text) {
  UciSettings settings;
  const OwnOption own[] = {
      {"nodes", [&](int number) { settings.go = fmt::format("go nodes {}", number); }},
      {"movetime", [&](int number) { settings.go = fmt::format("go movetime {}", number); }}};
  const std::vector<std::string> wrong = read(text, kUci, own, &settings);
  if (!wrong.empty()) return game::Parsed<UciSettings>::failure(wrong);
  return settings;
}

game::Parsed<XboardSettings> parse_xboard_settings(std::string_view text) {
  XboardSettings settings;
  const OwnOption own[] = {{"clock", [&](int number) { settings.clock = milliseconds(number); }},
                           {"depth", [&](int number) { settings.depth = number; }}};
  std::vector<std::string> wrong = read(text, kXboard, own, &settings);
  if (settings.clock < kXboardTick)
    wrong.push_back(fmt::format("clock={} of an xboard player must be {} ms or more", settings.clock.count(),
                                kXboardTick.count()));
  if (!wrong.empty()) return game::Parsed<XboardSettings>::failure(wrong);
  return settings;
}

}  // namespace makzero::models
