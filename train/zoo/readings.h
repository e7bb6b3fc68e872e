// Laboratory of rules: the rulesets of one game, compared by what a player makes of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "game/game.h"
#include "models/player/player_spec.h"
#include "train/match/arena.h"
#include "train/progress.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

struct ReadingsRequest {
  std::vector<game::GamePtr> readings;  // Rulesets of one game; the first is compared with the others.
  models::PlayerSpec player;            // Plays both sides, with a limit.
  int openings = 100;    // Two games of each: the same game twice where the player leaves nothing to chance.
  int positions = 1000;  // Of games by the first reading: best moves are compared in the clear ones.
  MatchOptions match = {.threads = 1};  // Random openings; its seed is for positions too.
};

// Figures of one ruleset. A position is clear if one move is better than all others by 0.05 of a game: which
// of equal moves is the best depends on trifles.
struct Reading {
  std::string ruleset;
  MatchScore first;                               // From the side of the first mover.
  EloEstimate advantage;                          // Of the first mover.
  double captures = 0;                            // Pieces taken by both sides, a game.
  double moves = 0;                               // Legal moves, mean over the positions of the games.
  std::vector<std::pair<std::string, int>> ends;  // Reasons and games, see end_reasons().
  int positions = 0;  // Clear by the first reading, and legal under this one with a choice of moves.
  int same = 0;       // Of them: best move that of the first reading; of that one: by twice the limit.
};

struct ReadingsReport {
  std::string game, player;
  int openings = 0, opening_plies = 0;
  std::vector<Reading> readings;
};

// The named rulesets of the game and `sampled` combinations of options, none twice: fewer where a thousand
// draws find no more. `base` comes first.
std::vector<game::GamePtr> readings_of(const game::GamePtr& base, int sampled, std::uint64_t seed);

// Figures of games of one ruleset, without positions. REQUIRES: whole pairs of games.
Reading count_reading(const game::Game& game, std::span<const MatchRecord> games);

// None where it was stopped. Throws models::Error.
std::optional<ReadingsReport> compare_readings(const ReadingsRequest& request, const ShowProgress& progress);

// The report as a page (Markdown) and as JSON, an object.
std::string readings_page(const ReadingsReport& report);
std::string readings_json(const ReadingsReport& report);

}  // namespace makzero::train
