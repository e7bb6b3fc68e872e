#include "mcts/rollout_evaluator.h"

#include <cassert>

namespace makzero::mcts {
namespace {

game::Result result_by_material(const game::Game& game, const game::Position& position) {
  const int lead = game::material_lead(game.info(), position);
  if (lead == 0) return game::Result::kDraw;
  return win_of(lead > 0 ? game::Color::kWhite : game::Color::kBlack);
}

struct Playout {
  game::Result result;
  int plies;
};

// Repetition is left out: a random game that long is decided by material in any case.
Playout play_out(const game::Game& game, game::Position position, int max_plies, Rng* rng) {
  game::MoveList legal;
  for (int plies = 0; plies < max_plies; ++plies) {
    game.legal_moves(position, &legal);
    const game::Outcome outcome = game.outcome(position, !legal.empty(), 1);
    if (outcome.over()) return {outcome.result, plies};
    game.apply(legal[static_cast<int>(rng->below(legal.size()))], &position);
  }
  return {result_by_material(game, position), max_plies};
}

}  // namespace

RolloutEvaluator::RolloutEvaluator(const RolloutOptions& options, std::uint64_t seed)
    : options_(options), rng_(seed) {}

void RolloutEvaluator::evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
  assert(requests.size() == evaluations.size() && options_.rollouts > 0);
  for (size_t i = 0; i < requests.size(); ++i) {
    const game::Position& position = *requests[i].position;
    int white = 0, black = 0, plies = 0;
    for (int game = 0; game < options_.rollouts; ++game) {
      const Playout playout = play_out(*requests[i].game, position, options_.max_plies, &rng_);
      plies += playout.plies;
      white += playout.result == game::Result::kWhiteWins;
      black += playout.result == game::Result::kBlackWins;
    }
    const int moves = requests[i].legal->size();
    const int draws = options_.rollouts - white - black;
    const auto share = [this](int count) {
      return static_cast<float>(count) / static_cast<float>(options_.rollouts);
    };
    evaluations[i].value = to_mover({share(white), share(draws), share(black)}, position.to_move);
    evaluations[i].moves_left = share(plies);
    evaluations[i].priors.assign(moves, 1.0f / static_cast<float>(moves));
  }
}

}  // namespace makzero::mcts
