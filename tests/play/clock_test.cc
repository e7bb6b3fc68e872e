// The time for a move from what the client says of the clock.
#include "play/engine/clock.h"

#include <gtest/gtest.h>

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kOverhead{30};

struct Case {
  const char* claim;
  int remaining, increment, moves_to_go;
  int planned, most;  // For the move [ms].
};

class ClockTest : public testing::TestWithParam<Case> {};

TEST_P(ClockTest, PlansAShareAndNeverSpendsTheClock) {
  const Case& c = GetParam();
  const ClockTimes clock{milliseconds(c.remaining), milliseconds(c.increment), c.moves_to_go};
  const MoveTime time = time_for_move(clock, kOverhead);
  EXPECT_EQ(time.planned.count(), c.planned) << c.claim;
  EXPECT_EQ(time.most.count(), c.most) << c.claim;
}

INSTANTIATE_TEST_SUITE_P(
    Table, ClockTest,
    testing::Values(Case{"a whole game is shared among thirty moves", 60'030, 0, 0, 2'000, 6'000},
                    Case{"most of the increment is spent", 60'030, 1'000, 0, 2'750, 8'250},
                    Case{"known moves share all that is left", 10'030, 0, 10, 1'000, 3'000},
                    Case{"the last move before the control keeps a fifth", 10'030, 0, 1, 8'000, 8'000},
                    Case{"many moves to go are not starved", 60'030, 0, 100, 2'000, 6'000},
                    Case{"an unstable move keeps a fifth", 10'030, 0, 2, 5'000, 8'000},
                    Case{"an increment larger than the clock cannot be spent", 130, 5'000, 0, 80, 80},
                    Case{"nothing left still gives a move", 0, 0, 0, 1, 1},
                    Case{"less than the overhead still gives a move", 20, 0, 0, 1, 1},
                    Case{"a clock that ran below zero still gives a move", -500, 100, 0, 1, 1}));

}  // namespace
}  // namespace makzero::play
