// Ratings beside the loop: the ladder of opponents, match records on disk and the SQLite database made from
// them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "train/arena.h"

namespace makzero::train {

struct Rating {
  std::string player;
  double elo = 0, low = 0, high = 0;  // random = 0; 95 % interval.
  int games = 0;
};

// RUN/matches.mzm holds the truth (append-only records), RUN/ratings.sqlite what is asked of it; the database
// is rebuilt from the records when it is missing or damaged. One writer; readers of other processes may look
// at any time (WAL).
class RatingStore {
 public:
  explicit RatingStore(std::filesystem::path run);
  ~RatingStore();

  void add(const std::vector<MatchRecord>& games);

  // Maximum-likelihood Elo over all games, draws as half, random anchored at 0.
  std::vector<Rating> ratings() const;

  // Results of a pair of players so far, from a's side.
  MatchScore score(const std::string& a, const std::string& b) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The fixed opponents, weakest first: random, greedy, alphabeta:1 .. alphabeta:6, rollout:N.
const std::vector<std::string>& ladder();

}  // namespace makzero::train
