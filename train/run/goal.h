// Goal of a run: an opponent that its newest network is to beat.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "game/game.h"
#include "models/player/player_spec.h"
#include "train/config.pb.h"
#include "train/match/match_score.h"
#include "train/rating/rater.h"
#include "train/rating/rating.h"

namespace makzero::train {

// Decided by a sequential test of 0 against 50 Elo: by the rules in the chess family; in the others, where
// careful play draws most games, by material. Not thread-safe. Game and configuration must outlive it. Throws
// models::Error.
class Goal {
 public:
  // `store` holds its matches. An opponent that searches without a limit of its own gets 10 ms a move.
  Goal(const game::Game& game, const Config& config, models::PlayerSpec opponent,
       const std::filesystem::path& store, int threads);

  const models::PlayerSpec& opponent() const { return opponent_; }

  // The newest match on record says so.
  bool is_reached() const;

  // The same in words: "control?ms=10 is beaten: 68.2 % by the rules, +132 Elo (+41 to +240), 22 games".
  std::string verdict() const;

  // Whether another match like the last fits into rating.time_share of `session_seconds`.
  bool is_due(double session_seconds) const;

  // A match of a network, which has the opponent's time or nodes; ends as soon as it is decided. `progress`
  // is called after every game with games played and in all.
  MatchScore play(models::PlayerSpec network, std::uint64_t seed, const std::stop_token& stop,
                  const std::function<void(int played, int games)>& progress);

 private:
  std::vector<double> pair_scores() const;  // Of the newest match.

  const game::Game& game_;
  const Config& config_;
  models::PlayerSpec opponent_;
  RatingStore store_;
  int threads_;
  SequentialTest test_;
  MatchTime time_;
};

}  // namespace makzero::train
