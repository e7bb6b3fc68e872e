// Matches: two players, paired games from varied openings, and what the results say about their strength.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "game/game.h"
#include "game/parsed.h"
#include "train/record.pb.h"

namespace makzero::train {

// Who plays: random, greedy, alphabeta:D, rollout:N, CHECKPOINT[:SIMULATIONS], latest, uci:COMMAND.
struct PlayerSpec {
  enum class Kind { kRandom, kGreedy, kAlphaBeta, kRollout, kNetwork, kUci };
  Kind kind = Kind::kRandom;
  int number = 0;                    // Depth, rollouts or simulations.
  std::filesystem::path checkpoint;  // kNetwork.
  std::string command;               // kUci.
  std::string name;                  // As written; a network as "ID:SIMULATIONS".
};

// Reads a player; "latest" and bare generation names are looked up in `run` (a run folder).
game::Parsed<PlayerSpec> parse_player(const std::string& text, const std::filesystem::path& run);

struct MatchOptions {
  int games = 100;  // Even: each opening is played twice with colours exchanged.
  int opening_plies =
      4;  // Random plies per opening; openings that end the game or lose more than two men are drawn anew.
  std::uint64_t seed = 1;
  int threads = 2;
};

struct MatchScore {
  int games = 0, wins = 0, draws = 0, losses = 0;  // From a's side.
  int material_wins = 0, material_draws = 0;       // A drawn game goes to the side with more material.
  double captures_per_game = 0;                    // Hundredths of a man taken off the board / 100.
  double plies_per_game = 0;

  double score() const;  // Wins + draws / 2, per game; 0.5 without games.
  double score_by_material() const;
  double decisive_share() const;
};

// Elo difference with its 95 % interval, from the score of paired games (normal approximation on pairs'
// variance; the interval stays finite at 0 % and 100 % by counting half a game more on either side).
struct EloEstimate {
  double elo = 0, low = 0, high = 0;
};
EloEstimate estimate_elo(const MatchScore& score, const std::vector<double>& pair_scores);

struct MatchResult {
  MatchScore score;
  EloEstimate elo;
  std::vector<MatchRecord> games;
};

// Plays all games in lockstep, so that networks always evaluate full batches. `progress` is called after
// every game and returns whether to go on. Throws models::Error when a player fails.
MatchResult play_match(const game::Game& game, const PlayerSpec& a, const PlayerSpec& b,
                       const MatchOptions& options, const std::function<bool(const MatchScore&)>& progress);

}  // namespace makzero::train
