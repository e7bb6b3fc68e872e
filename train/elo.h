// Ratings: the ladder of opponents and the Elo of all who played, by maximum likelihood.
#pragma once

#include <string>
#include <vector>

namespace makzero::train {

struct Rating {
  std::string player;
  double elo = 0, low = 0, high = 0;  // random = 0; 95 % interval.
  int games = 0;
};

// What two players did against each other, from a's side.
struct PairResult {
  std::string a, b;
  double points = 0;  // Wins + draws / 2.
  int games = 0;
};

// Maximum-likelihood Elo of all players of these results (Bradley and Terry 1952), strongest first. A draw is
// half a win and half a loss, `random` stands at 0, a wide normal prior keeps players who lost or won
// everything finite.
std::vector<Rating> fit_ratings(const std::vector<PairResult>& results);

// The fixed opponents, from weak to strong: random, rollout:N, greedy, alphabeta:1 .. alphabeta:6.
const std::vector<std::string>& ladder();

// A header and a line per player, for people.
std::string ratings_table(const std::vector<Rating>& ratings);

}  // namespace makzero::train
