#include "train/rating/elo.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "models/player/built_in_players.h"

namespace makzero::train {

namespace {

// Strengths are natural logarithms of odds while they are fitted; this many Elo are one unit.
const double kEloPerUnit = 400 / std::log(10.0);

constexpr double kPriorElo = 1500;  // Standard deviation: 20 wins of 20 against random alone give about 970.
constexpr double kOwnDraws = 1;     // The same of a player's inclination to draw, a natural logarithm,
constexpr double kAllDraws = 5;     // and of all players'.
constexpr double kZ = 1.959964;     // 95 %.
constexpr double kLongestStep = 4;  // Of a Newton step in any value: keeps the first from overshooting.
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

// A result with its players as numbers; -1 is the anchor, whose strength is 0.
struct Pairing {
  int a, b;
  double wins, draws, losses;
};

// Everything that is fitted, one after the other: the strengths of all players but the anchor, how much every
// player draws (the anchor last), and how much all of them do.
class Model {
 public:
  Model(int players, std::vector<Pairing> pairings) : players_(players), pairings_(std::move(pairings)) {}

  int size() const { return 2 * players_ + 2; }

  // Gradient and negative Hessian of the log posterior.
  struct Slope {
    std::vector<double> gradient, curvature;  // [size], [size, size]
  };

  Slope slope_at(std::span<const double> values) const {
    Slope slope{std::vector<double>(size()), std::vector<double>(static_cast<size_t>(size()) * size())};
    for (int i = 0; i < size(); ++i) {
      const double deviation = i < players_     ? kPriorElo / kEloPerUnit
                               : i + 1 < size() ? kOwnDraws
                                                : kAllDraws;
      slope.gradient[i] = -values[i] / (deviation * deviation);
      slope.curvature[i * size() + i] = 1 / (deviation * deviation);
    }
    for (const Pairing& pairing : pairings_) add(pairing, values, &slope);
    return slope;
  }

 private:
  // The outcome of a game is a multinomial logit: win, draw and loss have the utilities x / 2, y and -x / 2,
  // where x is the difference in strength and y the sum of the inclinations to draw.
  void add(const Pairing& pairing, std::span<const double> values, Slope* slope) const {
    const int draws_a = players_ + (pairing.a < 0 ? players_ : pairing.a);
    const int draws_b = players_ + (pairing.b < 0 ? players_ : pairing.b);
    const double x = (pairing.a < 0 ? 0 : values[pairing.a]) - (pairing.b < 0 ? 0 : values[pairing.b]);
    const double y = values[draws_a] + values[draws_b] + values[size() - 1];
    const double highest = std::max(std::abs(x / 2), y);
    const double win = std::exp(x / 2 - highest), loss = std::exp(-x / 2 - highest),
                 draw = std::exp(y - highest);
    const double sum = win + draw + loss, games = pairing.wins + pairing.draws + pairing.losses;
    const double lead = (win - loss) / sum / 2, drawn = draw / sum;

    const double by_x = (pairing.wins - pairing.losses) / 2 - games * lead,
                 by_y = pairing.draws - games * drawn;
    const double by_xx = games * ((1 - drawn) / 4 - lead * lead), by_xy = -games * lead * drawn;
    const double by_yy = games * drawn * (1 - drawn);
    // What x and y are made of.
    struct Term {
      int index, of_x, of_y;
    };
    const std::array<Term, 5> terms = {
        Term{pairing.a, 1, 0}, {pairing.b, -1, 0}, {draws_a, 0, 1}, {draws_b, 0, 1}, {size() - 1, 0, 1}};
    for (const auto& [i, ix, iy] : terms) {
      if (i < 0) continue;
      slope->gradient[i] += ix * by_x + iy * by_y;
      for (const auto& [j, jx, jy] : terms) {
        if (j < 0) continue;
        slope->curvature[i * size() + j] += ix * jx * by_xx + (ix * jy + iy * jx) * by_xy + iy * jy * by_yy;
      }
    }
  }

  int players_;
  std::vector<Pairing> pairings_;
};

// Newton's method on the log posterior, which is concave.
std::vector<double> most_likely(const Model& model) {
  std::vector<double> values(model.size());
  for (int step = 0; step < kMostSteps; ++step) {
    Model::Slope slope = model.slope_at(values);
    const std::vector<double> change =
        Cholesky(std::move(slope.curvature), model.size()).solve(slope.gradient);
    double longest = 0;
    for (int i = 0; i < model.size(); ++i) longest = std::max(longest, std::abs(change[i]));
    const double shortened = std::min(1.0, kLongestStep / longest);
    for (int i = 0; i < model.size(); ++i) values[i] += shortened * change[i];
    if (longest < 1e-9) break;
  }
  return values;
}

}  // namespace

std::vector<Rating> fit_ratings(const std::vector<PairResult>& results, const std::string& anchor) {
  std::map<std::string, double> games;
  for (const PairResult& result : results) {
    const double played = result.wins + result.draws + result.losses;
    games[result.a] += played;
    if (result.b != result.a) games[result.b] += played;
  }
  std::map<std::string, int> numbers;
  std::vector<Rating> ratings;
  for (const auto& [player, played] : games) {
    if (player == anchor) continue;
    numbers[player] = static_cast<int>(ratings.size());
    ratings.push_back({player, 0, 0, 0, static_cast<int>(std::lround(played))});
  }
  if (games.contains(anchor)) numbers[anchor] = -1;

  std::vector<Pairing> pairings;
  for (const auto& [a, b, wins, draws, losses] : results) {
    if (a != b) pairings.push_back({numbers[a], numbers[b], wins, draws, losses});
  }
  const int players = static_cast<int>(ratings.size());
  const Model model(players, std::move(pairings));
  const std::vector<double> values = most_likely(model);
  const Cholesky curvature(model.slope_at(values).curvature, model.size());
  for (int i = 0; i < players; ++i) {
    std::vector<double> unit(model.size());
    unit[i] = 1;
    const double deviation = kZ * std::sqrt(curvature.solve(unit)[i]);
    ratings[i].elo = kEloPerUnit * values[i];
    ratings[i].low = kEloPerUnit * (values[i] - deviation);
    ratings[i].high = kEloPerUnit * (values[i] + deviation);
  }
  if (games.contains(anchor))
    ratings.push_back({anchor, 0, 0, 0, static_cast<int>(std::lround(games[anchor]))});
  std::stable_sort(ratings.begin(), ratings.end(),
                   [](const Rating& a, const Rating& b) { return a.elo > b.elo; });
  return ratings;
}

const std::vector<std::string>& ladder() {
  static const std::vector<std::string> kLadder = [] {
    std::vector<std::string> rungs;
    for (const models::BuiltInPlayer& player : models::built_in_players())
      rungs.insert(rungs.end(), player.rungs.begin(), player.rungs.end());
    return rungs;
  }();
  return kLadder;
}

std::string ratings_table(const std::vector<Rating>& ratings, const std::vector<Rating>& by_material) {
  size_t width = 6;
  for (const Rating& rating : ratings) width = std::max(width, rating.player.size());
  const auto interval = [](const Rating& rating) {
    return fmt::format("{:>6.0f}  {:>6.0f} .. {:>5.0f}", rating.elo, rating.low, rating.high);
  };
  std::string table = fmt::format("{:<{}}  {:>6}  {:>15}", "player", width, "Elo", "95 %");
  if (!by_material.empty()) table += fmt::format("  {:>11}  {:>15}", "by material", "95 %");
  table += fmt::format("  {:>6}\n", "games");
  for (const Rating& rating : ratings) {
    table += fmt::format("{:<{}}  {}", rating.player, width, interval(rating));
    for (const Rating& other : by_material) {
      if (other.player == rating.player) table += "       " + interval(other);
    }
    table += fmt::format("  {:>6}\n", rating.games);
  }
  return table;
}

}  // namespace makzero::train
