// Tests of the static exchange evaluation against a search of all captures on one square.
#include "mcts/alpha_beta/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "tests/support/random_games.h"

namespace makzero::mcts {
namespace {

using game::Bitboard;
using game::Color;
using game::Game;
using game::Move;
using game::Position;
using game::Square;

constexpr int kKingValue = 10'000;

int value_on(const Game& game, const Position& position, Square square) {
  if (game::contains(position.kind[0], square)) return kKingValue;
  for (int kind = 1; kind < game::kKinds; ++kind)
    if (game::contains(position.kind[kind], square)) return game.info().kind_value[kind];
  return 0;
}

// The most that `side` wins by taking a piece of that value, with any of its pieces and whatever follows.
int best_capture(const Game& game, const Position& position, Square target, Color side, Bitboard occupied,
                 int victim) {
  int best = 0;
  Bitboard takers = game.attackers(position, target, occupied) & position.side[game::index(side)];
  while (takers) {
    const Square taker = game::pop_first(&takers);
    const int value = value_on(game, position, taker);
    best = std::max(best, victim - best_capture(game, position, target, other(side),
                                                occupied & ~game::bit(taker), value));
  }
  return best;
}

int exchange_value(const Game& game, const Position& position, Move move) {
  const Bitboard occupied = position.occupied() & ~game::bit(move.origin());
  return value_on(game, position, move.destination()) - best_capture(game, position, move.destination(),
                                                                     other(position.to_move), occupied,
                                                                     value_on(game, position, move.origin()));
}

TEST(ExchangeTest, EqualsTheSearchOfAllCaptures) {
  for (const char* name : {"makruk", "ok", "kaok", "makruk-sutra", "low1839"}) {
    const game::GamePtr game = *game::make_game(name);
    int losing = 0, winning = 0;
    Rng rng(1);
    for (int each = 0; each < 100; ++each) {
      game::GameState state(*game);
      state.random_playout(static_cast<int>(rng.below(120)), &rng);
      for (const Move move : state.legal()) {
        if (!move.is_step()) continue;
        const int value = exchange_value(*game, state.position(), move);
        losing += value < 0;
        winning += value > 0;
        EXPECT_TRUE(wins_exchange(*game, state.position(), move, value))
            << name << " " << position_text(*game, state.position()) << " "
            << move_text(*game, state.position(), move) << " " << value;
        EXPECT_FALSE(wins_exchange(*game, state.position(), move, value + 1))
            << name << " " << position_text(*game, state.position()) << " "
            << move_text(*game, state.position(), move) << " " << value;
      }
    }
    EXPECT_GT(losing, 100) << name;
    EXPECT_GT(winning, 50) << name;
  }
}

TEST(ExchangeTest, AttackersAreThePiecesThatThreaten) {
  for (const char* name : {"makruk", "kaok", "low1839", "low1839-dlp"}) {
    const game::GamePtr game = *game::make_game(name);
    Rng rng(2);
    for (int each = 0; each < 100; ++each) {
      game::GameState state(*game);
      state.random_playout(static_cast<int>(rng.below(120)), &rng);
      const Position& position = state.position();
      for (Square square = 0; square < game::kSquares; ++square) {
        const Bitboard attackers = game->attackers(position, square, position.occupied());
        for (const Color side : {Color::kWhite, Color::kBlack}) {
          EXPECT_EQ(game::contains(game->threats(position, side).destinations, square),
                    (attackers & position.side[game::index(side)]) != 0)
              << name << " " << position_text(*game, position) << " square " << square;
        }
      }
    }
  }
}

}  // namespace
}  // namespace makzero::mcts
