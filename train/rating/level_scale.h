// Ten evenly spaced strengths of one network, found by matches on a scale from almost random to strong.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "train/match/match_score.h"

namespace makzero::train {

// How a network is weakened.
struct Strength {
  int nodes = 1;          // Per move: simulations of a tree, positions of alpha-beta.
  float temperature = 0;  // See mcts::sample_move; 0 = the best move.
};

// From 0 to 1/2 one node at a falling temperature, from there to 1 ever more nodes while the temperature
// falls to 0. `nodes` is that of 1.
Strength strength_at(double scale, int nodes);

// The score that levels are spaced by: by the rules where at most 40 % of the games are drawn, by material
// where at least 60 % are, between the two partly both, so that no game more or less makes a leap. By pairs
// (points_by_pair) where games one by one cannot tell ten levels apart.
enum class LevelMeasure { kRules, kBoth, kMaterial, kPairs };
struct LevelScore {
  int games = 0;
  double score = 0.5;
  LevelMeasure measure = LevelMeasure::kRules;
};
LevelScore level_score(const MatchScore& score, bool by_pairs = false);

// A level where it was placed.
struct PlacedLevel {
  int level = 0;                      // 1 = the weakest.
  double scale = 0;                   // See strength_at().
  double elo = 0, low = 0, high = 0;  // random = 0; 95 % interval. A score of s is -400 log10(1/s - 1).
  LevelScore against_below;           // No games at level 1.
};

// Finds the levels: surveys the scale with short matches, fits Elo to all results, and places one level after
// the other from the strongest down so that each beats the one below by about the same score, 58 to 82 %. A
// place that its match shows to be out of reach is moved and played again. Where the whole scale is too
// narrow for ten levels, as in the hunt, whose sides are not alike, it is measured by pairs.
class LevelFinder {
 public:
  static constexpr int kLevels = 10;
  static constexpr double kRandom = -1;  // In place of a point of the scale: the player `random`.

  // The score of `strong` against `weak`, points of the scale, in all games on record, after as many more
  // were played as are missing to `games`. None: stop.
  using Match = std::function<std::optional<MatchScore>(double strong, double weak, int games)>;

  // `games` are played by neighbouring levels.
  LevelFinder(int games, Match match) : games_(games), match_(std::move(match)) {}

  // The levels, weakest first; none when a match said to stop. Throws models::Error when the network plays
  // too evenly from one end of the scale to the other for ten levels.
  std::optional<std::vector<PlacedLevel>> find();

 private:
  struct Estimate {
    double scale, elo, low, high;
  };

  double range() const { return elo_at(1) - elo_at(0); }
  bool survey();
  bool survey_between(double weak, double strong, int depth);
  enum class Step { kPlaced, kNoRoom, kStopped };
  Step place_next(double widest_aim);
  bool meet(double strong, double weak, int games);
  LevelScore score_of(double strong, double weak) const {
    return level_score(results_.at({strong, weak}), by_pairs_);
  }
  std::vector<Estimate> fitted() const;
  void fit();
  double elo_at(double scale) const;
  double scale_at(double elo) const;
  std::vector<PlacedLevel> levels() const;

  int games_;
  Match match_;
  bool by_pairs_ = false;
  std::map<std::pair<double, double>, MatchScore> results_;  // By stronger and weaker.
  std::vector<Estimate> curve_;                              // Rises with the scale.
  std::vector<double> placed_;                               // Scales, strongest level first.
};

}  // namespace makzero::train
