#include "mcts/material_evaluator.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

namespace makzero::mcts {
namespace {

using game::Move;
using game::Position;

constexpr int kWin = 100'000;  // Beyond every material count.

// How far the bare king of the other side is driven off the middle of the board, in steps, and twice the
// steps that the side's own king has come nearer: who mates with few pieces needs both. Never below 0, the
// worth of a king that is not bare: to bare it is a gain.
int drive(const game::GameInfo& info, const Position& position, game::Color side) {
  const game::Bitboard own = position.side[index(side)], enemy = position.side[index(other(side))];
  if (game::size(enemy) != 1) return 0;
  const game::Bitboard kings = game::kings(info, position);
  if (!(kings & enemy) || !(kings & own)) return 0;
  const game::Square bare = game::first_square(enemy), near = game::first_square(kings & own);
  const int off_middle = std::abs(2 * game::file_of(bare) - info.files + 1) / 2 +
                         std::abs(2 * game::rank_of(bare) - info.ranks + 1) / 2;
  const int apart = std::max(std::abs(game::file_of(bare) - game::file_of(near)),
                             std::abs(game::rank_of(bare) - game::rank_of(near)));
  return off_middle + 2 * (std::max(info.files, info.ranks) - 1 - apart);
}

}  // namespace

MaterialEvaluator::MaterialEvaluator(const MaterialOptions& options)
    : options_(options), legal_(options.capture_plies + 1) {}

void MaterialEvaluator::evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
  assert(requests.size() == evaluations.size());
  for (size_t i = 0; i < requests.size(); ++i) evaluate_one(requests[i], &evaluations[i]);
}

void MaterialEvaluator::evaluate_one(const EvalRequest& request, Evaluation* evaluation) {
  game_ = request.game;
  const game::MoveList& legal = *request.legal;
  std::vector<float>& priors = evaluation->priors;
  priors.clear();
  int best = -kWin;
  for (const Move move : legal) {
    Position child = *request.position;
    game_->apply(move, &child);
    const int score = score_of(child, request.position->to_move, legal.size(), 0, -kWin, kWin);
    best = std::max(best, score);
    priors.push_back(static_cast<float>(score));
  }
  float sum = 0;
  for (float& prior : priors) {
    prior = std::exp((prior - static_cast<float>(best)) / options_.prior_scale);
    sum += prior;
  }
  for (float& prior : priors) prior /= sum;

  const bool decided = std::abs(best) == kWin;
  const float value = std::tanh(static_cast<float>(best) / options_.lead_scale);
  evaluation->value = {std::max(value, 0.0f), 1 - std::abs(value), std::max(-value, 0.0f)};
  evaluation->moves_left = decided ? 1 : options_.moves_left;
}

int MaterialEvaluator::score_of(const Position& child, game::Color mover, int moves, int depth, int alpha,
                                int beta) {
  if (child.to_move == mover) return quiesce(child, moves, depth, alpha, beta);
  return -quiesce(child, moves, depth, -beta, -alpha);
}

bool MaterialEvaluator::wins_by_check(const Position& position, const game::MoveList& legal) const {
  const game::Bitboard enemy_kings = kings(game_->info(), position) & position.enemy();
  for (const Move move : legal) {
    Position child = position;
    game_->apply(move, &child);
    if (!(game_->threats(child, position.to_move).targets & enemy_kings)) continue;
    if (game_->outcome(child, game_->count_moves(child) > 0, 1).result == win_of(position.to_move))
      return true;
  }
  return false;
}

int MaterialEvaluator::quiesce(const Position& position, int enemy_moves, int depth, int alpha, int beta) {
  const int moves = game_->count_moves(position);
  const game::Outcome outcome = game_->outcome(position, moves > 0, 1);
  if (outcome.result == game::Result::kDraw) return 0;
  if (outcome.over()) return outcome.result == win_of(position.to_move) ? kWin : -kWin;

  const game::GameInfo& info = game_->info();
  const int driven = drive(info, position, position.to_move) - drive(info, position, other(position.to_move));
  int best = material_lead(info, position, position.to_move) +
             options_.mobility_weight * (moves - enemy_moves) + options_.drive_weight * driven;
  if (best >= beta || depth == options_.capture_plies) return best;
  const bool checks = depth == 0 && info.takes_by_arrival;
  game::Bitboard arrivals = game_->threats(position, position.to_move).destinations;
  if (info.takes_by_arrival) arrivals &= position.enemy();
  if (arrivals == 0 && !checks) return best;
  game::MoveList& legal = legal_[depth];
  game_->legal_moves(position, &legal);
  if (checks && wins_by_check(position, legal)) return kWin;
  const int enemies = std::popcount(position.enemy());
  for (int i = 0; i < legal.size() && best < beta; ++i) {
    const Move move = legal[i];
    if (move.is_pass() || !game::contains(arrivals, move.destination())) continue;
    Position child = position;
    game_->apply(move, &child);
    if (std::popcount(child.side[index(other(position.to_move))]) == enemies) continue;
    best = std::max(best, score_of(child, position.to_move, moves, depth + 1, std::max(alpha, best), beta));
  }
  return best;
}

}  // namespace makzero::mcts
