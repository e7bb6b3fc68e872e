// The games of a run: which rules each game of self-play has, and which finished ones it may fork from.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "game/game.h"
#include "mcts/endings/endings.h"
#include "mcts/rng.h"
#include "models/manifest.pb.h"
#include "train/config.pb.h"
#include "train/self_play/fork_pool.h"

namespace makzero::train {

// Thread-safe.
class GamePool {
 public:
  // REQUIRES: there are games.
  GamePool(std::vector<game::GamePtr> games, const RulesetConfig& config);

  // In the order given; the index of a game is that in this list.
  std::span<const game::GamePtr> games() const { return games_; }
  int size() const { return static_cast<int>(games_.size()); }

  // The rules of a new game of self-play: of two random games the one with fewer rows so far, so that all
  // have equal rows, and of its rulesets one as configured.
  game::GamePtr sample_rules(mcts::Rng* rng);

  // The rules that a record names; equal texts share one object as long as it is in use. Throws
  // models::Error where there are no such rules.
  game::GamePtr rules_of(const std::string& ruleset);

  // Endings of these rules that are installed, kept as long as the pool; null where there are none. Throws
  // models::Error where there are no such rules.
  const mcts::Endings* endings_of(const std::string& ruleset);

  // The game that a ruleset belongs to: itself, or the one of that name, or of that game; 0 where none is.
  int index_of(const std::string& ruleset) const;

  // So many rows of this game were played.
  void count_rows(int game, std::int64_t rows);

  ForkPool& forks() { return forks_; }

 private:
  int sample_game(mcts::Rng* rng);
  game::GamePtr with_material_result(const game::GamePtr& rules);

  std::vector<game::GamePtr> games_;
  RulesetConfig config_;
  ForkPool forks_;
  std::mutex mutex_;  // Of all that follows.
  std::vector<std::int64_t> rows_;
  std::map<std::string, std::weak_ptr<const game::Game>> known_;  // By the text of the ruleset.

  // Endings with their rules, by the same.
  std::map<std::string, std::pair<game::GamePtr, std::shared_ptr<const mcts::Endings>>> endings_;
};

// Names the games of the pool as those that a network was trained on.
void set_games_trained(const GamePool& pool, models::Manifest* manifest);

}  // namespace makzero::train
