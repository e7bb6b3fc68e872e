#include "train/self_play/game_pool.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "game/catalog.h"
#include "models/endings_file.h"
#include "models/error.h"
#include "train/self_play/ruleset_sampler.h"

namespace makzero::train {
namespace {

constexpr size_t kMostKnown = 4096;  // Texts of rulesets, before unused ones are dropped.

}  // namespace

GamePool::GamePool(std::vector<game::GamePtr> games, const RulesetConfig& config)
    : games_(std::move(games)), config_(config), rows_(games_.size()) {
  assert(!games_.empty());
}

game::GamePtr GamePool::sample_rules(mcts::Rng* rng) {
  const game::GamePtr& game = games_[sample_game(rng)];
  const float share = config_.sampled() ? config_.sampled_share() : 0;
  const bool sampled = share == 1 || (share > 0 && rng->uniform() < share);
  game::GamePtr rules = sampled ? rules_of(sample_ruleset(game->info().ruleset, rng)) : game;
  const bool by_material = rng->uniform() < config_.material_result_share();
  return by_material ? with_material_result(rules) : rules;
}

int GamePool::sample_game(mcts::Rng* rng) {
  const auto one = static_cast<int>(rng->below(games_.size()));
  const auto other = static_cast<int>(rng->below(games_.size()));
  const std::lock_guard lock(mutex_);
  return rows_[other] < rows_[one] ? other : one;
}

game::GamePtr GamePool::with_material_result(const game::GamePtr& rules) {
  const std::string text = game::material_result_ruleset(rules->info());
  if (text.empty()) return rules;
  game::GamePtr by_material = rules_of(text);
  return held_out(by_material->info().ruleset) ? rules : by_material;
}

game::GamePtr GamePool::rules_of(const std::string& ruleset) {
  const std::lock_guard lock(mutex_);
  for (const game::GamePtr& game : games_) {
    if (game->info().ruleset == ruleset) return game;
  }
  if (known_.size() > kMostKnown)
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const game::Game>& known = known_[ruleset];
  if (game::GamePtr rules = known.lock()) return rules;
  const game::Parsed<game::GamePtr> made = game::make_game(ruleset);
  if (!made) throw models::Error("ruleset '" + ruleset + "': " + made.why());
  known = *made;
  return *made;
}

const mcts::Endings* GamePool::endings_of(const std::string& ruleset) {
  const game::GamePtr rules = rules_of(ruleset);
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = endings_.try_emplace(ruleset, rules, nullptr);
  if (is_new) entry->second.second = models::installed_endings(*rules);
  return entry->second.second.get();
}

int GamePool::index_of(const std::string& ruleset) const {
  const auto find = [&](auto same) {
    const auto found = std::find_if(games_.begin(), games_.end(),
                                    [&](const game::GamePtr& game) { return same(game->info().ruleset); });
    return found == games_.end() ? -1 : static_cast<int>(found - games_.begin());
  };
  int index = find([&](const std::string& own) { return own == ruleset; });
  if (index < 0)
    index =
        find([&](const std::string& own) { return game::ruleset_name(own) == game::ruleset_name(ruleset); });
  if (index < 0)
    index = find([&](const std::string& own) { return game::game_of(own) == game::game_of(ruleset); });
  return std::max(index, 0);
}

void GamePool::count_rows(int game, std::int64_t rows) {
  const std::lock_guard lock(mutex_);
  rows_[game] += rows;
}

void set_games_trained(const GamePool& pool, models::Manifest* manifest) {
  manifest->clear_games_trained();
  for (const game::GamePtr& game : pool.games()) manifest->add_games_trained(game->info().ruleset);
}

}  // namespace makzero::train
