// Another program as a Searcher: what the protocols have in common.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"
#include "mcts/searcher.h"
#include "models/player/engine_process.h"
#include "models/player/engine_settings.h"

namespace makzero::models {

// One search at a time; a step waits for the program's move. With a time per move the processor time of the
// program counts. step() throws models::Error with the game so far when the move is missing or not legal.
class EngineSearcher : public mcts::Searcher {
 public:
  void begin(const mcts::SearchRoot& root, const mcts::Limits& limits) final;
  std::span<const mcts::EvalRequest> step(const mcts::StepBudget& budget) final;
  bool ready() const final { return line_.has_value(); }
  bool done() const final { return ready(); }
  mcts::SearchInfo info() const final;
  void forget() final { new_game_ = true; }

  // Processor time of the program during its moves.
  std::chrono::nanoseconds processor_time() const { return used_; }

 protected:
  EngineSearcher(const game::Game& game, const EngineSettings& settings);

  // The program's move for the position after moves() from start(), as text.
  virtual std::string answer() = 0;

  [[noreturn]] void fail(const std::string& what) const;

  // The name of the game, for the program.
  std::string variant() const;

  bool is_stopped() const { return limits_.stop && limits_.stop->load(std::memory_order_relaxed); }

  const game::Game& game() const { return game_; }
  const game::Position& start() const { return start_; }
  const std::vector<std::string>& moves() const { return moves_; }
  const mcts::Limits& limits() const { return limits_; }

  EngineProcess engine_;
  bool new_game_ = true;  // The next search is of another game than the last.
  int centipawns_ = 0;    // Of the program's move, for itself, where it says so.

 private:
  const game::Game& game_;
  std::string command_, variant_;
  game::Position start_, position_;
  std::vector<std::string> moves_;
  mcts::Limits limits_;
  std::optional<mcts::Line> line_;
  std::chrono::nanoseconds used_{}, elapsed_{};
};

}  // namespace makzero::models
