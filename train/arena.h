// Matches: two players, paired games from varied openings, and what the results say about their strength.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "train/player.h"
#include "train/record.pb.h"

namespace makzero::train {

struct MatchOptions {
  int games = 100;  // Rounded up to even: each opening is played twice with colours exchanged.
  int opening_plies =
      4;  // Random plies per opening; openings that end the game or lose more than two men are drawn anew.
  std::uint64_t seed = 1;  // Fixes openings and players: the same match, whatever the number of threads.
  int threads = 2;
  std::string device = "cpu";  // Of networks.
};

struct MatchScore {
  int games = 0, wins = 0, draws = 0, losses = 0;  // From a's side, by the rules.
  int material_wins = 0, material_draws = 0;       // A drawn game goes to the side with more material.
  double captures_per_game = 0;                    // Hundredths of a man taken off the board / 100.
  double plies_per_game = 0;

  double score() const;  // Wins + draws / 2, per game; 0.5 without games.
  double score_by_material() const;
  double decisive_share() const;  // Games that are won by the rules, per game.
};

// The score of these games from the side of player_a, who must be the same in all of them.
MatchScore score_of(std::span<const MatchRecord> games);

// Elo difference with its 95 % interval: a normal approximation on the variance of whole pairs, since the two
// games of an opening are not independent. Half a game more on either side keeps it finite at 0 % and 100 %.
struct EloEstimate {
  double elo = 0, low = 0, high = 0;
};

// `pair_scores`: the mean result of the two games of each opening from a's side, in [0, 1].
EloEstimate estimate_elo(const std::vector<double>& pair_scores);

struct MatchResult {
  MatchScore score;
  EloEstimate elo;
  std::vector<MatchRecord> games;  // The two games of an opening one after the other; whole pairs only.
};

struct MatchProgress {
  MatchScore score;                    // Of the games that are over.
  int games = 0;                       // Of the whole match.
  double seconds = 0;                  // Since its start.
  std::optional<double> seconds_left;  // Estimated; none before the first game is over.
};

// Plays all games in lockstep, so that networks always evaluate full batches. `progress` is called after
// every game and at least every few plies, by one thread at a time, and returns whether to go on; stopped,
// the finished pairs are the result. Throws models::Error when a player fails. REQUIRES: 2 <= games, 1 <=
// threads.
MatchResult play_match(const game::Game& game, const PlayerSpec& a, const PlayerSpec& b,
                       const MatchOptions& options,
                       const std::function<bool(const MatchProgress&)>& progress);

// {"games":..,"wins":..,"draws":..,"losses":..,"score":..,"score_by_material":..,"elo":..,"elo_low":..,"elo_high":..,
//  "captures_per_game":..,"decisive_share":..,"plies_per_game":..} from a's side, on one line.
std::string match_json(const MatchResult& result);

}  // namespace makzero::train
