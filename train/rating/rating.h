// The matches of a run on disk, and the ratings that follow from them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "train/match/match_score.h"
#include "train/rating/elo.h"

namespace makzero::train {

// RUN/matches.mzm: append-only records, from which everything else is computed when it is asked for. Reading
// changes nothing. Other processes may read and write at the same time. One thread at a time. Throws
// models::Error.
class RatingStore {
 public:
  explicit RatingStore(const std::filesystem::path& run);

  // Once this returns a killed process does not lose the games. In a folder that cannot be written they are
  // counted, not kept.
  void add(const std::vector<MatchRecord>& games);
  bool keeps() const;

  // fit_ratings() over all games, and what it is made from.
  std::vector<Rating> ratings(Scoring scoring = Scoring::kRules) const;
  std::vector<PairResult> pair_results(Scoring scoring) const;

  // Results of a pair of players so far, from a's side, whoever was player_a in the records.
  MatchScore score(const std::string& a, const std::string& b) const;

  // The results of the newest network that met this opponent; no games where none did.
  MatchScore latest_score(const std::string& opponent) const;
  std::vector<GameResult> latest_games(const std::string& opponent) const;

  // The generation of every network of the run that has played, by its name as a player.
  const std::map<std::string, std::int64_t>& generations() const;

 private:
  using Pair = std::pair<std::string, std::string>;  // player_a, player_b.

  void read() const;  // Where the file has another size than before.
  void count(const MatchRecord& game) const;
  std::vector<GameResult> games_of(const Pair& pair) const;

  std::filesystem::path path_;
  mutable std::uint64_t bytes_ = 0;
  mutable std::map<Pair, std::vector<GameResult>> games_;  // In the order in which they were played.
  mutable std::map<std::string, std::int64_t> generations_;
  mutable std::map<std::string, std::string> newest_;  // The newest network that met a player.
};

struct RatedNetwork {
  std::int64_t generation = 0;
  double elo = 0, low = 0, high = 0;
};

struct RatedPlayer {
  std::string player;
  double elo = 0, low = 0, high = 0;
};

// The rated networks of a run, by generation, and the other players, weakest first.
struct RunRatings {
  std::vector<RatedNetwork> networks;
  std::vector<RatedPlayer> opponents;
};
RunRatings read_ratings(const std::filesystem::path& run);  // Throws models::Error.

// Folders of a run with matches: itself, ratings/GAME, ratings/small/GAME, ratings/until/GAME; itself where
// there are none.
std::vector<std::filesystem::path> match_folders(const std::filesystem::path& run);

}  // namespace makzero::train
