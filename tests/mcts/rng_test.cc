// Random numbers: fixed sequences and the moments of the distributions.
#include "mcts/rng.h"

#include <gtest/gtest.h>

#include <functional>

namespace makzero::mcts {
namespace {

// Reference values of SplitMix64 for seed 1234567, published with the algorithm.
TEST(RngTest, SequenceIsThatOfSplitMix64) {
  Rng rng(1234567);
  EXPECT_EQ(rng.next(), 6457827717110365317u);
  EXPECT_EQ(rng.next(), 3203168211198807973u);
  EXPECT_EQ(rng.next(), 9817491932198370423u);
}

TEST(RngTest, StateContinuesTheSequence) {
  Rng rng(7);
  rng.next();
  Rng continued(rng.state());
  EXPECT_EQ(rng.next(), continued.next());
}

TEST(RngTest, BelowReachesEveryNumberAndNoOther) {
  Rng rng(1);
  int counts[7] = {};
  for (int i = 0; i < 70000; ++i) ++counts[rng.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

constexpr int kDraws = 200000;

struct Moments {
  double mean = 0, variance = 0;
};

Moments moments(const std::function<double(Rng*)>& draw) {
  Rng rng(3);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw(&rng);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, squares / kDraws - mean * mean};
}

TEST(RngTest, UniformHasItsMoments) {
  const Moments found = moments([](Rng* rng) { return rng->uniform(); });
  EXPECT_NEAR(found.mean, 0.5, 0.003);
  EXPECT_NEAR(found.variance, 1.0 / 12, 0.002);
}

TEST(RngTest, GumbelHasItsMoments) {
  const Moments found = moments([](Rng* rng) { return rng->gumbel(); });
  EXPECT_NEAR(found.mean, 0.5772, 0.015);
  EXPECT_NEAR(found.variance, 1.6449, 0.03);
}

TEST(RngTest, NormalHasItsMoments) {
  const Moments found = moments([](Rng* rng) { return rng->normal(); });
  EXPECT_NEAR(found.mean, 0, 0.01);
  EXPECT_NEAR(found.variance, 1, 0.02);
}

TEST(RngTest, GammaHasItsMomentsForSmallAndLargeShapes) {
  for (const double shape : {0.3, 1.0, 4.5}) {
    const Moments found = moments([shape](Rng* rng) { return rng->gamma(shape); });
    EXPECT_NEAR(found.mean, shape, 0.02 * shape + 0.005) << shape;
    EXPECT_NEAR(found.variance, shape, 0.05 * shape) << shape;
  }
}

}  // namespace
}  // namespace makzero::mcts
