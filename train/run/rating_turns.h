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
#include "train/run/goal.h"
#include "train/run/metrics.h"
#include "train/run_folder.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// What a turn found.
struct RatedTurn {
  std::string ruleset;
  bool is_small = false;     // Of the small network.
  bool is_beside = false;    // It has a tower beside it.
  NetworkRating found = {};  // Without a rating where it met the goal of the run.
  std::string verdict = {};  // Of that meeting.
};

// Where a run has a tower its small networks have matches of their own, on the same ladder. The goal of the
// run, if it has one, is met by the networks that people play against: the small ones, if there are some.
// Not thread-safe.
// Pool and configuration must outlive it. Throws models::Error.
class RatingTurns {
 public:
  // `until`: the goal, a player as parse_player() reads it; empty: none.
  RatingTurns(const GamePool& pool, const Config& config, const RunPaths& paths, const std::string& until,
              int threads);

  // Whether the next turn fits into the share of `session_seconds` that ratings may take.
  bool is_due(std::int64_t generation, double session_seconds);

  // In every game; false without a goal.
  bool has_reached_goal() const;

  // What came of it, a line a game.
  std::vector<std::string> verdicts() const;

  // Plays the match of the network whose turn it is. `begin` gets what will be played, `progress` games
  // played and in all after every game. None when it was stopped before a pair of games was over.
  std::optional<RatedTurn> rate(std::int64_t generation, const std::stop_token& stop,
                                const std::function<void(const std::string& what)>& begin,
                                const std::function<void(int played, int games)>& progress);

  // Of several games the mean of their newest ratings. `beside`: of the small networks beside towers.
  EloFigures mean(bool beside, std::int64_t generation) const;

 private:
  // Of a network: a match on the ladder or, where it has the goal, one against that.
  struct Turn {
    std::string ruleset;
    bool is_small, is_beside;
    Rater* rater;
    std::unique_ptr<Goal> goal = {};
    std::int64_t met = -1;             // The generation that met the goal last.
    std::optional<Rating> rated = {};  // On the ladder, the last.
  };
  std::string text_of(const Turn& turn, const models::PlayerSpec& opponent) const;

  const Config& config_;
  std::vector<std::unique_ptr<Rater>> raters_;
  std::vector<Turn> turns_;
  std::size_t next_ = 0;  // Of them.
};

}  // namespace makzero::train
