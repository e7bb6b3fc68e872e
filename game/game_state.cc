#include "game/game_state.h"

namespace makzero::game {

GameState::GameState(const Game& rules, const Position& start)
    : rules_(&rules), position_(start), history_(start) {
  refresh();
}

void GameState::play(Move move) {
  rules_->apply(move, &position_);
  history_.push(position_);
  refresh();
}

void GameState::refresh() {
  rules_->legal_moves(position_, &legal_);
  outcome_ = rules_->outcome(position_, !legal_.empty(), history_.occurrences());
}

Outcome outcome_of(const Game& rules, const Position& position) {
  return rules.outcome(position, rules.count_moves(position) > 0, 1);
}

}  // namespace makzero::game
