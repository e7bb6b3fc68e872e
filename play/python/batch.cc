#include "play/python/batch.h"

#include <algorithm>
#include <utility>

#include "game/notation.h"
#include "play/python/objects.h"

namespace makzero::play {

Batch::Batch(game::GamePtr rules, std::shared_ptr<const nn::Encoder> encoder,
             std::vector<game::Position> starts, std::uint64_t seed)
    : rules_(std::move(rules)), encoder_(std::move(encoder)), starts_(std::move(starts)), rng_(seed) {
  games_.reserve(starts_.size());
  for (const game::Position& start : starts_) games_.emplace_back(*rules_, start);
  moves_.resize(games_.size());
}

game::GameState Batch::game(std::size_t i) const {
  const std::lock_guard lock(mutex_);
  return games_[i];
}

std::string Batch::refusal(std::size_t i, std::int64_t action) const {
  const game::GameState& game = games_[i];
  const std::string where = "game " + std::to_string(i) + " of the batch";
  if (game.over())
    return where + " is over (" + std::string(game::reason_text(game.outcome().reason)) +
           "): reset() begins it anew, action -1 leaves it";
  return where + ": action " + std::to_string(action) + " is no legal move of " +
         game::position_text(*rules_, game.position()) + "; legal_masks() shows which are";
}

std::optional<std::string> Batch::apply(std::span<const std::int64_t> actions, bool reset,
                                        std::span<std::int8_t> results) {
  const std::lock_guard lock(mutex_);
  const game::GameInfo& info = rules_->info();
  for (std::size_t i = 0; i < games_.size(); ++i) {
    const game::GameState& game = games_[i];
    moves_[i].reset();
    if (actions[i] == kNoAction) continue;
    if (!game.over()) moves_[i] = find_action(info, game.position().to_move, game.legal(), actions[i]);
    if (!moves_[i]) return refusal(i, actions[i]);
  }
  for (std::size_t i = 0; i < games_.size(); ++i) {
    if (moves_[i]) games_[i].play(*moves_[i]);
    results[i] = static_cast<std::int8_t>(games_[i].outcome().result);
    if (reset && games_[i].over()) games_[i] = game::GameState(*rules_, starts_[i]);
  }
  return std::nullopt;
}

void Batch::reset(std::span<const bool> chosen) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < games_.size(); ++i) {
    if (chosen.empty() ? games_[i].over() : chosen[i]) games_[i] = game::GameState(*rules_, starts_[i]);
  }
}

void Batch::results(std::int8_t* out) const {
  for_each([=](const game::GameState& game, std::size_t i) {
    out[i] = static_cast<std::int8_t>(game.outcome().result);
  });
}

void Batch::reasons(std::uint8_t* out) const {
  for_each([=](const game::GameState& game, std::size_t i) {
    out[i] = static_cast<std::uint8_t>(game.outcome().reason);
  });
}

void Batch::to_move(std::int8_t* out) const {
  for_each([=](const game::GameState& game, std::size_t i) {
    out[i] = static_cast<std::int8_t>(game.position().to_move);
  });
}

void Batch::plies(std::int32_t* out) const {
  for_each([=](const game::GameState& game, std::size_t i) { out[i] = game.history().size() - 1; });
}

void Batch::count_moves(std::int32_t* out) const {
  for_each(
      [=](const game::GameState& game, std::size_t i) { out[i] = game.over() ? 0 : game.legal().size(); });
}

void Batch::random_actions(std::int32_t* out) {
  for_each([&](const game::GameState& game, std::size_t i) {
    out[i] = kNoAction;
    if (game.over()) return;
    const game::Move move = game.legal()[static_cast<int>(rng_.below(game.legal().size()))];
    out[i] = nn::policy_index(rules_->info(), move, game.position().to_move);
  });
}

void Batch::legal_masks(bool* out) const {
  for_each([&](const game::GameState& game, std::size_t i) {
    bool* row = out + i * game::kPolicySize;
    std::fill_n(row, game::kPolicySize, false);
    if (game.over()) return;
    for (const game::Move move : game.legal())
      row[nn::policy_index(rules_->info(), move, game.position().to_move)] = true;
  });
}

void Batch::planes(float* out) const {
  const std::size_t size = static_cast<std::size_t>(encoder_->plane_count()) * game::kSquares;
  for_each([&](const game::GameState& game, std::size_t i) {
    encoder_->encode(*rules_, game.position(), game.history().occurrences(), out + i * size);
  });
}

}  // namespace makzero::play
