// A player of a match: drives the searches of many games.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "game/game.h"
#include "mcts/searcher_batch.h"
#include "models/player/move_time.h"
#include "models/player/player.h"

namespace makzero::train {

// A game in which a player is to move. The root's pointers are valid until the move is chosen.
struct Turn {
  mcts::SearchRoot root;
  std::uint64_t seed = 0;  // Of everything random in this choice.
  int game = 0;            // Its number in the match.
};

// A move, and the expected result of who makes it, in [-1, 1]: none where nobody says.
struct Choice {
  game::Move move;
  std::optional<float> expected = {};
};

// Chooses moves, a batch by design: a network evaluates the searches of all turns together. Without a time
// per move a move depends on its turn alone, that of a UCI engine on the turns of its game, so that a match
// is the same however its games are spread over threads. With a time, what was searched is kept through a
// game, and a forced move takes none. One thread at a time; make one per thread.
class MatchPlayer {
 public:
  // Throws models::Error as models::load_player() does. The rules must outlive it.
  MatchPlayer(const game::Game& rules, const models::PlayerSpec& spec, const nn::Backend& backend);

  // A legal move for each turn. Throws models::Error when the player fails.
  std::vector<Choice> choose(std::span<const Turn> turns);

  // Turns that make good use of the player at once.
  int batch() const { return player_->evaluator ? 64 : 1; }

  // A clock of the processor time that its choices take.
  std::chrono::nanoseconds processor_time() const { return player_->processor_time(); }

 private:
  std::vector<Choice> choose_together(std::span<const Turn> turns);
  Choice choose_one(const Turn& turn);
  mcts::Searcher& searcher(std::size_t number);
  Choice choice_of(const mcts::Searcher& searcher, const Turn& turn) const;

  std::unique_ptr<models::Player> player_;
  std::vector<std::unique_ptr<mcts::Searcher>> searchers_;
  mcts::SearcherBatch batch_;
  std::optional<models::TimeBalance> balance_;  // Where there is a time per move.
  std::optional<int> played_;                   // The game of the last turn.
};

}  // namespace makzero::train
