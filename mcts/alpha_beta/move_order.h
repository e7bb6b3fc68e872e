// Move ordering of the alpha-beta search: the table's move, captures, killers, history, captures that lose.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "game/game.h"
#include "mcts/alpha_beta/options.h"

namespace makzero::mcts {

// The moves of a node, and the order in which they are tried.
struct NodeMoves {
  game::MoveList legal;
  std::array<int, game::MoveList::kCapacity> orders;         // Per legal move: the larger the earlier.
  std::array<bool, game::MoveList::kCapacity> takes;         // Per legal move: whether it takes something.
  game::Bitboard guarded = 0;                                // Chess family: squares that the enemy guards.
  std::array<game::Move, 2> killers;                         // Quiet moves that cut last at this ply.
  bool has_losing_captures = false;                          // They come behind the quiet moves.
  int tried = 0;                                             // Moves that take_next() has returned.
  std::array<std::int64_t, game::MoveList::kCapacity> rest;  // The others as NextMove::packed(), sorted.
  game::MoveList quiets;                                     // Tried before a cut.
};

// The next move of a node, by its number in the list of legal moves.
struct NextMove {
  int index, order;

  bool is_good_capture() const;

  // As a number that is the larger the earlier the move comes; of equal ones, the first in the list.
  std::int64_t packed() const { return order * (kLast + 1) + (kLast - index); }
  static NextMove unpacked(std::int64_t number) {
    const std::int64_t later = number & kLast;
    return {static_cast<int>(kLast - later), static_cast<int>((number - later) / (kLast + 1))};
  }

 private:
  static constexpr std::int64_t kLast = game::MoveList::kCapacity - 1;
  static_assert(((kLast + 1) & kLast) == 0);
};

// Moves and their history over the searches of one game. Not thread-safe.
class MoveOrder {
 public:
  // Places in the order; quiet moves have their history between the last two.
  static constexpr int kTable = 1 << 30, kCapture = 1 << 28, kKiller = 1 << 27;
  static constexpr int kLosing = -(1 << 28), kTried = -(1 << 30);

  // Keeps a reference to the game and to the options.
  MoveOrder(const game::Game& game, const AlphaBetaOptions& options)
      : game_(game), info_(game.info()), options_(options) {}

  // Orders moves->legal. `table_move`: a pass where the table has none.
  void order(const game::Position& position, game::Move table_move, NodeMoves* moves) const;

  // Drops all moves that do not arrive on one of these squares, and orders the rest.
  void order_captures(const game::Position& position, game::Bitboard arrivals, NodeMoves* moves) const;

  // The untried move that comes first, which then counts as tried; of equal ones the first in the list. Most
  // nodes need few moves or all: the first are looked for, the rest is sorted. REQUIRES: there is one.
  static NextMove take_next(NodeMoves* moves) {
    const int number = moves->tried++;
    if (number == kSearched) sort_rest(moves);
    if (number >= kSearched) return NextMove::unpacked(moves->rest[number - kSearched]);
    const auto next = std::max_element(moves->orders.begin(), moves->orders.begin() + moves->legal.size());
    const NextMove found{static_cast<int>(next - moves->orders.begin()), *next};
    *next = kTried;
    return found;
  }

  // A quiet move that made the search of the node superfluous; moves->quiets did not.
  void remember_cut(const game::Position& position, game::Move move, int depth, NodeMoves* moves);

  // In +-history_limit.
  int history(game::Color side, game::Move move) const { return history_[index(side)][move.index()]; }

  void age();
  void clear() { history_ = {}; }

 private:
  // Moves of a node that are looked for one by one.
  static constexpr int kSearched = 4;

  static void sort_rest(NodeMoves* moves);
  void order(const game::Position& position, game::Move table_move, game::Bitboard arrivals,
             NodeMoves* moves) const;
  std::optional<int> capture_order(const game::Position& position, const NodeMoves& moves,
                                   game::Bitboard arrivals, game::Move move) const;

  const game::Game& game_;
  const game::GameInfo& info_;
  const AlphaBetaOptions& options_;
  std::array<std::array<int, game::kPolicySize>, 2> history_ = {};  // Per side and move.
};

inline bool NextMove::is_good_capture() const { return order >= MoveOrder::kCapture; }

}  // namespace makzero::mcts
