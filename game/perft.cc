#include "game/perft.h"

namespace makzero::game {

std::uint64_t perft(const Game& game, const Position& position, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return game.count_moves(position);
  MoveList moves;
  game.legal_moves(position, &moves);
  std::uint64_t leaves = 0;
  for (const Move move : moves) {
    Position child = position;
    game.apply(move, &child);
    leaves += perft(game, child, depth - 1);
  }
  return leaves;
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Game& game, const Position& position,
                                                         int depth) {
  MoveList moves;
  game.legal_moves(position, &moves);
  std::vector<std::pair<Move, std::uint64_t>> counts;
  for (const Move move : moves) {
    Position child = position;
    game.apply(move, &child);
    counts.emplace_back(move, perft(game, child, depth - 1));
  }
  return counts;
}

}  // namespace makzero::game
