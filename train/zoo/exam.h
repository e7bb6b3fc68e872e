// Exam of a player: the same matches and positions for all players of a game, from openings that no other
// match uses.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/player/player_spec.h"
#include "train/match/arena.h"
#include "train/progress.h"
#include "train/rating/baseline.h"
#include "train/rating/elo.h"

namespace makzero::train {

struct ExamRequest {
  models::PlayerSpec player;             // Without a limit of its searches: the exam sets it.
  std::vector<models::PlayerSpec> pool;  // Opponents; those that search without a limit get the exam's.
  models::PlayerSpec anchor;             // Of the pool, or the player: Elo counts from it.
  models::PlayerSpec control;            // Without a limit: of the decided variant and the leads.
  models::PlayerSpec strongest;          // Without a limit: of safety, with ten times the player's time.
  std::chrono::milliseconds time{20};    // A move; safety and leads are played with half of it.
  std::vector<MatchOpening> leads;  // Positions in which one side leads; each is played with either side.
  int endings = 200;                // Positions of the installed endings, at most.
  Baseline puzzles;                 // The last judge's move is the solution.
  std::filesystem::path folder;     // Keeps the games: the same exam goes on from there.
  // Games of a match, rounded up to even, with openings from the initial position. Without openings there are
  // no matches.
  MatchOptions match = {.games = 60, .threads = 1};
};

// The parts that are matches. Decided: under the rules by which a limit is decided by material, or for the
// hunter.
inline constexpr std::string_view kPool = "pool", kDecided = "decided", kSafety = "safety", kLeads = "leads";

struct ExamMatch {
  std::string_view part;
  std::string ruleset, opponent;
  MatchScore score;
  EloEstimate elo;
  double men = 0;  // Mean lead at the end, men of the initial position.
};

// Games of positions with a lead, by the men and pieces on the board at their beginning, both sides'.
struct ExamLeads {
  int most = 0;                    // Men, at most; the row below has fewer.
  int led = 0, won = 0, lost = 0;  // Games with the leading side, won and lost.
  int trailed = 0, saved = 0;      // Games with the other, not lost.
};

// Positions of solved endings, and those in which the player's move kept the value.
struct ExamEndings {
  int won = 0, won_kept = 0, finished = 0;  // Finished: won against perfect defence within the rules' limits.
  int drawn = 0, drawn_kept = 0;
};

struct ExamReport {
  std::string game, player;
  std::optional<std::chrono::milliseconds> time;  // A move; none: the player has a limit of its own.
  std::string anchor;                             // Empty: there is no pool.
  std::vector<Rating> pool;                       // Elo by the rules; the anchor has 0.
  std::vector<ExamMatch> matches;                 // None: the exam is of solved endings alone.
  std::vector<ExamLeads> leads;
  std::optional<ExamEndings> endings;
  std::string no_endings;  // Reason, with its repair, where there are none.
  int puzzles = 0, solved = 0;
};

// The ruleset in which no game is drawn for its length: limit_result=material, for the hunt hunter_wins.
// Empty where the game has none.
std::string decided_ruleset(const game::Game& game);

// Plays what the folder lacks, and counts. None where it was stopped: finished games are kept. Throws
// models::Error.
std::optional<ExamReport> take_exam(const game::Game& game, const ExamRequest& request,
                                    const ShowProgress& progress);

// The report as a page (Markdown) and as JSON, an object.
std::string exam_page(const ExamReport& report);
std::string exam_json(const ExamReport& report);

}  // namespace makzero::train
