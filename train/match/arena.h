// Matches: two players and paired games from varied openings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/player/player_spec.h"
#include "nn/backend.h"
#include "train/match/match_opening.h"
#include "train/match/match_score.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

struct MatchResult;

struct MatchOptions {
  int games = 100;           // Rounded up to even: each opening is played twice with colours exchanged.
  int opening_plies = 4;     // Random plies per opening (see match_opening.h).
  std::uint64_t seed = 1;    // Fixes openings and players: the same match, whatever the number of threads.
  int first_pair = 0;        // Of a longer match, of which this is a part: of its openings and seeds.
  int threads = 2;           // Of a CPU; with a card one drives all games.
  nn::Backend backend = {};  // Of networks.
  // Ends the match as soon as it is decided; its games are adjudicated, see Adjudicator.
  std::optional<SequentialTest> test = {};
  bool played_out = false;                  // The test's games are not adjudicated.
  std::vector<MatchOpening> openings = {};  // Instead of random ones; more pairs than these repeat them.
  std::stop_token stop = {};                // Ends it early: the finished pairs are the result.
  // Called with the finished pairs where a player has failed, before the error is thrown.
  std::function<void(const MatchResult&)> on_failure = {};
};

struct MatchResult {
  MatchScore score;
  EloEstimate elo;
  std::optional<SequentialState> test;  // Where one was asked for.
  std::vector<MatchRecord> games;       // The two games of an opening one after the other; whole pairs only.
  // Milliseconds of processor time per move; none where the player made none.
  std::optional<double> ms_per_move_a, ms_per_move_b;
};

struct MatchProgress {
  MatchScore score;                     // Of the games that are over.
  int games = 0;                        // Of the whole match.
  std::optional<SequentialState> test;  // Where one was asked for.
  double seconds = 0;                   // Since its start.
  std::optional<double> seconds_left;   // Estimated; none before the first game is over.
};

// Plays many games in lockstep, so that networks evaluate full batches; where a player has a time per move or
// is a UCI engine, each thread plays one game after the other. `progress` is called after every game and some
// ten times a second, by one thread at a time. Throws models::Error when a player fails. REQUIRES: games,
// threads >= 1; opening_plies >= 0.
MatchResult play_match(const game::Game& game, const models::PlayerSpec& a, const models::PlayerSpec& b,
                       const MatchOptions& options,
                       const std::function<void(const MatchProgress&)>& progress);

// {"games":..,"wins":..,"draws":..,"losses":..,"score":..,"score_by_material":..,"score_by_pairs":..,"elo":..,
//  "elo_low":..,"elo_high":..,"captures_per_game":..,"decisive_share":..,"plies_per_game":..,"ms_per_move_a":..,
//  "ms_per_move_b":..,"reasons":{"checkmate":26,..}} from a's side, on one line; null where no game was
//  played.
std::string match_json(const MatchResult& result);

}  // namespace makzero::train
