// Whole sessions of the front ends, on string streams.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "play/terminal/terminal.h"
#include "play/uci/uci.h"

namespace makzero::play {

// The lines that a UCI engine, set up for Makruk where nothing else is given, answers to a script.
inline std::vector<std::string> uci_session(const std::string& script, const UciSetup& setup = {}) {
  std::istringstream in(script);
  std::ostringstream out;
  Uci(in, out, setup).run();
  std::istringstream lines(out.str());
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  return all;
}

// What the terminal shows to a person who types this, against that player.
inline std::string terminal_session(const std::string& typed, const PlayedGame& game,
                                    const TerminalOptions& options = {},
                                    const std::string& player = "alphabeta:1") {
  EngineOptions engine_options;
  engine_options.player = models::choose_player(player, {.ruleset = game.rules().info().ruleset});
  Engine engine(game.rules_pointer(), engine_options);
  std::istringstream in(typed);
  std::ostringstream out;
  StreamLines lines(in, out, options.interrupt);
  Terminal(&lines, out, &engine, game, options).run();
  return out.str();
}

}  // namespace makzero::play
