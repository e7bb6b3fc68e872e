#include "mcts/alpha_beta/move_order.h"

#include <cstdlib>
#include <functional>

#include "mcts/alpha_beta/exchange.h"

namespace makzero::mcts {

using game::Bitboard;
using game::Move;
using game::Position;

void MoveOrder::order(const Position& position, Move table_move, NodeMoves* moves) const {
  order(position, table_move,
        info_.takes_by_arrival ? position.enemy() : game_.threats(position, position.to_move).destinations,
        moves);
}

void MoveOrder::order_captures(const Position& position, Bitboard arrivals, NodeMoves* moves) const {
  const Move* const all = moves->legal.data();
  const int size = moves->legal.size();
  moves->legal.clear();
  for (int i = 0; i < size; ++i)
    if (game::contains(arrivals, all[i].destination())) moves->legal.add(all[i]);
  order(position, Move::pass(), arrivals, moves);
}

void MoveOrder::sort_rest(NodeMoves* moves) {
  auto end = moves->rest.begin();
  for (int i = 0; i < moves->legal.size(); ++i)
    if (moves->orders[i] != kTried) *end++ = NextMove{i, moves->orders[i]}.packed();
  std::sort(moves->rest.begin(), end, std::greater<>());
}

// `arrivals`: squares that captures arrive on.
void MoveOrder::order(const Position& position, Move table_move, Bitboard arrivals, NodeMoves* moves) const {
  moves->has_losing_captures = false;
  moves->tried = 0;
  const std::array<int, game::kPolicySize>& values = history_[game::index(position.to_move)];
  for (int i = 0; i < moves->legal.size(); ++i) {
    const Move move = moves->legal[i];
    const std::optional<int> capture = capture_order(position, *moves, arrivals, move);
    moves->has_losing_captures |= capture && *capture < 0;
    moves->takes[i] = capture.has_value();
    if (move == table_move && !move.is_pass())
      moves->orders[i] = kTable;
    else if (capture)
      moves->orders[i] = *capture;
    else if (move == moves->killers[0] || move == moves->killers[1])
      moves->orders[i] = kKiller;
    else
      moves->orders[i] = values[move.index()];
  }
}

// Captures of much by little come first (MVV-LVA); a piece that takes a lesser one which is guarded, last.
// None where the move takes nothing.
std::optional<int> MoveOrder::capture_order(const Position& position, const NodeMoves& moves,
                                            Bitboard arrivals, Move move) const {
  if (move.is_pass() || !game::contains(arrivals, move.destination())) return std::nullopt;
  if (info_.takes_by_arrival) {
    const int victim = value_on(info_, position, move.destination());
    const int taker = move.is_step() ? value_on(info_, position, move.origin()) : 0;
    const bool loses = victim < taker && game::contains(moves.guarded, move.destination()) &&
                       !(options_.see_order && move.is_step() && wins_exchange(game_, position, move, 0));
    return (loses ? kLosing : kCapture) + 8 * victim - taker / 2;
  }
  Position child = position;
  game_.apply(move, &child);
  const int taken =
      game::size(position.enemy()) - game::size(child.side[game::index(other(position.to_move))]);
  if (taken == 0) return std::nullopt;
  return kCapture + 1000 * taken;
}

void MoveOrder::remember_cut(const Position& position, Move move, int depth, NodeMoves* moves) {
  if (options_.killers && move != moves->killers[0]) moves->killers = {move, moves->killers[0]};
  std::array<int, game::kPolicySize>& values = history_[game::index(position.to_move)];
  const int bonus = std::min(options_.history_bonus * depth * depth, options_.history_limit / 4);
  const auto add = [&](Move changed, int amount) {
    int& value = values[changed.index()];
    value += amount - value * std::abs(amount) / options_.history_limit;
  };
  add(move, bonus);
  for (const Move quiet : moves->quiets) add(quiet, -bonus);
}

void MoveOrder::age() {
  for (auto& side : history_)
    for (int& value : side) value /= options_.history_ageing;
}

}  // namespace makzero::mcts
