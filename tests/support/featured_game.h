// A game under other rule features than its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/game.h"

namespace makzero::game {

class FeaturedGame : public game::Game {
 public:
  // REQUIRES: the features are of the family "custodial", and their names outlive the game.
  FeaturedGame(const std::string& ruleset, std::vector<game::RuleFeature> features)
      : game_(*game::make_game(ruleset)), info_(game_->info()) {
    info_.family = "custodial";
    info_.rule_features = std::move(features);
  }

  const game::GameInfo& info() const override { return info_; }
  game::Position initial() const override { return game_->initial(); }
  void legal_moves(const game::Position& position, game::MoveList* moves) const override {
    game_->legal_moves(position, moves);
  }
  void apply(game::Move move, game::Position* position) const override { game_->apply(move, position); }
  game::Outcome outcome(const game::Position& position, bool can_move, int occurrences) const override {
    return game_->outcome(position, can_move, occurrences);
  }
  game::Threats threats(const game::Position& position, game::Color side) const override {
    return game_->threats(position, side);
  }
  std::uint8_t symmetries(const game::Position& position) const override {
    return game_->symmetries(position);
  }

 private:
  game::GamePtr game_;
  game::GameInfo info_;
};

}  // namespace makzero::game
