#include "train/match/simple_players.h"

#include <algorithm>
#include <cassert>

#include "mcts/rng.h"

namespace makzero::train {

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

// A table that a search of this depth does not overflow; clearing it must cost less than the search.
std::size_t table_entries(int depth) { return depth <= 2 ? 1 << 10 : depth <= 4 ? 1 << 14 : 1 << 18; }

}  // namespace

void RandomPlayer::choose(std::span<const Turn> turns, std::span<Move> moves) {
  assert(turns.size() == moves.size());
  for (size_t i = 0; i < turns.size(); ++i) {
    const game::MoveList& legal = *turns[i].legal;
    moves[i] = legal[static_cast<int>(mcts::Rng(turns[i].seed).below(legal.size()))];
  }
}

void GreedyPlayer::choose(std::span<const Turn> turns, std::span<Move> moves) {
  assert(turns.size() == moves.size());
  for (size_t i = 0; i < turns.size(); ++i) moves[i] = choose_one(turns[i]);
}

Move GreedyPlayer::choose_one(const Turn& turn) const {
  game::History history = *turn.history;
  std::vector<Move> best;
  int best_score = -2 * kDecided;
  for (const Move move : *turn.legal) {
    const int score = score_after(game_, *turn.position, move, &history);
    if (score < best_score) continue;
    if (score > best_score) best.clear();
    best_score = score;
    best.push_back(move);
  }
  return best[mcts::Rng(turn.seed).below(best.size())];
}

AlphaBetaPlayer::AlphaBetaPlayer(const game::Game& game, int depth)
    : search_(game, mcts::MaterialEvaluation(game.info()), mcts::kBaselineOptions, table_entries(depth)) {
  limits_.depth = depth;
}

void AlphaBetaPlayer::choose(std::span<const Turn> turns, std::span<Move> moves) {
  assert(turns.size() == moves.size());
  for (size_t i = 0; i < turns.size(); ++i) {
    search_.clear();  // The move depends on the turn alone.
    limits_.seed = turns[i].seed;
    moves[i] = search_.search(*turns[i].position, *turns[i].history, limits_).best();
  }
}

}  // namespace makzero::train
