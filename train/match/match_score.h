// What the games of a match say about its players: both scores, and the Elo difference with its interval.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "train/replay/record.pb.h"

namespace makzero::train {

// What a score needs of one game, from the side of player a.
struct GameResult {
  double points = 0;  // 1, 0.5 or 0 by the rules.
  int lead = 0;       // Material taken minus the other side's, hundredths of a man.
  int captured = 0;   // Material taken by both sides, hundredths of a man.
  int plies = 0;
};

GameResult result_of(const MatchRecord& game);
GameResult reversed(const GameResult& result);  // The same game from the side of player b.

// What the game is worth to player a where a drawn game goes to the side that has taken more: 1, 0.5 or 0.
double points_by_material(const GameResult& result);

// What the two games of an opening are worth to player a together: 1 where it has more points by the rules of
// them, or as many and in sum the lead at their ends, 0 where player b has, else 0.5. Tells players apart
// where the same side has the better of it whoever plays it.
double points_by_pair(const GameResult& first, const GameResult& second);

// From the side of player a. A score by material gives a drawn game to the side that has taken more at its
// end.
struct MatchScore {
  int games = 0, wins = 0, draws = 0, losses = 0;  // By the rules.
  int material_wins = 0, material_draws = 0;       // By material, the games won by the rules included.
  int pairs = 0, pair_wins = 0, pair_draws = 0;    // See points_by_pair().
  double captures_per_game = 0;                    // Hundredths of a man taken off the board / 100.
  double plies_per_game = 0;

  double score() const;  // Wins + draws / 2, per game; 0.5 without games.
  double score_by_material() const;
  double score_by_pairs() const;
  double decisive_share() const;  // Games that are won by the rules, per game.

  void add(const GameResult& game);
  void add_pair(const GameResult& first, const GameResult& second);  // Both games, and their pair.
};

// How well a player finishes what it has won: the games in which player_a, who must be the same in all of
// them, led by at least so much at some time, and those of them that it won by the rules.
struct Conversion {
  int led = 0, won = 0;
};
inline constexpr int kGreatLead = 400;  // Hundredths of a man.
Conversion conversion_of(std::span<const MatchRecord> games, int lead);

// How games ended, the most frequent reason first: "checkmate" 26, "third repetition" 3.
std::vector<std::pair<std::string, int>> end_reasons(std::span<const MatchRecord> games);

// The score of these games from the side of player_a, who must be the same in all of them; the two games of
// an opening follow each other.
MatchScore score_of(std::span<const GameResult> games);
MatchScore score_of(std::span<const MatchRecord> games);

// The mean result of the two games of each opening from a's side, in [0, 1]. The games follow each other.
std::vector<double> pair_scores(std::span<const GameResult> games, bool by_material);

// Elo difference with its 95 % interval, from the variance of whole pairs, since the two games of an opening
// are not independent (Wilson's interval with the number of games that this variance is worth). Half a game
// more on either side keeps all three finite at 0 % and 100 %.
struct EloEstimate {
  double elo = 0, low = 0, high = 0;
};

EloEstimate estimate_elo(const std::vector<double>& pair_scores);

// Whether a is better than b, decided as soon as the games say so: a sequential probability ratio test (Wald
// 1945) of two Elo differences, with the variance of whole pairs as in estimate_elo().
struct SequentialTest {
  double elo0 = 0, elo1 = 10;        // "Not better", "better".
  double alpha = 0.05, beta = 0.05;  // Chance of taking one for the other.
  bool by_material = false;          // A drawn game goes to the side that has taken more.
};
struct SequentialState {
  double ratio = 0;             // Logarithm of how much likelier the results are at elo1.
  double lower = 0, upper = 0;  // The test ends at these.
  bool decided() const { return ratio <= lower || ratio >= upper; }
};
SequentialState sequential_state(const SequentialTest& test, const std::vector<double>& pair_scores);

// The Elo difference at which a score in (0, 1) is expected.
double elo_of_score(double score);
double score_of_elo(double elo);

}  // namespace makzero::train
