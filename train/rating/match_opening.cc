#include "train/rating/match_opening.h"

#include <cstdlib>
#include <string>

#include "game/history.h"
#include "mcts/rng.h"
#include "models/error.h"

namespace makzero::train {

namespace {

constexpr int kDraws = 1000;
constexpr int kLargestGain = 200;  // Hundredths of a man.

// Plays random moves; false when the game ends on the way or a side has gained too much at the end.
bool play_random_moves(const game::Game& game, int plies, mcts::Rng* rng, std::vector<game::Move>* moves) {
  game::Position position = game.initial();
  game::History history(position);
  game::MoveList legal;
  game.legal_moves(position, &legal);
  for (int ply = 0; ply < plies; ++ply) {
    const game::Move move = legal[static_cast<int>(rng->below(legal.size()))];
    moves->push_back(move);
    game.apply(move, &position);
    history.push(position);
    game.legal_moves(position, &legal);
    if (game.outcome(position, !legal.empty(), history.occurrences()).over()) return false;
  }
  const int gained = material_lead(game.info(), position) - material_lead(game.info(), game.initial());
  return std::abs(gained) <= kLargestGain;
}

}  // namespace

std::vector<game::Move> draw_match_opening(const game::Game& game, int plies, std::uint64_t seed) {
  mcts::Rng rng(seed);
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<game::Move> moves;
    if (play_random_moves(game, plies, &rng, &moves)) return moves;
  }
  throw models::Error("no opening of " + std::to_string(plies) + " random plies leaves " +
                      game.info().ruleset + " undecided; ask for fewer opening plies");
}

}  // namespace makzero::train
