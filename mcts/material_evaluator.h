// Evaluator before there is a trained network: counts material after every move, captures played out.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "game/game.h"
#include "mcts/evaluator.h"

namespace makzero::mcts {

struct MaterialOptions {
  int capture_plies = 4;  // Captures are followed so far behind each move.

  // Hundredths of a man per legal move that the enemy lacks: finishes won games.
  int mobility_weight = 1;

  // Hundredths of a man for each step that a bare king is driven off the middle of the board, and twice that
  // for each step that the other king comes nearer: mates with few pieces.
  int drive_weight = 10;

  float lead_scale = 400;  // Lead in hundredths of a man at which the value is tanh(1) = 0.76.
  float prior_scale = 40;  // A move that is so many hundredths of a man better is e times as likely.
  float moves_left = 50;   // Plies: what it says of every position that is not decided by a move.
};

// The value of a position is that of its best move, of a move that of the position after it when both sides
// take what pays (quiescence search) or win by a check, in hundredths of a man or pawn. Knows neither
// repetition nor plans: a search with it sees tactics, far cheaper than with a network. Not thread-safe.
class MaterialEvaluator : public Evaluator {
 public:
  explicit MaterialEvaluator(const MaterialOptions& options = {});

  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override;

 private:
  // Whether one of the legal moves is a check that mates, or wins as such: only where kings are taken by
  // arrival.
  bool wins_by_check(const game::Position& position, const game::MoveList& legal) const;

  // For the side to move, whose enemy had `enemy_moves` legal moves: at least alpha and at most beta are
  // exact.
  int quiesce(const game::Position& position, int enemy_moves, int depth, int alpha, int beta);

  // The same for `mover`, who came to `child` by one of the `moves` that he had.
  int score_of(const game::Position& child, game::Color mover, int moves, int depth, int alpha, int beta);

  void evaluate_one(const EvalRequest& request, Evaluation* evaluation);

  MaterialOptions options_;
  const game::Game* game_ = nullptr;   // Of the running evaluation.
  std::vector<game::MoveList> legal_;  // Working memory; index: plies behind the move.
};

}  // namespace makzero::mcts
