// A game as it stands: position, history, legal moves and outcome.
#pragma once

#include <vector>

#include "game/game.h"
#include "game/history.h"

namespace makzero::game {

// A value; the rules must outlive it. Searches, which go back and forth, keep position and history instead.
class GameState {
 public:
  explicit GameState(const Game& rules) : GameState(rules, rules.initial()) {}
  GameState(const Game& rules, const Position& start);

  const Game& rules() const { return *rules_; }
  const Position& position() const { return position_; }
  const History& history() const { return history_; }  // From the start on; ends with position().
  const MoveList& legal() const { return legal_; }
  const Outcome& outcome() const { return outcome_; }
  bool over() const { return outcome_.over(); }

  // REQUIRES: the move is legal.
  void play(Move move);

  // Plays up to so many random moves, each legal one as likely, while the game is not over; returns them.
  // rng->below(n) is a number from 0 to n - 1.
  template <class Rng>
  std::vector<Move> random_playout(int plies, Rng* rng) {
    std::vector<Move> moves;
    while (static_cast<int>(moves.size()) < plies && !over()) {
      moves.push_back(legal_[static_cast<int>(rng->below(legal_.size()))]);
      play(moves.back());
    }
    return moves;
  }

 private:
  void refresh();

  const Game* rules_;
  Position position_;
  History history_;
  MoveList legal_;
  Outcome outcome_;
};

// The outcome of a position whose history does not matter or is not known.
Outcome outcome_of(const Game& rules, const Position& position);

}  // namespace makzero::game
