// A game that reads texts of arrangements which its rules refuse.
#pragma once

#include <utility>

#include "game/game.h"

namespace makzero::game {

// The same game without Game::check().
class AnyArrangement : public Game {
 public:
  explicit AnyArrangement(GamePtr game) : game_(std::move(game)) {}

  const GameInfo& info() const override { return game_->info(); }
  Position initial() const override { return game_->initial(); }
  void legal_moves(const Position& position, MoveList* moves) const override {
    game_->legal_moves(position, moves);
  }
  int count_moves(const Position& position) const override { return game_->count_moves(position); }
  void apply(Move move, Position* position) const override { game_->apply(move, position); }
  Outcome outcome(const Position& position, bool can_move, int occurrences) const override {
    return game_->outcome(position, can_move, occurrences);
  }
  Threats threats(const Position& position, Color side) const override {
    return game_->threats(position, side);
  }
  std::uint8_t symmetries(const Position& position) const override { return game_->symmetries(position); }
  std::string fields_text(const Position& position) const override { return game_->fields_text(position); }
  void read_fields(std::span<const std::string_view> fields, Position* position,
                   std::vector<std::string>* reasons) const override {
    game_->read_fields(fields, position, reasons);
  }
  void check(const Position&, std::vector<std::string>*) const override {}

 private:
  GamePtr game_;
};

}  // namespace makzero::game
