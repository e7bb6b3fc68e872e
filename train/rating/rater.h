// Rates the run's networks beside the loop: who plays whom, and how much time it may take.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/player/player_spec.h"
#include "models/store.h"
#include "train/config.pb.h"
#include "train/match/arena.h"
#include "train/rating/elo.h"
#include "train/rating/rating.h"

namespace makzero::train {

// What a rating found.
struct NetworkRating {
  std::string opponent;                    // Its name.
  MatchScore score;                        // Of this match, from the network's side.
  Rating rating = {};                      // Over all matches of the run.
  bool is_best = false;                    // From now on.
  std::optional<double> behind_best = {};  // Elo, where it is surely weaker than the best by 50 or more.
};

// Wall clock of matches beside a run, which have a share of it.
struct MatchTime {
  double all = 0, last = 0;  // Seconds.

  void add(double seconds) { all += last = seconds; }

  // Whether another match like the last fits into the share of `session_seconds`.
  bool has_room(const RatingConfig& config, double session_seconds) const {
    return all + last < config.time_share() * session_seconds;
  }
};

// Options of matches beside a run.
MatchOptions rating_options(const Config& config, int threads);

// Climbs the ladder from where the matches on record ended. Not thread-safe. Game and configuration must
// outlive it.
class Rater {
 public:
  // Which network of the checkpoints.
  enum class Rated : std::uint8_t { kTower, kSmall };

  // `run` holds the checkpoints, `store` the matches of this game and kind of network. `notes_best`: its best
  // network is that of the run.
  Rater(const game::Game& game, const Config& config, const std::filesystem::path& run,
        const std::filesystem::path& store, int threads, Rated rated = Rated::kTower, bool notes_best = true);

  // Whether another match like the last fits into the share of `session_seconds` that ratings may take.
  bool is_due(double session_seconds) const;

  // The player that the network of this generation meets next: a rung of the ladder near its strength, every
  // third time the best network so far. Throws models::Error where that one's checkpoint is gone.
  models::PlayerSpec next_opponent(std::int64_t generation) const;

  // Plays the match of a checkpoint with its next opponent, and before it what the ladder lacks: its players
  // rated against each other, so that every network's Elo is counted from `random`. Against the best network
  // a sequential test decides which of the two is the best from now on; other matches do where the interval
  // of its rating lies above that one's rating, if that one has met somebody in this game. The first best is
  // the highest of the first three rated.
  // `progress` is called after every game with games played and in all. None when it was stopped before a
  // pair of games was over. Throws models::Error.
  std::optional<NetworkRating> rate(std::int64_t generation, const models::PlayerSpec& opponent,
                                    const std::stop_token& stop,
                                    const std::function<void(int played, int games)>& progress);

  // A network of the run as a player: what is rated is what it has learnt itself.
  models::PlayerSpec network_of(std::int64_t generation) const;

 private:
  // Plays `games` and stores them.
  MatchResult play(const models::PlayerSpec& a, const models::PlayerSpec& b, int games, std::uint64_t seed,
                   const std::optional<SequentialTest>& test, const std::stop_token& stop,
                   const std::function<void(int, int)>& progress);
  bool is_best(const models::PlayerSpec& player) const;
  bool knows_best() const { return notes_best_ && checkpoints_.has_best(); }
  bool take_best(const Rating& newest, const std::vector<Rating>& ratings);  // Of all, strongest first.
  void link_ladder(const std::stop_token& stop, const std::function<void(int, int)>& progress);
  void climb(const MatchScore& score);

  const game::Game& game_;
  const Config& config_;
  models::CheckpointStore checkpoints_;
  int threads_;
  Rated rated_;
  bool notes_best_;
  RatingStore store_;
  MatchTime time_;
  int matches_ = 0;
  std::vector<models::PlayerSpec> ladder_;  // From weak to strong.
  size_t rung_ = 0;                         // Of the ladder: the first that is not passed.
};

}  // namespace makzero::train
