// The matches of a run on disk, and a SQLite database made from them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "train/match/match_score.h"
#include "train/rating/elo.h"

namespace makzero::train {

// RUN/matches.mzm holds the truth (append-only records), RUN/ratings.sqlite what is asked of it: the tables
// `matches`, `ratings` and `ratings_by_material`. The database is made anew from the records when it is
// missing, damaged or out of step with them. Other processes may read and write at the same time. One thread
// at a time. Throws models::Error.
class RatingStore {
 public:
  explicit RatingStore(const std::filesystem::path& run);
  ~RatingStore();

  // Once this returns a killed process does not lose the games.
  void add(const std::vector<MatchRecord>& games);

  // fit_ratings() over all games, and what it was made from.
  std::vector<Rating> ratings(Scoring scoring = Scoring::kRules) const;
  std::vector<PairResult> pair_results(Scoring scoring) const;

  // Results of a pair of players so far, from a's side, whoever was player_a in the records.
  MatchScore score(const std::string& a, const std::string& b) const;

  // The results of the newest network that met this opponent; no games where none did.
  MatchScore latest_score(const std::string& opponent) const;

  // Why the database was made anew when the store was opened; empty = it was not.
  const std::string& rebuilt() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// A network of the run and its rating.
struct RatedNetwork {
  std::int64_t generation = 0;
  double elo = 0, low = 0, high = 0;
};

// A player of the ladder and its rating.
struct RatedPlayer {
  std::string player;
  double elo = 0, low = 0, high = 0;
};

// The other players that RUN/ratings.sqlite rates, weakest first; as read_rated_networks().
std::vector<RatedPlayer> read_rated_opponents(const std::filesystem::path& run);

// The networks that RUN/ratings.sqlite rates, by generation; none where it is missing. For those who watch a
// run: it is not made anew and nothing is locked for long. Throws models::Error.
std::vector<RatedNetwork> read_rated_networks(const std::filesystem::path& run);

}  // namespace makzero::train
