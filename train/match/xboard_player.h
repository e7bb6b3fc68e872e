// Another program as a player, through the protocol of XBoard (CECP), version 2.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "train/match/engine_process.h"
#include "train/match/engine_settings.h"
#include "train/match/move_time.h"
#include "train/match/player.h"

namespace makzero::train {

// Sets the clock of a program that uses a share of it, by the shares that it used before, so that the balance
// of its processor time holds.
class ClockControl {
 public:
  explicit ClockControl(std::chrono::milliseconds per_move)
      : balance_(per_move, std::chrono::milliseconds(1)) {}

  // What its clock shows at the next move.
  std::chrono::milliseconds next() const;

  // Takes what it then showed and what the program has used.
  void add(std::chrono::milliseconds shown, std::chrono::nanoseconds used);

 private:
  TimeBalance balance_;
  double shown_ = 0, used_ = 0;  // Seconds of the last moves, the older the less.
};

// Every move is asked for in a new game, so that it depends on its turn alone. Throws models::Error with the
// game so far when the program's move is missing or not legal, when it takes a move of ours for illegal, or
// when the game begins elsewhere and it cannot set up positions.
class XboardPlayer : public Player {
 public:
  XboardPlayer(const game::Game& game, XboardSettings settings);

  void choose(std::span<const Turn> turns, std::span<game::Move> moves) override;
  std::chrono::nanoseconds processor_time() const override { return used_; }

 private:
  void start();
  void set_up(const Turn& turn, const std::vector<std::string>& moves);
  std::string answer();
  game::Move choose_one(const Turn& turn);

  const game::Game& game_;
  XboardSettings settings_;
  EngineProcess engine_;
  bool usermove_ = false;  // Wants that word before a move.
  bool setboard_ = false;  // Takes positions.
  int pings_ = 0;
  std::optional<ClockControl> control_;  // Where there is a time per move.
  std::chrono::nanoseconds used_{};      // By its moves.
};

}  // namespace makzero::train
