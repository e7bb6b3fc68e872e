#include "mcts/alpha_beta/exchange.h"

namespace makzero::mcts {
namespace {

using game::Bitboard;
using game::Square;

constexpr int kKing = 0;  // Its kind in all games whose pieces take by arrival.
constexpr int kKingValue = 10'000;

// The same with a king above all.
int stake_on(const game::GameInfo& info, const game::Position& position, Square square) {
  return game::contains(position.kind[kKing], square) ? kKingValue : value_on(info, position, square);
}

// The kind of the least of these pieces: a king only where there is no other.
int least_kind(const game::GameInfo& info, const game::Position& position, Bitboard pieces) {
  int least = kKing;
  for (int kind = kKing + 1; kind < game::kKinds; ++kind) {
    if ((pieces & position.kind[kind]) && (least == kKing || info.kind_value[kind] < info.kind_value[least]))
      least = kind;
  }
  return least;
}

}  // namespace

int value_on(const game::GameInfo& info, const game::Position& position, Square square) {
  for (int kind = 0; kind < game::kKinds; ++kind)
    if (game::contains(position.kind[kind], square)) return info.kind_value[kind];
  return 0;
}

// `wins`: the mover reaches its aim if nobody takes any more. `lack`: what the side to take has to win to
// turn that round; it may stop at any time.
bool wins_exchange(const game::Game& game, const game::Position& position, game::Move move, int least) {
  const game::GameInfo& info = game.info();
  const Square target = move.destination();
  int lack = stake_on(info, position, target) - least;
  if (lack < 0) return false;
  lack = stake_on(info, position, move.origin()) - lack;
  if (lack <= 0) return true;
  bool wins = true;
  Bitboard occupied = position.occupied() & ~game::bit(move.origin());
  game::Color side = other(position.to_move);
  for (;; side = other(side)) {
    const Bitboard attackers = game.attackers(position, target, occupied);
    const Bitboard own = attackers & position.side[index(side)];
    if (own == 0) return wins;
    wins = !wins;
    const int kind = least_kind(info, position, own);
    if (kind == kKing) return attackers == own ? wins : !wins;
    lack = info.kind_value[kind] - lack;
    if (lack < static_cast<int>(wins)) return wins;
    occupied &= ~game::bit(game::first_square(own & position.kind[kind]));
  }
}

}  // namespace makzero::mcts
