// Lazy SMP: helpers change how far a search comes, not what is true.
#include "mcts/alpha_beta/parallel_searcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "tests/support/small_network.h"

namespace makzero::mcts {
namespace {

class ParallelSearcherTest : public ::testing::Test {
 protected:
  std::unique_ptr<Searcher> searcher(int threads) const {
    return make_parallel_searcher(*makruk_, network_, alpha_beta_options(makruk_->info()), 1 << 20, threads);
  }

  SearchInfo search(Searcher* searcher, const char* text, const Limits& limits) const {
    const game::Position position = *game::parse_position(*makruk_, text);
    const game::History history(position);
    game::MoveList legal;
    makruk_->legal_moves(position, &legal);
    searcher->begin({&position, &history, &legal, &position}, limits);
    while (!searcher->done()) searcher->step({.nodes = 1 << 12});
    return searcher->info();
  }

  static constexpr const char* kStart = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
  game::GamePtr makruk_ = *game::make_game("makruk");
  SmallNetwork network_ = testing::random_small_network(makruk_->info(), 3);
};

TEST_F(ParallelSearcherTest, AMateIsFoundWithAnyNumberOfThreads) {
  for (const int threads : {1, 2, 4}) {
    const SearchInfo found =
        search(searcher(threads).get(), "7k/8/5K2/8/8/8/8/RR6 w - - 0 1", {.time = std::chrono::seconds(20)});
    EXPECT_GT(found.lines.front().end_in_plies.value_or(0), 0) << threads;
    EXPECT_GT(found.lines.front().centipawns, 0) << threads;
  }
}

TEST_F(ParallelSearcherTest, PositionsOfAllThreadsCountAndASearchCanFollowAnother) {
  const auto one = searcher(1), four = searcher(4);
  for (int i = 0; i < 3; ++i) {
    const SearchInfo found = search(four.get(), kStart, {.time = std::chrono::milliseconds(60)});
    EXPECT_FALSE(found.lines.front().moves.empty());
    // As deep by one thread costs fewer positions than all have looked at.
    EXPECT_GT(found.nodes, search(one.get(), kStart, {.depth = found.depth - 2}).nodes);
    if (i == 1) four->forget();
  }
}

TEST_F(ParallelSearcherTest, ASearchToADepthIsThatOfOneThread) {
  const SearchInfo one = search(searcher(1).get(), kStart, {.depth = 6}),
                   four = search(searcher(4).get(), kStart, {.depth = 6});
  EXPECT_EQ(four.nodes, one.nodes);
  EXPECT_EQ(four.lines.front().moves, one.lines.front().moves);
}

TEST_F(ParallelSearcherTest, ASearchToADepthCountsNothingOfTheOneBeforeIt) {
  const auto two = searcher(2);
  search(two.get(), kStart, {.time = std::chrono::milliseconds(60)});
  two->forget();
  EXPECT_EQ(search(two.get(), kStart, {.depth = 4}).nodes,
            search(searcher(1).get(), kStart, {.depth = 4}).nodes);
}

TEST_F(ParallelSearcherTest, IsStoppedByTheFlagAndLeftInTheMiddle) {
  std::atomic<bool> stop = false;
  const auto two = searcher(2);
  const game::Position position = makruk_->initial();
  const game::History history(position);
  game::MoveList legal;
  makruk_->legal_moves(position, &legal);
  two->begin({&position, &history, &legal, &position}, {.stop = &stop});
  two->step({.nodes = 1000});
  EXPECT_FALSE(two->done());
  stop = true;
  while (!two->done()) two->step({});
  EXPECT_FALSE(two->info().lines.front().moves.empty());
  stop = false;
  two->begin({&position, &history, &legal, &position}, {.stop = &stop});
  two->step({.nodes = 1000});  // Its helpers go on, until it is destroyed.
}

// Here time is up between the step and the look at the searcher: helpers would search on while the other side
// thinks.
TEST_F(ParallelSearcherTest, ItsHelpersStopHoweverItsTimeRunsOut) {
  const auto two = searcher(2);
  int looks = 0;
  const SearchInfo found = search(two.get(), kStart, {.time = std::chrono::nanoseconds(4), .clock = [&] {
                                                        return std::chrono::nanoseconds(looks++);
                                                      }});
  EXPECT_LE(found.depth, 2);
  const std::uint64_t nodes = two->info().nodes;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(two->info().nodes, nodes);
}

}  // namespace
}  // namespace makzero::mcts
