// Tests of finding levels, with players whose strength along the scale is known.
#include "train/rating/level_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "mcts/rng.h"
#include "models/error.h"

namespace makzero::train {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// Games between players whose Elo is a function of the scale; `random` has 0.
class Simulation {
 public:
  explicit Simulation(std::function<double(double)> elo, std::uint64_t seed = 1)
      : elo_(std::move(elo)), rng_(seed) {}

  std::optional<MatchScore> play(double strong, double weak, int games) {
    std::vector<GameResult>& played = played_[{strong, weak}];
    while (static_cast<int>(played.size()) < games) {
      if (budget_-- == 0) return std::nullopt;
      GameResult game;
      const bool won = rng_.uniform() < score_of_elo(elo(strong) - elo(weak));
      const bool has_good_side = played.size() % 2 == 0;
      if (drawn_ || good_side_) game.lead = won ? 100 : -100;
      game.points = drawn_ ? 0.5 : good_side_ ? has_good_side : won;
      played.push_back(game);
      ++games_;
    }
    return score_of(played);
  }

  LevelFinder finder(int games = 200) {
    return {games, [this](double strong, double weak, int wanted) { return play(strong, weak, wanted); }};
  }

  double elo(double scale) const { return scale == LevelFinder::kRandom ? 0 : elo_(scale); }
  int games() const { return games_; }
  void stop_after(int games) { budget_ = games; }
  void draw_all() { drawn_ = true; }
  void let_the_good_side_win() { good_side_ = true; }  // Whoever has it: skill shows in the leads alone.

 private:
  std::function<double(double)> elo_;
  std::map<std::pair<double, double>, std::vector<GameResult>> played_;
  mcts::Rng rng_;
  int games_ = 0, budget_ = -1;
  bool drawn_ = false, good_side_ = false;
};

// Flat at the weak end, steep in the middle, as networks are.
double usual_curve(double scale) { return 1400 / (1 + std::exp(-8 * (scale - 0.4))); }

// What every table of levels must be.
void expect_spaced(const std::vector<PlacedLevel>& levels, const Simulation& players) {
  ASSERT_THAT(levels, SizeIs(10));
  EXPECT_EQ(levels.back().scale, 1);
  for (size_t i = 1; i < levels.size(); ++i) {
    EXPECT_EQ(levels[i].level, static_cast<int>(i) + 1);
    EXPECT_GT(levels[i].scale, levels[i - 1].scale);
    EXPECT_GT(levels[i].elo, levels[i - 1].elo);
    EXPECT_EQ(levels[i].against_below.games, 200);
    const double truth = score_of_elo(players.elo(levels[i].scale) - players.elo(levels[i - 1].scale));
    EXPECT_GT(truth, 0.55) << "level " << levels[i].level;
    EXPECT_LT(truth, 0.85) << "level " << levels[i].level;
  }
}

TEST(StrengthTest, TheScaleRunsFromDrawingAlmostAnyMoveToTheBestOfAllSimulations) {
  EXPECT_EQ(strength_at(0, 256).nodes, 1);
  EXPECT_FLOAT_EQ(strength_at(0, 256).temperature, 16);
  EXPECT_EQ(strength_at(0.75, 256).nodes, 16);
  EXPECT_EQ(strength_at(1, 256).nodes, 256);
  EXPECT_EQ(strength_at(1, 256).temperature, 0);
  for (int i = 1; i <= 1000; ++i) {
    const Strength weaker = strength_at((i - 1) / 1000.0, 256), stronger = strength_at(i / 1000.0, 256);
    EXPECT_LE(stronger.temperature, weaker.temperature);
    EXPECT_GE(stronger.nodes, weaker.nodes);
  }
}

TEST(LevelScoreTest, CountsMaterialTheMoreTheMoreGamesAreDrawn) {
  const auto drawn_of_ten = [](int drawn) {
    MatchScore score;
    for (int i = 0; i < 10; ++i) score.add({.points = i < drawn ? 0.5 : 1, .lead = 300});
    return level_score(score);
  };
  EXPECT_EQ(drawn_of_ten(4).measure, LevelMeasure::kRules);
  EXPECT_DOUBLE_EQ(drawn_of_ten(4).score, 0.8);
  EXPECT_EQ(drawn_of_ten(5).measure, LevelMeasure::kBoth);
  EXPECT_NEAR(drawn_of_ten(5).score, (0.75 + 1) / 2, 1e-9);
  EXPECT_EQ(drawn_of_ten(6).measure, LevelMeasure::kMaterial);
  EXPECT_DOUBLE_EQ(drawn_of_ten(6).score, 1);
}

TEST(LevelFinderTest, LevelsRiseInEqualSteps) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    Simulation players(usual_curve, seed);
    const auto levels = players.finder().find();
    ASSERT_TRUE(levels);
    expect_spaced(*levels, players);
    EXPECT_NEAR(levels->back().elo, players.elo(1), 200);
    EXPECT_LT(levels->front().elo, 250);
    EXPECT_LT(players.games(), 7000);
  }
}

TEST(LevelFinderTest, DrawnGamesAreCountedByMaterial) {
  Simulation players(usual_curve);
  players.draw_all();
  const auto levels = players.finder().find();
  ASSERT_TRUE(levels);
  expect_spaced(*levels, players);
  EXPECT_EQ(levels->back().against_below.measure, LevelMeasure::kMaterial);
}

TEST(LevelFinderTest, WhereASideWinsWhoeverHasItPairsAreCounted) {
  Simulation players(usual_curve);
  players.let_the_good_side_win();
  const auto levels = players.finder().find();
  ASSERT_TRUE(levels);
  ASSERT_THAT(*levels, SizeIs(10));
  EXPECT_EQ(levels->back().scale, 1);
  for (size_t i = 1; i < levels->size(); ++i) {
    const LevelScore& score = (*levels)[i].against_below;
    EXPECT_EQ(score.measure, LevelMeasure::kPairs);
    EXPECT_EQ(score.games, 200);
    EXPECT_GT(score.score, 0.55);
    EXPECT_LT(score.score, 0.85);
    EXPECT_GT(players.elo((*levels)[i].scale), players.elo((*levels)[i - 1].scale));
  }
}

TEST(LevelFinderTest, AWideRangeLeavesTheWeakestAboveRandom) {
  Simulation players([](double scale) { return 3000 * scale; });
  const auto levels = players.finder().find();
  ASSERT_TRUE(levels);
  expect_spaced(*levels, players);
  EXPECT_GT(players.elo(levels->front().scale), 900);
}

TEST(LevelFinderTest, AWideScaleIsUsedNearlyDownToItsFlatEnd) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    Simulation players([](double scale) { return 2000 * std::max(0.0, scale - 0.25) / 0.75; }, seed);
    const auto levels = players.finder().find();
    ASSERT_TRUE(levels);
    expect_spaced(*levels, players);
    EXPECT_LT(players.elo(levels->front().scale), 400);
  }
}

TEST(LevelFinderTest, AJumpInStrengthIsSteppedOver) {
  Simulation players([](double scale) { return 900 * scale + (scale > 0.6 ? 200 : 0); });
  const auto levels = players.finder().find();
  ASSERT_TRUE(levels);
  expect_spaced(*levels, players);
}

TEST(LevelFinderTest, ATooNarrowRangeIsSaid) {
  Simulation players([](double scale) { return 150 * scale; });
  try {
    players.finder().find();
    FAIL() << "ten levels were found where there are none";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("too narrow a range"));
    EXPECT_THAT(error.what(), HasSubstr("--simulations"));
  }
}

TEST(LevelFinderTest, APlaceThatDoesNotExistIsSaid) {
  Simulation players([](double scale) { return scale > 0.7 ? 2000 : 0; });
  try {
    players.finder().find();
    FAIL() << "ten levels were found where there are two";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot be placed"));
  }
}

TEST(LevelFinderTest, StoppedItGoesOnWithWhatWasPlayed) {
  Simulation whole(usual_curve), parted(usual_curve);
  const auto expected = whole.finder().find();
  parted.stop_after(1000);
  EXPECT_FALSE(parted.finder().find());
  parted.stop_after(-1);
  const auto levels = parted.finder().find();
  ASSERT_TRUE(expected && levels);
  EXPECT_EQ(parted.games(), whole.games());
  for (size_t i = 0; i < expected->size(); ++i) EXPECT_EQ((*levels)[i].scale, (*expected)[i].scale);
}

}  // namespace
}  // namespace makzero::train
