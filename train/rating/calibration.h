// What a run's records say about its judgement and its progress.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "train/replay/record.pb.h"

namespace makzero::train {

// Positions that the search judged alike, and how their games ended.
struct CalibrationBin {
  double predicted = 0;  // Mean expected score of White, in [0, 1].
  double scored = 0;     // Mean score of White.
  int positions = 0;
};

// Ten bins of equal width over White's expected score; those without positions are left out. Of searched
// positions in games that the rules ended: what was adjudicated says nothing.
class Calibration {
 public:
  void add(const GameRecord& game);
  std::vector<CalibrationBin> bins() const;

  // How much more, on average, the search expected for the side to move than it scored, in [-1, 1]: taking
  // the best of few values overrates, a mean over all visits underrates. 0 without positions.
  double mover_bias() const;

 private:
  static constexpr int kBins = 10;
  std::vector<CalibrationBin> sums_{kBins};
  double mover_excess_ = 0;  // Sum of what the side to move was expected to score beyond what it did.
};

// Of the newest `shards` files of RUN/replay. Damaged parts are left out.
Calibration calibration_of(const std::filesystem::path& run, int shards);

// A point of a learning curve. The effort is in any unit: evaluations, or seconds of processor time.
struct CurvePoint {
  double effort = 0, elo = 0;
  double error = 0;  // Standard error of the Elo.
};

// Elo as a line over the logarithm of the effort, by least squares over the later half of the points;
// none with fewer than four, or where it rises by less than the errors of the points explain (95 %).
struct Forecast {
  double elo_per_doubling = 0;
  double low = 0, high = 0;   // Its 95 % interval.
  double effort_for_100 = 0;  // Further effort, for the next 100 Elo.
};
std::optional<Forecast> forecast(std::span<const CurvePoint> curve);

}  // namespace makzero::train
