#include "train/match/match_game.h"

#include <algorithm>

#include "game/notation.h"
#include "mcts/rng.h"

namespace makzero::train {

using game::Color;
using game::Move;

std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t part) {
  return mcts::Rng(seed ^ mcts::Rng(part).next()).next();
}

MatchGame::MatchGame(const game::Game& game, int number, std::uint64_t seed, const MatchOpening& opening,
                     bool adjudicates)
    : game_(game),
      number_(number),
      seed_(seed),
      start_(opening.start),
      opening_plies_(static_cast<int>(opening.moves.size())),
      state_(game, opening.start) {
  for (const Move move : opening.moves) play_move(move);
  if (adjudicates) adjudicator_.emplace();
}

void MatchGame::play(const Choice& choice) {
  if (adjudicator_ && choice.expected) {
    const int ply = static_cast<int>(moves_.size());
    const auto outcome = adjudicator_->add(state_.position().to_move, *choice.expected, ply);
    if (outcome) adjudicated_ = *outcome;
  }
  play_move(choice.move);
}

void MatchGame::play_move(Move move) {
  const Color enemy = other(state_.position().to_move);
  const int before = material(game_.info(), state_.position(), enemy);
  state_.play(move);
  captured_ += std::max(0, before - material(game_.info(), state_.position(), enemy));
  const int lead = material_lead(game_.info(), state_.position());
  white_lead_ = std::max(white_lead_, lead);
  black_lead_ = std::max(black_lead_, -lead);
  moves_.push_back(move);
}

MatchRecord MatchGame::record() const {
  MatchRecord record;
  record.set_ruleset(game_.info().ruleset);
  if (start_ != game_.initial()) record.set_start(position_text(game_, start_));
  record.set_opening_plies(opening_plies_);
  record.set_a_is_white(a_is_white());
  record.set_result(static_cast<std::uint32_t>(outcome().result));
  record.set_reason(static_cast<std::uint32_t>(outcome().reason));
  record.set_final_material(material_lead(game_.info(), state_.position()));
  record.set_initial_material(material_lead(game_.info(), game_.initial()));
  record.set_captured(captured_);
  record.set_white_lead(white_lead_);
  record.set_black_lead(black_lead_);
  for (const Move move : moves_) record.add_moves(move.bits());
  record.set_seed(seed_);
  return record;
}

}  // namespace makzero::train
