// Rates runs after the fact: their checkpoints and the ladder play a schedule of paired games.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "game/game.h"
#include "train/match/arena.h"
#include "train/progress.h"
#include "train/rating/elo.h"

namespace makzero::train {

struct RateOptions {
  int checkpoints = 6;   // Of a run, at most so many, evenly spread in the logarithm of evaluations.
  int simulations = 64;  // Of the networks.
  std::vector<std::string> opponents = {};  // From weak to strong; empty: rating_ladder().
  MatchOptions match = {.games = 20};       // Games per pair of players; more narrow the intervals.
};

// The opponents of a game's networks. To ladder() but for depths 5 and 6, which take up to a minute a game,
// come the programs that play it by the same rules: Fairy-Max with 10 ms a move and Fairy-Stockfish with
// 1,000 and 10,000 nodes.
struct RatingLadder {
  std::vector<std::string> opponents;  // From weak to strong.
  std::vector<std::string> left_out;   // Whose programs are not installed.
};
RatingLadder rating_ladder(const game::GameInfo& game);

// A checkpoint that was chosen, and its name as a player.
struct RatedCheckpoint {
  std::string player;
  std::int64_t generation = 0, evaluations = 0;
};

struct RatedRun {
  std::filesystem::path run;
  std::vector<RatedCheckpoint> checkpoints;  // By generation.
};

// Everybody on one scale. Runs have the ladder in common: its players' games against each other count once,
// those of the run that has most.
struct RatedRuns {
  game::GamePtr game;
  std::vector<RatedRun> runs;
  std::vector<Rating> by_rules, by_material;
};

// Plays what the match records of the runs lack of the schedule: neighbours of the ladder against each other,
// every chosen checkpoint against the one before it and up the ladder until it scores less than one game in
// ten. Stopped, what is finished is kept and the next call goes on from there. Throws models::Error: no
// checkpoint, runs of different games, damaged files, a failing player. REQUIRES: at least one run.
RatedRuns rate_runs(const std::vector<std::filesystem::path>& runs, const RateOptions& options,
                    const ShowProgress& progress);

}  // namespace makzero::train
