// Another program as a player, through the UCI protocol.
#pragma once

#include <string>

#include "models/player/engine_searcher.h"

namespace makzero::models {

// With a time per move it searches with one thread until its processor time is spent, and is then told to
// stop: on a busy machine its own clock would end it too soon.
class UciSearcher : public EngineSearcher {
 public:
  // Throws models::Error where the program does not start or does not play the game.
  UciSearcher(const game::Game& game, UciSettings settings);

 private:
  std::string answer() override;
  std::string go_command() const;
  std::string best_move_line();
  std::string wait_for_move(std::chrono::nanoseconds end, std::chrono::milliseconds patience);
  std::optional<std::string> next_move_line(std::chrono::milliseconds wait);
  void set_option(const std::string& name, const std::string& value);

  UciSettings settings_;
};

}  // namespace makzero::models
