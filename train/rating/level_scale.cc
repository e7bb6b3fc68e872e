#include "train/rating/level_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/error.h"
#include "train/rating/elo.h"

namespace makzero::train {
namespace {

constexpr double kWarmest = 16;     // Temperature at 0: almost any move.
constexpr double kCoolest = 0.5;    // At 1/2, where further simulations begin.
constexpr double kGrain = 1024;     // Points of the scale are whole parts of it: their matches are met again.
constexpr int kSurveyPoints = 8;    // Intervals of equal length.
constexpr int kSurveyDepth = 3;     // An interval is halved at most so often.
constexpr int kSurveyGames = 40;    // Of a pair.
constexpr double kTooFar = 0.9;     // A higher score says little: the interval is halved.
constexpr int kFirstGames = 60;     // Enough to see that a place is far off.
constexpr double kFewDrawn = 0.4;   // A share: material counts nothing...
constexpr double kManyDrawn = 0.6;  // ... or alone.
constexpr double kHopeless = 0.2;   // So much off the score that is aimed at.
constexpr double kNear = 0.06;      // The same, good enough: twice the standard error of 200 games.
constexpr int kMostAttempts = 6;    // Per level.
constexpr double kNarrowest = 0.58, kWidest = 0.82;  // Measured again, they still are 55 to 85 %.
// Scores aimed at in passes from the strongest level down, each with what the one before has learnt. Wide
// steps bring the weakest level down to `greedy`, but may leave no place for it where the scale is flat.
constexpr double kWidestAims[] = {0.78, 0.76, 0.74};

const double kNeededRange = (LevelFinder::kLevels - 1) * elo_of_score(kNarrowest);  // Elo.

double to_grain(double scale) { return std::round(scale * kGrain) / kGrain; }

// Three significant digits, so that names stay short.
float rounded(double temperature) {
  if (temperature <= 0) return 0;
  const double grain = std::pow(10, std::floor(std::log10(temperature)) - 2);
  return static_cast<float>(std::round(temperature / grain) * grain);
}

std::string name_of(double scale) {
  return scale == LevelFinder::kRandom ? "random" : fmt::format("{}", scale);
}

// Replaces neighbours that fall by their mean (pool adjacent violators; Ayer et al. 1955).
void make_rising(std::vector<double>* values) {
  struct Block {
    double sum;
    int count;
    double mean() const { return sum / count; }
  };
  std::vector<Block> blocks;
  for (const double value : *values) {
    blocks.push_back({value, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
    }
  }
  auto value = values->begin();
  for (const Block& block : blocks) value = std::fill_n(value, block.count, block.mean());
}

}  // namespace

Strength strength_at(double scale, int nodes) {
  if (scale <= 0.5) return {1, rounded(kWarmest * std::pow(kCoolest / kWarmest, 2 * scale))};
  const double above = 2 * scale - 1;
  return {static_cast<int>(std::lround(std::pow(nodes, above))), rounded(kCoolest * (1 - above))};
}

LevelScore level_score(const MatchScore& score, bool by_pairs) {
  if (by_pairs) return {score.games, score.score_by_pairs(), LevelMeasure::kPairs};
  const double drawn = score.games == 0 ? 0 : static_cast<double>(score.draws) / score.games;
  const double material = std::clamp((drawn - kFewDrawn) / (kManyDrawn - kFewDrawn), 0.0, 1.0);
  return {score.games, std::lerp(score.score(), score.score_by_material(), material),
          material == 0   ? LevelMeasure::kRules
          : material == 1 ? LevelMeasure::kMaterial
                          : LevelMeasure::kBoth};
}

std::optional<std::vector<PlacedLevel>> LevelFinder::find() {
  by_pairs_ = false;
  if (!survey()) return std::nullopt;
  fit();
  if (range() < kNeededRange) {
    by_pairs_ = true;
    if (!survey()) return std::nullopt;  // Scores that were near one half may ask for more of it now.
    fit();
  }
  for (const double widest_aim : kWidestAims) {
    placed_ = {1};
    while (placed_.size() < kLevels) {
      const Step step = place_next(widest_aim);
      if (step == Step::kStopped) return std::nullopt;
      if (step == Step::kNoRoom) break;
    }
    if (placed_.size() == kLevels) return levels();
  }
  const std::string what =
      range() < kNeededRange
          ? fmt::format(
                "too narrow a range: from the weakest strength to the strongest it is {:.0f} Elo, "
                "and {} levels need {:.0f}",
                range(), kLevels, kNeededRange)
          : fmt::format(
                "level {} cannot be placed: no strength left of the {:.0f} Elo in all loses {:.0f} "
                "to {:.0f} % to the level above",
                kLevels - static_cast<int>(placed_.size()), range(), 100 * kNarrowest, 100 * kWidest);
  throw models::Error(
      fmt::format("{}; train the network further, or give level {} more --simulations", what, kLevels));
}

// Plays along the whole scale; false when stopped, as everywhere here.
bool LevelFinder::survey() {
  if (!meet(0, kRandom, kSurveyGames) || !meet(0.25, kRandom, kSurveyGames)) return false;
  for (int i = 0; i < kSurveyPoints; ++i) {
    if (!survey_between(i / double{kSurveyPoints}, (i + 1) / double{kSurveyPoints}, 0)) return false;
  }
  return true;
}

bool LevelFinder::survey_between(double weak, double strong, int depth) {
  if (!meet(strong, weak, kSurveyGames)) return false;
  if (depth == kSurveyDepth || score_of(strong, weak).score <= kTooFar) return true;
  const double middle = (weak + strong) / 2;
  return survey_between(weak, middle, depth + 1) && survey_between(middle, strong, depth + 1);
}

// Places the level below the weakest that is placed: where its match comes near the score that is aimed at,
// or else at the nearest of those that were tried.
LevelFinder::Step LevelFinder::place_next(double widest_aim) {
  const double above = placed_.back();
  const int steps = kLevels - static_cast<int>(placed_.size());
  double too_weak = -1 / kGrain, too_strong = above;  // The place is between them.
  std::optional<double> nearest;
  double least_miss = 1;
  for (int attempt = 0; attempt < kMostAttempts && least_miss > kNear; ++attempt) {
    const double share = (elo_at(above) - elo_at(0)) / steps;
    if (share < elo_of_score(kNarrowest)) break;
    const double step = std::min(share, elo_of_score(widest_aim));
    double scale = to_grain(scale_at(elo_at(above) - step));
    if (scale <= too_weak || scale >= too_strong) scale = to_grain((too_weak + too_strong) / 2);
    if (scale <= too_weak || scale >= too_strong) break;

    if (!meet(above, scale, std::min(kFirstGames, games_))) return Step::kStopped;
    if (std::abs(score_of(above, scale).score - score_of_elo(step)) <= kHopeless &&
        !meet(above, scale, games_))
      return Step::kStopped;
    const LevelScore played = score_of(above, scale);
    const double miss = std::abs(played.score - score_of_elo(step));
    if (played.games >= games_ && played.score >= kNarrowest && played.score <= kWidest &&
        miss < least_miss) {
      nearest = scale;
      least_miss = miss;
    }
    (played.score > score_of_elo(step) ? too_weak : too_strong) = scale;
    fit();
  }
  if (!nearest) return Step::kNoRoom;
  placed_.push_back(*nearest);
  return Step::kPlaced;
}

bool LevelFinder::meet(double strong, double weak, int games) {
  const std::optional<MatchScore> score = match_(strong, weak, games);
  if (score) results_[{strong, weak}] = *score;
  return score.has_value();
}

// The Elo of all points that have played, by scale. Draws count half: levels are spaced by score.
std::vector<LevelFinder::Estimate> LevelFinder::fitted() const {
  std::vector<PairResult> pairs;
  std::map<std::string, double> scales;
  for (const auto& [players, match] : results_) {
    const auto& [strong, weak] = players;
    const LevelScore score = level_score(match, by_pairs_);
    const double wins = score.games * score.score;
    pairs.push_back({name_of(strong), name_of(weak), wins, 0, score.games - wins});
    scales[pairs.back().a] = strong;
    scales[pairs.back().b] = weak;
  }
  std::vector<Estimate> points;
  for (const Rating& rating : fit_ratings(pairs)) {
    if (const double scale = scales[rating.player]; scale != kRandom)
      points.push_back({scale, rating.elo, rating.low, rating.high});
  }
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.scale < b.scale; });
  return points;
}

void LevelFinder::fit() {
  curve_ = fitted();
  std::vector<double> elos;
  elos.reserve(curve_.size());
  for (const Estimate& point : curve_) elos.push_back(point.elo);
  make_rising(&elos);
  for (size_t i = 0; i < curve_.size(); ++i) curve_[i].elo = elos[i];
}

std::vector<PlacedLevel> LevelFinder::levels() const {
  const std::vector<Estimate> points = fitted();
  std::vector<PlacedLevel> levels;
  for (int level = 1; level <= kLevels; ++level) {
    const double scale = placed_[kLevels - level];
    const auto point =
        std::find_if(points.begin(), points.end(), [&](const Estimate& each) { return each.scale == scale; });
    levels.push_back({level, scale, point->elo, point->low, point->high, {}});
    if (level > 1) levels.back().against_below = score_of(scale, placed_[kLevels - level + 1]);
  }
  return levels;
}

double LevelFinder::elo_at(double scale) const {
  const auto above = std::lower_bound(curve_.begin(), curve_.end(), scale,
                                      [](const Estimate& point, double at) { return point.scale < at; });
  if (above == curve_.begin()) return curve_.front().elo;
  if (above == curve_.end()) return curve_.back().elo;
  const auto below = std::prev(above);
  const double share = (scale - below->scale) / (above->scale - below->scale);
  return below->elo + share * (above->elo - below->elo);
}

double LevelFinder::scale_at(double elo) const {
  const auto above = std::lower_bound(curve_.begin(), curve_.end(), elo,
                                      [](const Estimate& point, double at) { return point.elo < at; });
  if (above == curve_.begin()) return curve_.front().scale;
  if (above == curve_.end()) return curve_.back().scale;
  const auto below = std::prev(above);
  const double share = (elo - below->elo) / (above->elo - below->elo);
  return below->scale + share * (above->scale - below->scale);
}

}  // namespace makzero::train
