// How another program is started and asked for moves: "fairy-stockfish?nodes=1000&Threads=1".
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/parsed.h"

namespace makzero::models {

// A shell command; behind its last '?' how it plays.
struct EngineSettings {
  std::string text;  // As written, "uci:COMMAND?...": its name.
  std::string command;
  std::optional<std::chrono::milliseconds> time;  // ms=N: processor time per move.
  bool limited = false;                           // An option of its protocol says how long it thinks.
  std::string variant;                        // variant=NAME: its name for the game; empty = the ruleset's.
  std::chrono::milliseconds timeout{60'000};  // timeout=SECONDS: longest wait for an answer.
  std::vector<std::pair<std::string, std::string>> options;  // All else: its own options.
};

struct UciSettings : EngineSettings {
  std::string go = "go nodes 1000";  // nodes=N or movetime=MILLISECONDS, where there is no time.
};

struct XboardSettings : EngineSettings {
  // clock=MILLISECONDS, in hundredths of a second: what its clock shows at every move that it is asked for.
  // How much of that a program uses is its own choice. With a time the clock is set by that.
  std::chrono::milliseconds clock{50};
  int depth = 0;  // depth=PLIES: no deeper; 0 = as it likes.
};

// How long a UCI engine is waited for: wall clock of a move to its processor time.
inline constexpr int kUciPatience = 40;

// Tick of the clocks of the XBoard protocol.
inline constexpr std::chrono::milliseconds kXboardTick{10};

game::Parsed<UciSettings> parse_uci_settings(std::string_view text);
game::Parsed<XboardSettings> parse_xboard_settings(std::string_view text);

}  // namespace makzero::models
