// Time for a move from results that are written by hand.
#include "mcts/search_time.h"

#include <gtest/gtest.h>

namespace makzero::mcts {
namespace {

using std::chrono::milliseconds;

const game::Move kFirst = game::Move::drop(1), kSecond = game::Move::drop(2);

class SearchTimeTest : public ::testing::Test {
 protected:
  // Milliseconds at which the search ends after this result.
  long after(int elapsed, game::Move best, float expected = 0, int visits = 0, int others = 0) {
    SearchInfo info;
    info.elapsed = milliseconds(elapsed);
    for (const auto& [move, its_visits] :
         {std::pair(best, visits), std::pair(best == kSecond ? kFirst : kSecond, others)})
      info.lines.push_back({.moves = {move},
                            .value = {.win = (1 + expected) / 2, .loss = (1 - expected) / 2},
                            .visits = its_visits,
                            .policy = move == best ? 0.9f : 0.1f});
    time_.update(info);
    return std::chrono::ceil<milliseconds>(time_.end()).count();
  }

  SearchTime time_{Limits{.time = milliseconds(1000), .most_time = milliseconds(3000)}};
};

TEST_F(SearchTimeTest, AMoveThatStaysTheBestTakesHalfOfTheTime) {
  EXPECT_EQ(time_.end(), milliseconds(1000));
  EXPECT_EQ(after(20, kFirst), 520);
  for (const int elapsed : {40, 100, 250, 500}) EXPECT_EQ(after(elapsed, kFirst), 520);
}

TEST_F(SearchTimeTest, AnotherBestMoveIsLookedAtAsLong) {
  after(20, kFirst);
  EXPECT_EQ(after(500, kSecond), 1000);
  EXPECT_EQ(after(900, kFirst), 1400);
  EXPECT_EQ(after(1300, kFirst), 1400);
}

TEST_F(SearchTimeTest, AFallingScoreTakesMoreTime) {
  after(20, kFirst, 0.2f);
  EXPECT_EQ(after(400, kFirst, 0.15f), 520) << "a small fall";
  EXPECT_EQ(after(450, kFirst, 0.05f), 950) << "in two steps";
  EXPECT_EQ(after(600, kFirst, 0.3f), 950) << "a rise";
  EXPECT_EQ(after(700, kFirst, 0.1f), 1200);
}

TEST_F(SearchTimeTest, TheMostIsNeverExceeded) {
  for (int elapsed = 100; elapsed < 2500; elapsed += 200)
    after(elapsed, elapsed % 400 == 100 ? kFirst : kSecond);
  EXPECT_EQ(after(2900, kFirst), 3000);
}

TEST_F(SearchTimeTest, AClearLeadInVisitsTakesAQuarter) {
  EXPECT_EQ(after(20, kFirst, 0, 90, 10), 270);
  EXPECT_EQ(after(200, kFirst, 0, 200, 100), 520);
  EXPECT_EQ(after(300, kSecond, 0, 300, 90), 550);
}

TEST_F(SearchTimeTest, ResultsAreTakenWhereTheyMayHaveChanged) {
  EXPECT_FALSE(time_.due(milliseconds(10)));
  EXPECT_TRUE(time_.due(milliseconds(16)));
  after(100, kFirst);
  EXPECT_FALSE(time_.due(milliseconds(110)));
  EXPECT_TRUE(time_.due(milliseconds(116)));
}

TEST(FixedSearchTimeTest, ATimeThatIsAskedForIsTaken) {
  const SearchTime time(Limits{.time = milliseconds(1000)});
  EXPECT_FALSE(time.due(milliseconds(500)));
  EXPECT_EQ(time.end(), milliseconds(1000));
}

}  // namespace
}  // namespace makzero::mcts
