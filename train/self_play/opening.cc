#include "train/self_play/opening.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace makzero::train {
namespace {

constexpr int kTries = 100;          // Far more than any game needs; then the plain start.
constexpr int kWanderingPlies = 60;  // After them few pieces stand anywhere, and pawns have been promoted.

void take_off(game::Square square, game::Position* position) {
  const game::Bitboard rest = ~game::bit(square);
  for (game::Bitboard& side : position->side) side &= rest;
  for (game::Bitboard& kind : position->kind) kind &= rest;
}

// Takes `count` random pieces of a side off the board, but no king and not the last piece (the hunter).
void take_off_random(const game::GameInfo& info, game::Color side, int count, mcts::Rng* rng,
                     game::Position* position) {
  const game::Bitboard& all = position->side[game::index(side)];
  game::Bitboard pieces = all & ~game::kings(info, *position);
  for (; count > 0 && pieces && game::size(all) > 1; --count) {
    game::Bitboard rest = pieces;
    for (auto skip = rng->below(game::size(pieces)); skip > 0; --skip) game::pop_first(&rest);
    take_off(game::first_square(rest), position);
    pieces &= ~game::bit(game::first_square(rest));
  }
}

// Plays random moves, none that ends the game, and forgets every count and obligation. A piece that was taken
// off may have left its right to a first move behind.
void wander(const game::Game& game, mcts::Rng* rng, game::Position* position) {
  position->rights = 0;
  game::MoveList legal;
  for (int ply = 0; ply < kWanderingPlies; ++ply) {
    game.legal_moves(*position, &legal);
    if (legal.empty()) break;
    game::Position next = *position;
    game.apply(legal[static_cast<int>(rng->below(legal.size()))], &next);
    if (game::outcome_of(game, next).over()) continue;
    *position = next;
  }
  position->count_limit = position->count = position->no_progress_plies = 0;
  position->ply = position->first_ply = 0;
  position->counter = game::Counter::kNobody;
  position->obliged[0] = position->obliged[1] = 0;
}

game::Position sample_start(const game::Game& game, const OpeningConfig& config, mcts::Rng* rng) {
  game::Position position = game.initial();
  const game::GameInfo& info = game.info();
  const bool ending = config.endgame_share() > 0 && rng->uniform() < config.endgame_share();
  if (ending && info.has_hands) wander(game, rng, &position);  // Until then the pieces are not on the board.
  if (ending || rng->uniform() < config.reduced_material_share()) {
    // Both sides lose about as many; to an ending all but one of their pieces, else three quarters.
    const int pieces = game::size(position.side[0]);
    const int most = ending ? pieces - 1 : pieces * 3 / 4;
    const int count = static_cast<int>(rng->below(most + 1));
    for (const game::Color side : {game::Color::kWhite, game::Color::kBlack})
      take_off_random(info, side, count + static_cast<int>(rng->below(2)), rng, &position);
  }
  if (ending) wander(game, rng, &position);
  if (rng->uniform() < config.odds_share()) {
    const auto side = rng->below(2) ? game::Color::kWhite : game::Color::kBlack;
    take_off_random(info, side, 1 + static_cast<int>(rng->below(config.odds_pieces())), rng, &position);
  }
  return position;
}

// Plays random plies; false when the game ended on the way.
bool play_random(const game::Game& game, int plies, mcts::Rng* rng, Opening* opening) {
  game::GameState state(game, opening->start);
  opening->moves = state.random_playout(plies, rng);
  return !state.over();
}

bool ends_game(game::GameState state, game::Move move) {
  state.play(move);
  return state.over();
}

// REQUIRES: there are moves.
size_t sample_by_prior(const std::vector<mcts::RootMove>& moves, float temperature, mcts::Rng* rng) {
  const auto by_prior = [](const mcts::RootMove& a, const mcts::RootMove& b) { return a.prior < b.prior; };
  const float largest = std::max_element(moves.begin(), moves.end(), by_prior)->prior;
  if (largest <= 0) return rng->below(moves.size());
  std::vector<double> weights;
  double sum = 0;
  for (const mcts::RootMove& move : moves)
    sum += weights.emplace_back(std::pow(move.prior / largest, 1 / temperature));
  double rest = sum * rng->uniform();
  size_t last = 0;  // With a weight: rounding may leave a rest.
  for (size_t i = 0; i < weights.size() && rest >= 0; ++i) {
    if (weights[i] > 0) last = i;
    rest -= weights[i];
  }
  return last;
}

}  // namespace

Opening sample_opening(const game::Game& game, const OpeningConfig& config, mcts::Rng* rng) {
  const bool by_policy = config.policy_share() > 0 && rng->uniform() < config.policy_share();
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Opening opening{sample_start(game, config, rng), {}};
    std::vector<std::string> reasons;
    game.check(opening.start, &reasons);
    const int plies = static_cast<int>(rng->below(config.random_plies() + 1));
    opening.policy_plies = by_policy ? plies : 0;
    if (reasons.empty() && play_random(game, plies - opening.policy_plies, rng, &opening)) return opening;
  }
  return {game.initial(), {}};
}

std::optional<game::Move> sample_opening_move(const game::GameState& state, std::vector<mcts::RootMove> moves,
                                              float temperature, mcts::Rng* rng) {
  while (!moves.empty()) {
    const size_t sampled = sample_by_prior(moves, temperature, rng);
    if (!ends_game(state, moves[sampled].move)) return moves[sampled].move;
    moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(sampled));
  }
  return std::nullopt;
}

}  // namespace makzero::train
