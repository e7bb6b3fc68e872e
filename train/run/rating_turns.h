// Ratings beside a run: the networks of its games take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "train/config.pb.h"
#include "train/rating/rater.h"
#include "train/run/metrics.h"
#include "train/run_folder.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// What a turn found.
struct RatedTurn {
  std::string ruleset;
  bool is_small = false;   // Of the small network.
  bool is_beside = false;  // It has a tower beside it.
  NetworkRating found = {};
};

// Where a run has a tower its small networks have matches of their own, on the same ladder. Not thread-safe.
// Pool and configuration must outlive it. Throws models::Error.
class RatingTurns {
 public:
  RatingTurns(const GamePool& pool, const Config& config, const RunPaths& paths, int threads);

  // Whether the next turn fits into the share of `session_seconds` that ratings may take.
  bool is_due(double session_seconds) const;

  // Whether the towers, or in a run without them the small networks, beat this player of the ladder in every
  // game.
  bool has_passed(const std::string& opponent) const;

  // Plays the match of the network whose turn it is. `begin` is told what will be played, `progress` games
  // played and in all after every game. None when it was stopped before a pair of games was over.
  std::optional<RatedTurn> rate(std::int64_t generation, const std::stop_token& stop,
                                const std::function<void(const std::string& what)>& begin,
                                const std::function<void(int played, int games)>& progress);

  // Of several games the mean of their newest ratings. `beside`: of the small networks beside towers.
  EloFigures mean(bool beside, std::int64_t generation) const;

 private:
  struct Turn {
    std::string ruleset;
    bool is_small, is_beside;
    std::unique_ptr<Rater> rater;
    std::optional<Rating> rated = {};  // The last.
  };
  std::string text_of(const Turn& turn, const models::PlayerSpec& opponent) const;

  const Config& config_;
  std::vector<Turn> turns_;
  std::size_t next_ = 0;  // Of them.
};

}  // namespace makzero::train
