// Searches in lockstep find what they find alone, whatever shares their batches and wherever it is evaluated.
#include "mcts/lockstep.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "game/catalog.h"
#include "mcts/hash_evaluator.h"
#include "tests/support/deferred_evaluator.h"

namespace makzero::mcts {
namespace {

class LockstepTest : public ::testing::Test {
 protected:
  // Searches of the initial position that differ in seed and length.
  std::vector<Search> searches() const {
    std::vector<Search> made;
    for (int i = 0; i < 5; ++i) {
      SearchOptions options;
      options.simulations = 8 + 5 * i;
      made.emplace_back(*game_, options, 1 + i).set_root(start_, game::History(start_));
    }
    return made;
  }

  static std::vector<int> visits_of(const SearchResult& result) {
    std::vector<int> visits;
    for (const RootMove& move : result.moves) visits.push_back(move.visits);
    return visits;
  }

  const game::GamePtr game_ = *game::make_game("makyek");
  const game::Position start_ = game_->initial();
  HashEvaluator hashed_;
};

TEST_F(LockstepTest, SearchesTogetherFindWhatTheyFindAlone) {
  std::vector<Search> alone = searches(), together = searches();
  Lockstep lockstep;
  do {
    lockstep.step(&hashed_);
    for (Search& search : together) lockstep.gather(&search);
  } while (!lockstep.empty());
  for (size_t i = 0; i < alone.size(); ++i) {
    EXPECT_TRUE(together[i].done());
    EXPECT_EQ(visits_of(together[i].result()), visits_of(run_search(&alone[i], &hashed_)));
  }
}

TEST_F(LockstepTest, GathersSeveralLeavesOfASearchOnceItsRootIsEvaluated) {
  std::vector<Search> made = searches();
  Lockstep lockstep;
  EXPECT_EQ(lockstep.gather(&made.back(), 4), 1);
  lockstep.step(&hashed_);
  EXPECT_TRUE(lockstep.empty());
  EXPECT_EQ(lockstep.gather(&made.back(), 4), 4);
  EXPECT_EQ(lockstep.size(), 4);
}

TEST_F(LockstepTest, LeavesWaitForAnEvaluatorThatComputesElsewhere) {
  std::vector<Search> made = searches();
  testing::DeferredEvaluator deferred(&hashed_);
  Lockstep lockstep;
  for (Search& search : made) lockstep.gather(&search);
  lockstep.begin(&deferred);
  EXPECT_EQ(deferred.begun, std::vector<int>({5}));
  EXPECT_TRUE(deferred.finished.empty());
  lockstep.backup();
  EXPECT_EQ(deferred.finished, std::vector<int>({1}));
  EXPECT_FALSE(made.front().result().moves.empty());
}

TEST_F(LockstepTest, TheFailureOfAnEvaluatorIsThrownAndNothingIsBackedUp) {
  std::vector<Search> made = searches();
  testing::DeferredEvaluator deferred(&hashed_);
  deferred.fails = true;
  Lockstep lockstep;
  lockstep.gather(&made.front());
  lockstep.begin(&deferred);
  EXPECT_THROW(lockstep.backup(), std::runtime_error);
  EXPECT_FALSE(lockstep.empty());
  lockstep.clear();
  lockstep.step(&deferred);  // Nothing is left to evaluate.
  EXPECT_EQ(deferred.begun, std::vector<int>({1}));
}

}  // namespace
}  // namespace makzero::mcts
