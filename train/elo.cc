#include "train/elo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace makzero::train {

namespace {

// Strengths are natural logarithms of odds while they are fitted; this many Elo are one unit.
const double kEloPerUnit = 400 / std::log(10.0);

constexpr double kPriorElo = 1500;  // Standard deviation: 20 wins of 20 against random alone give about 970.
constexpr double kZ = 1.959964;     // 95 %.
constexpr double kLongestStep = 2;  // Units per Newton step: keeps the first steps from overshooting.
constexpr int kMostSteps = 200;

// A symmetric positive definite matrix, row-major, replaced by its lower Cholesky factor.
class Cholesky {
 public:
  Cholesky(std::vector<double> matrix, int size) : factor_(std::move(matrix)), size_(size) {
    for (int row = 0; row < size_; ++row) {
      for (int column = 0; column <= row; ++column) {
        double sum = at(row, column);
        for (int k = 0; k < column; ++k) sum -= at(row, k) * at(column, k);
        at(row, column) = row == column ? std::sqrt(sum) : sum / at(column, column);
      }
    }
  }

  // The x of matrix * x = b.
  std::vector<double> solve(std::vector<double> b) const {
    for (int row = 0; row < size_; ++row) {
      for (int k = 0; k < row; ++k) b[row] -= at(row, k) * b[k];
      b[row] /= at(row, row);
    }
    for (int row = size_ - 1; row >= 0; --row) {
      for (int k = row + 1; k < size_; ++k) b[row] -= at(k, row) * b[k];
      b[row] /= at(row, row);
    }
    return b;
  }

 private:
  double& at(int row, int column) { return factor_[row * size_ + column]; }
  double at(int row, int column) const { return factor_[row * size_ + column]; }

  std::vector<double> factor_;
  int size_;
};

// The results with players as numbers; -1 is the anchor, whose strength is 0.
struct Pairing {
  int a, b;
  double points;
  int games;
};

// Gradient and negative Hessian of the log posterior at these strengths.
struct Slope {
  std::vector<double> gradient, curvature;  // [players], [players, players]
};

Slope slope_at(std::span<const double> strengths, std::span<const Pairing> pairings) {
  const int players = static_cast<int>(strengths.size());
  const double prior = std::pow(kEloPerUnit / kPriorElo, 2);
  Slope slope;
  slope.gradient.resize(players);
  slope.curvature.resize(static_cast<size_t>(players) * players);
  for (int i = 0; i < players; ++i) {
    slope.gradient[i] = -prior * strengths[i];
    slope.curvature[i * players + i] = prior;
  }
  const auto strength = [&](int player) { return player < 0 ? 0 : strengths[player]; };
  for (const auto& [a, b, points, games] : pairings) {
    const double expected = 1 / (1 + std::exp(strength(b) - strength(a)));
    const double information = games * expected * (1 - expected);
    for (const auto& [player, sign] : {std::pair(a, 1), std::pair(b, -1)}) {
      if (player < 0) continue;
      slope.gradient[player] += sign * (points - games * expected);
      slope.curvature[player * players + player] += information;
    }
    if (a < 0 || b < 0) continue;
    slope.curvature[a * players + b] -= information;
    slope.curvature[b * players + a] -= information;
  }
  return slope;
}

// Newton's method on the log posterior, which is concave.
std::vector<double> most_likely_strengths(int players, std::span<const Pairing> pairings) {
  std::vector<double> strengths(players);
  for (int step = 0; step < kMostSteps; ++step) {
    Slope slope = slope_at(strengths, pairings);
    const std::vector<double> change = Cholesky(std::move(slope.curvature), players).solve(slope.gradient);
    double longest = 0;
    for (int i = 0; i < players; ++i) {
      strengths[i] += std::clamp(change[i], -kLongestStep, kLongestStep);
      longest = std::max(longest, std::abs(change[i]));
    }
    if (longest < 1e-9) break;
  }
  return strengths;
}

}  // namespace

std::vector<Rating> fit_ratings(const std::vector<PairResult>& results) {
  std::map<std::string, int> games;
  for (const PairResult& result : results) {
    games[result.a] += result.games;
    if (result.b != result.a) games[result.b] += result.games;
  }
  std::map<std::string, int> numbers;
  std::vector<Rating> ratings;
  for (const auto& [player, played] : games) {
    if (player == "random") continue;
    numbers[player] = static_cast<int>(ratings.size());
    ratings.push_back({player, 0, 0, 0, played});
  }
  if (games.contains("random")) numbers["random"] = -1;

  std::vector<Pairing> pairings;
  for (const PairResult& result : results) {
    if (result.a == result.b) continue;
    pairings.push_back({numbers[result.a], numbers[result.b], result.points, result.games});
  }
  const int players = static_cast<int>(ratings.size());
  const std::vector<double> strengths = most_likely_strengths(players, pairings);
  const Cholesky curvature(slope_at(strengths, pairings).curvature, players);
  for (int i = 0; i < players; ++i) {
    std::vector<double> unit(players);
    unit[i] = 1;
    const double deviation = kZ * std::sqrt(curvature.solve(unit)[i]);
    ratings[i].elo = kEloPerUnit * strengths[i];
    ratings[i].low = kEloPerUnit * (strengths[i] - deviation);
    ratings[i].high = kEloPerUnit * (strengths[i] + deviation);
  }
  if (games.contains("random")) ratings.push_back({"random", 0, 0, 0, games["random"]});
  std::stable_sort(ratings.begin(), ratings.end(),
                   [](const Rating& a, const Rating& b) { return a.elo > b.elo; });
  return ratings;
}

const std::vector<std::string>& ladder() {
  static const std::vector<std::string> kLadder = {"random",      "rollout:100", "greedy",
                                                   "alphabeta:1", "alphabeta:2", "alphabeta:3",
                                                   "alphabeta:4", "alphabeta:5", "alphabeta:6"};
  return kLadder;
}

std::string ratings_table(const std::vector<Rating>& ratings) {
  size_t width = 6;
  for (const Rating& rating : ratings) width = std::max(width, rating.player.size());
  std::string table = fmt::format("{:<{}}  {:>6}  {:>15}  {:>6}\n", "player", width, "Elo", "95 %", "games");
  for (const auto& [player, elo, low, high, games] : ratings) {
    table +=
        fmt::format("{:<{}}  {:>6.0f}  {:>6.0f} .. {:>5.0f}  {:>6}\n", player, width, elo, low, high, games);
  }
  return table;
}

}  // namespace makzero::train
