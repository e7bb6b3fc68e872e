// Two tiny games with known values, to test searches: a pile of stones, and trees drawn at random.
#pragma once

#include <algorithm>

#include "game/game.h"
#include "mcts/rng.h"

namespace makzero::testing {

// The parts of a game that no toy needs.
class ToyGame : public game::Game {
 public:
  const game::GameInfo& info() const override { return info_; }
  game::Threats threats(const game::Position&, game::Color) const override { return {}; }
  std::uint8_t symmetries(const game::Position&) const override { return 1; }

 protected:
  game::GameInfo info_;
};

// A pile of stones; a move takes one, two or three: Move::drop(number - 1). Who takes the last stone wins.
// With `draw_at` > 0 the game is drawn when a move leaves that many.
class Stones : public ToyGame {
 public:
  explicit Stones(int pile, int draw_at = 0) : pile_(pile), draw_at_(draw_at) { info_.ruleset = "stones"; }

  game::Position initial() const override { return at(pile_); }

  game::Position at(int pile) const {
    game::Position position;
    position.hand[0] = static_cast<std::uint8_t>(pile);
    return position;
  }

  void legal_moves(const game::Position& position, game::MoveList* moves) const override {
    moves->clear();
    for (int taken = 1; taken <= std::min<int>(3, position.hand[0]); ++taken)
      moves->add(game::Move::drop(taken - 1));
  }

  void apply(game::Move move, game::Position* position) const override {
    position->hand[0] = static_cast<std::uint8_t>(position->hand[0] - move.destination() - 1);
    position->to_move = other(position->to_move);
    ++position->ply;
  }

  game::Outcome outcome(const game::Position& position, bool, int) const override {
    if (position.hand[0] == 0) return {win_of(other(position.to_move)), game::Reason::kNoLegalMove};
    if (draw_at_ > 0 && position.hand[0] == draw_at_)
      return {game::Result::kDraw, game::Reason::kInsufficientMaterial};
    return {};
  }

 private:
  int pile_, draw_at_;
};

// A tree whose shape, material and results follow from a hash: `branching` moves at most, `plies` deep at
// most. Some positions before the last ply are ends of the game. No position has two ways to it.
class RandomTree : public ToyGame {
 public:
  RandomTree(std::uint64_t seed, int branching, int plies)
      : seed_(seed), branching_(branching), plies_(plies) {
    info_.ruleset = "random-tree";
    info_.kind_value[0] = 100;
  }

  game::Position initial() const override {
    game::Position position;
    set_state(mcts::Rng(seed_).next(), &position);
    return position;
  }

  void legal_moves(const game::Position& position, game::MoveList* moves) const override {
    moves->clear();
    const int count = 1 + static_cast<int>(mcts::Rng(position.side[0]).below(branching_));
    for (int i = 0; i < count; ++i) moves->add(game::Move::drop(i));
  }

  void apply(game::Move move, game::Position* position) const override {
    set_state(mcts::Rng(position->side[0] + move.destination() + 1).next(), position);
    position->to_move = other(position->to_move);
    ++position->ply;
  }

  game::Outcome outcome(const game::Position& position, bool, int) const override {
    const int die =
        static_cast<int>(mcts::Rng(position.side[0] ^ 0x5555).below(position.ply < plies_ ? 20 : 3));
    constexpr game::Result kResults[] = {game::Result::kWhiteWins, game::Result::kBlackWins,
                                         game::Result::kDraw};
    if (position.ply == 0 || die >= 3) return {};
    return {kResults[die], game::Reason::kPlyLimit};
  }

 private:
  // Every square has a piece, so that the hash is the difference in material.
  static void set_state(std::uint64_t state, game::Position* position) {
    position->side[0] = state;
    position->side[1] = ~state;
    position->kind[0] = ~std::uint64_t{0};
  }

  std::uint64_t seed_;
  int branching_, plies_;
};

// The value of a position with perfect play, for White: 1, 0 or -1. For small trees alone.
inline int solve(const game::Game& game, const game::Position& position) {
  game::MoveList legal;
  game.legal_moves(position, &legal);
  switch (game.outcome(position, !legal.empty(), 1).result) {
    case game::Result::kWhiteWins:
      return 1;
    case game::Result::kBlackWins:
      return -1;
    case game::Result::kDraw:
      return 0;
    case game::Result::kOngoing:
      break;
  }
  const bool white = position.to_move == game::Color::kWhite;
  int best = white ? -1 : 1;
  for (const game::Move move : legal) {
    game::Position child = position;
    game.apply(move, &child);
    const int value = solve(game, child);
    best = white ? std::max(best, value) : std::min(best, value);
  }
  return best;
}

}  // namespace makzero::testing
