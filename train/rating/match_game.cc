#include "train/rating/match_game.h"

#include <algorithm>

#include "game/notation.h"
#include "mcts/rng.h"

namespace makzero::train {

using game::Color;
using game::Move;

std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t part) {
  return mcts::Rng(seed ^ mcts::Rng(part).next()).next();
}

MatchGame::MatchGame(const game::Game& game, int number, std::uint64_t seed, const MatchOpening& opening)
    : game_(game),
      number_(number),
      seed_(seed),
      start_(opening.start),
      opening_plies_(static_cast<int>(opening.moves.size())),
      position_(start_),
      history_(position_) {
  game_.legal_moves(position_, &legal_);
  for (const Move move : opening.moves) play(move);
}

void MatchGame::play(Move move) {
  const Color enemy = other(position_.to_move);
  const int before = material(game_.info(), position_, enemy);
  game_.apply(move, &position_);
  captured_ += std::max(0, before - material(game_.info(), position_, enemy));
  const int lead = material_lead(game_.info(), position_);
  white_lead_ = std::max(white_lead_, lead);
  black_lead_ = std::max(black_lead_, -lead);
  moves_.push_back(move);
  history_.push(position_);
  game_.legal_moves(position_, &legal_);
  outcome_ = game_.outcome(position_, !legal_.empty(), history_.occurrences());
}

MatchRecord MatchGame::record() const {
  MatchRecord record;
  record.set_ruleset(game_.info().ruleset);
  if (start_ != game_.initial()) record.set_start(position_text(game_, start_));
  record.set_opening_plies(opening_plies_);
  record.set_a_is_white(a_is_white());
  record.set_result(static_cast<std::uint32_t>(outcome_.result));
  record.set_reason(static_cast<std::uint32_t>(outcome_.reason));
  record.set_final_material(material_lead(game_.info(), position_));
  record.set_captured(captured_);
  record.set_white_lead(white_lead_);
  record.set_black_lead(black_lead_);
  for (const Move move : moves_) record.add_moves(move.bits());
  record.set_seed(seed_);
  return record;
}

}  // namespace makzero::train
