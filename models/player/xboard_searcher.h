// Another program as a player, through the protocol of XBoard (CECP), version 2.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "models/player/engine_searcher.h"

namespace makzero::models {

// Sets the clock of a program that uses a share of it, by the shares that it used before.
class ClockControl {
 public:
  // The time to show on its clock, so that it uses about so much.
  std::chrono::milliseconds clock_for(std::chrono::nanoseconds time) const;

  // Takes what it then showed and what the program has used.
  void add(std::chrono::milliseconds shown, std::chrono::nanoseconds used);

 private:
  double shown_ = 0, used_ = 0;  // Seconds of the last moves, the older the less.
};

// Every move is asked for in a new game, so that it depends on its position alone. step() also throws
// models::Error when the program takes a move of ours for illegal, or when the game begins elsewhere and it
// cannot set up positions.
class XboardSearcher : public EngineSearcher {
 public:
  // Throws models::Error where the program does not start or does not play the game.
  XboardSearcher(const game::Game& game, XboardSettings settings);

 private:
  std::string answer() override;
  void set_up();

  XboardSettings settings_;
  bool usermove_ = false;  // Wants that word before a move.
  bool setboard_ = false;  // Takes positions.
  int pings_ = 0;
  ClockControl control_;
};

}  // namespace makzero::models
