// Another program as a player, through the UCI protocol.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "train/match/engine_process.h"
#include "train/match/engine_settings.h"
#include "train/match/move_time.h"
#include "train/match/player.h"

namespace makzero::train {

// "ucinewgame" is sent once a game, whose turns follow each other. Throws models::Error with the
// game so far when the engine's move is missing or not legal. With a time per move it searches with one
// thread until its processor time is spent, and is then told to stop: on a busy machine its own clock would
// end it too soon.
class UciPlayer : public Player {
 public:
  UciPlayer(const game::Game& game, UciSettings settings);

  void choose(std::span<const Turn> turns, std::span<game::Move> moves) override;
  std::chrono::nanoseconds processor_time() const override { return used_; }

 private:
  void start();
  void set_option(const std::string& name, const std::string& value);
  std::string best_move(const std::string& position);
  std::string answer_to(const std::string& go);
  std::string answer_in(std::chrono::nanoseconds time);
  game::Move choose_one(const Turn& turn);

  const game::Game& game_;
  UciSettings settings_;
  EngineProcess engine_;
  std::optional<int> played_;           // The game of the last turn.
  std::optional<TimeBalance> balance_;  // Where there is a time per move.
  std::chrono::nanoseconds used_{};     // By its moves.
};

}  // namespace makzero::train
