#include "models/player/simple_searchers.h"

#include <algorithm>

#include "mcts/rng.h"

namespace makzero::models {

namespace {

using game::Color;
using game::Move;
using game::Outcome;
using game::Position;

constexpr int kDecided = 1 << 28;  // Beyond every material count.

// What the game after `move` is worth to the mover, one ply ahead. `history` ends with `position` and is left
// as it was.
int score_after(const game::Game& game, const Position& position, Move move, game::History* history) {
  const Color mover = position.to_move;
  Position after = position;
  game.apply(move, &after);
  history->push(after);
  const Outcome outcome = game.outcome(after, game.count_moves(after) > 0, history->occurrences());
  history->pop();

  if (outcome.result == game::win_of(mover)) return kDecided;
  if (outcome.result == game::win_of(other(mover))) return -kDecided;
  return material_lead(game.info(), after, mover);
}

}  // namespace

void OnePlySearcher::begin(const mcts::SearchRoot& root, const mcts::Limits& limits) {
  const std::vector<Move>& some = limits.search_moves;
  const std::span<const Move> moves = some.empty() ? std::span(root.legal->begin(), root.legal->end()) : some;
  line_ = {.moves = {choose(root, moves, limits.seed)}, .value = {0, 1, 0}};
}

Move RandomSearcher::choose(const mcts::SearchRoot&, std::span<const Move> moves, std::uint64_t seed) const {
  return moves[mcts::Rng(seed).below(moves.size())];
}

Move GreedySearcher::choose(const mcts::SearchRoot& root, std::span<const Move> moves,
                            std::uint64_t seed) const {
  game::History history = *root.history;
  std::vector<Move> best;
  int best_score = -2 * kDecided;
  for (const Move move : moves) {
    const int score = score_after(game_, *root.position, move, &history);
    if (score < best_score) continue;
    if (score > best_score) best.clear();
    best_score = score;
    best.push_back(move);
  }
  return best[mcts::Rng(seed).below(best.size())];
}

}  // namespace makzero::models
