// Tests of the balance of a time per move.
#include "models/player/move_time.h"

#include <gtest/gtest.h>

#include <chrono>

namespace makzero::models {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// The mean time per move of a player that uses `use(allowed)`, after so many moves.
template <class Use>
double mean_ms(milliseconds per_move, int moves, const Use& use) {
  TimeBalance balance(per_move, milliseconds(1));
  nanoseconds sum{};
  for (int move = 0; move < moves; ++move) {
    const nanoseconds used = use(balance.next());
    balance.add(used);
    sum += used;
  }
  return std::chrono::duration<double, std::milli>(sum).count() / moves;
}

TEST(TimeBalanceTest, TheMeanIsTheTimePerMove) {
  const milliseconds hundred(100);
  EXPECT_NEAR(mean_ms(hundred, 40, [](nanoseconds allowed) { return allowed; }), 100, 0.01);
  EXPECT_NEAR(mean_ms(hundred, 40, [](nanoseconds allowed) { return allowed + milliseconds(7); }), 100, 1);
  EXPECT_NEAR(mean_ms(hundred, 40, [](nanoseconds allowed) { return allowed - milliseconds(20); }), 100, 1);
  EXPECT_NEAR(mean_ms(hundred, 40, [](nanoseconds allowed) { return 6 * allowed / 10; }), 100, 2);
}

TEST(TimeBalanceTest, WhatIsOverspentIsTakenFromTheNextMoves) {
  TimeBalance balance(milliseconds(100), milliseconds(50));
  balance.add(milliseconds(130));
  EXPECT_EQ(balance.next(), milliseconds(70));
  balance.add(milliseconds(60));
  EXPECT_EQ(balance.next(), milliseconds(110));
}

TEST(TimeBalanceTest, AMoveGetsBetweenTheLeastAndTwiceTheTime) {
  TimeBalance balance(milliseconds(100), milliseconds(40));
  balance.add(milliseconds(300));
  EXPECT_EQ(balance.next(), milliseconds(40));
  for (int move = 0; move < 4; ++move) balance.add(milliseconds(0));
  EXPECT_EQ(balance.next(), milliseconds(200));
}

TEST(TimeBalanceTest, AStallIsPaidForByTenMovesAtMost) {
  TimeBalance balance(milliseconds(100), milliseconds(1));
  balance.add(milliseconds(30'000));
  for (int move = 0; move < 10; ++move) {
    EXPECT_EQ(balance.next(), milliseconds(1));
    balance.add(milliseconds(0));
  }
  EXPECT_EQ(balance.next(), milliseconds(100));
}

}  // namespace
}  // namespace makzero::models
