// Ratings beside the loop: the ladder of opponents, match records on disk and the SQLite database made from
// them.
#pragma once

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

// What two players did against each other, from a's side.
struct PairResult {
  std::string a, b;
  double score = 0;  // Wins + draws / 2.
  int games = 0;
};

// Maximum-likelihood Elo of all players of these results (Bradley and Terry 1952), strongest first. A draw is
// half a win and half a loss, `random` stands at 0, a wide normal prior keeps players who lost or won
// everything finite.
std::vector<Rating> fit_ratings(const std::vector<PairResult>& results);

// RUN/matches.mzm holds the truth (append-only records), RUN/ratings.sqlite what is asked of it; the database
// is rebuilt from the records when it is missing, damaged or out of step. One writer; readers of other
// processes may look at any time (WAL). Not thread-safe. Throws models::Error.
class RatingStore {
 public:
  explicit RatingStore(std::filesystem::path run);
  ~RatingStore();

  // Once this returns a killed process does not lose the games.
  void add(const std::vector<MatchRecord>& games);

  // fit_ratings() over all games.
  std::vector<Rating> ratings() const;

  // Results of a pair of players so far, from a's side, whoever was player_a in the records.
  MatchScore score(const std::string& a, const std::string& b) const;

  // Why the database was made anew when the store was opened; empty = it was not.
  const std::string& rebuilt() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The fixed opponents, weakest first: random, greedy, alphabeta:1 .. alphabeta:6, and rollout:N among them.
const std::vector<std::string>& ladder();

// "player  elo  low  high  games", a line per player, for people.
std::string ratings_table(const std::vector<Rating>& ratings);

}  // namespace makzero::train
