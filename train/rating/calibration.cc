#include "train/rating/calibration.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "game/catalog.h"
#include "game/outcome.h"
#include "models/error.h"
#include "models/framed_file.h"
#include "train/replay/game_replay.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

constexpr double kTwoSided95 = 1.96;  // Standard errors.

// The text of a position names the side to move behind its squares. In Gala Black begins.
bool white_to_move_first(const GameRecord& game) {
  const size_t space = game.start().find(' ');
  if (space != std::string::npos) return game.start().compare(space, 2, " b") != 0;
  const auto rules = game::make_game(game.ruleset());
  return !rules || (*rules)->initial().to_move == game::Color::kWhite;
}

}  // namespace

void Calibration::add(const GameRecord& game) {
  const auto result = static_cast<game::Result>(game.result());
  if (was_cut(game)) return;
  const double score = result == game::Result::kDraw ? 0.5 : result == game::Result::kWhiteWins ? 1 : 0;
  bool white_to_move = !white_to_move_first(game);
  for (const PlyRecord& ply : game.plies()) {
    white_to_move = !white_to_move;
    if (ply.policy().empty()) continue;
    const double predicted = std::clamp(0.5 * (1 + ply.white() - ply.black()), 0.0, 1.0);
    CalibrationBin& bin = sums_[std::min(kBins - 1, static_cast<int>(predicted * kBins))];
    bin.predicted += predicted;
    bin.scored += score;
    bin.positions += 1;
    mover_excess_ += white_to_move ? predicted - score : score - predicted;
  }
}

double Calibration::mover_bias() const {
  const int positions = std::accumulate(
      sums_.begin(), sums_.end(), 0, [](int sum, const CalibrationBin& bin) { return sum + bin.positions; });
  return positions == 0 ? 0 : mover_excess_ / positions;
}

std::vector<CalibrationBin> Calibration::bins() const {
  std::vector<CalibrationBin> means;
  for (CalibrationBin bin : sums_) {
    if (bin.positions == 0) continue;
    bin.predicted /= bin.positions;
    bin.scored /= bin.positions;
    means.push_back(bin);
  }
  return means;
}

Calibration calibration_of(const std::filesystem::path& run, int shards) {
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(RunPaths(run).replay(), missing)) {
    if (entry.path().extension() == ".mzg") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end(), std::greater<>());
  if (static_cast<int>(files.size()) > shards) files.resize(shards);
  Calibration calibration;
  for (const std::filesystem::path& file : files) {
    models::FrameReader reader(file, models::FileKind::kGames);
    GameRecord record;
    while (const std::optional<std::string> frame = reader.next()) {
      if (record.ParseFromString(*frame)) calibration.add(record);
    }
  }
  return calibration;
}

std::optional<Forecast> forecast(std::span<const CurvePoint> curve) {
  if (curve.size() < 4) return std::nullopt;
  const std::span<const CurvePoint> later = curve.subspan(curve.size() / 2);
  const auto count = static_cast<double>(later.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, variance = 0;
  for (const CurvePoint& point : later) {
    mean_x += std::log2(point.effort) / count;
    mean_y += point.elo / count;
  }
  for (const CurvePoint& point : later) {
    const double x = std::log2(point.effort) - mean_x;
    xx += x * x;
    xy += x * (point.elo - mean_y);
    variance += x * x * point.error * point.error;
  }
  if (xx <= 0) return std::nullopt;
  const double slope = xy / xx, reach = kTwoSided95 * std::sqrt(variance) / xx;
  if (slope <= reach) return std::nullopt;
  return Forecast{slope, slope - reach, slope + reach, curve.back().effort * (std::exp2(100 / slope) - 1)};
}

}  // namespace makzero::train
