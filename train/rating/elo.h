// Ratings: the ladder of opponents and the Elo of all who played, by maximum likelihood.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace makzero::train {

struct Rating {
  std::string player;
  double elo = 0, low = 0, high = 0;  // The anchor has 0; 95 % interval.
  int games = 0;
};

// How games count: by the rules, or with a drawn game going to the side that has taken more. The
// second is for the custodial games, most of which careful players draw.
enum class Scoring : std::uint8_t { kRules, kMaterial };

// What two players did against each other, from a's side.
struct PairResult {
  std::string a, b;
  double wins = 0, draws = 0, losses = 0;
};

// Maximum-likelihood Elo of all players of these results, strongest first, with draws as Davidson (1970) has
// them: wins, draws and losses of a against b stand as s : n : 1/s, where s^2 = 10^(difference in Elo / 400).
// So Elo counts what is decided, and draws say how near the players are: n is the product of a common factor
// and one of either player, since careful players draw more. The anchor stands at 0. Normal priors keep
// players who lost, won or drew everything finite: wide ones of strength and common factor, a narrow one of
// the players' own factors. Intervals are those of the Hessian.
std::vector<Rating> fit_ratings(const std::vector<PairResult>& results, const std::string& anchor = "random");

// The fixed opponents of every game, from weak to strong: the rungs of models::built_in_players().
const std::vector<std::string>& ladder();

// A header and a line per player, for people. With ratings of the same players by material they stand beside
// the others.
std::string ratings_table(const std::vector<Rating>& ratings, const std::vector<Rating>& by_material = {});

}  // namespace makzero::train
