// Tests of tree search in steps, with a clock that only the evaluations move on.
#include "mcts/tree_searcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/hash_evaluator.h"
#include "mcts/searcher_batch.h"
#include "mcts/uniform_evaluator.h"
#include "tests/support/deferred_evaluator.h"

namespace makzero::mcts {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using ::testing::StartsWith;

// Each position costs that much of the clock.
class SlowEvaluator : public HashEvaluator {
 public:
  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override {
    now += static_cast<int>(requests.size()) * cost;
    evaluated += static_cast<int>(requests.size());
    largest = std::max(largest, requests.size());
    HashEvaluator::evaluate(requests, evaluations);
  }

  nanoseconds now{}, cost = milliseconds(1);
  int evaluated = 0;
  std::size_t largest = 0;
};

class TreeSearcherTest : public ::testing::Test {
 protected:
  SearchRoot root() const {
    return {.position = &state_.position(),
            .history = &state_.history(),
            .legal = &state_.legal(),
            .start = &start_,
            .moves = moves_};
  }

  void set_up(const std::string& text) {
    start_ = *parse_position(*game_, text);
    state_ = game::GameState(*game_, start_);
    moves_.clear();
  }

  void play(game::Move move) {
    state_.play(move);
    moves_.push_back(move);
  }

  Limits in_time(milliseconds time) {
    return {.time = time, .clock = [this] { return evaluator_.now; }};
  }

  SearchInfo search(TreeSearcher* searcher, const Limits& limits) {
    searcher->begin(root(), limits);
    SearcherBatch batch;
    Searcher* const all[] = {searcher};
    while (batch.step(all, {}, &evaluator_)) continue;
    return searcher->info();
  }

  // Milliseconds of a search of the position.
  double ms_of(TreeSearcher* searcher, milliseconds time) {
    const nanoseconds start = evaluator_.now;
    search(searcher, in_time(time));
    searcher->forget();
    return std::chrono::duration<double, std::milli>(evaluator_.now - start).count();
  }

  game::GamePtr game_ = *game::make_game("makruk");
  game::Position start_ = game_->initial();
  game::GameState state_{*game_};
  std::vector<game::Move> moves_;
  SlowEvaluator evaluator_;
};

constexpr int kBatch = 8;  // Evaluations between two looks at the clock, at most.

TEST_F(TreeSearcherTest, AMoveTakesItsTime) {
  for (const SearchAlgorithm algorithm : {SearchAlgorithm::kGumbel, SearchAlgorithm::kPuct}) {
    TreeSearcher searcher(*game_, {.search = {.algorithm = algorithm}});
    for (int move = 0; move < 5; ++move) EXPECT_NEAR(ms_of(&searcher, milliseconds(100)), 100, kBatch);
  }
}

TEST_F(TreeSearcherTest, MoreTimeIsMoreSimulations) {
  for (const int time : {50, 500}) {
    TreeSearcher searcher(*game_, {});
    evaluator_.evaluated = 0;
    ms_of(&searcher, milliseconds(time));
    EXPECT_NEAR(evaluator_.evaluated, time, kBatch);
  }
}

// Evaluations that are anything: some best moves are found early, some change late.
TEST_F(TreeSearcherTest, OnAGamesClockAMoveTakesLessOrMoreThanPlanned) {
  for (const SearchAlgorithm algorithm : {SearchAlgorithm::kGumbel, SearchAlgorithm::kPuct}) {
    int shorter = 0, longer = 0;
    state_ = game::GameState(*game_);
    moves_.clear();
    for (int move = 0; move < 20; ++move) {
      TreeSearcher searcher(*game_, {.search = {.algorithm = algorithm}});
      Limits limits = in_time(milliseconds(400));
      limits.most_time = milliseconds(800);
      const nanoseconds start = evaluator_.now;
      const SearchInfo info = search(&searcher, limits);
      const nanoseconds used = evaluator_.now - start;
      shorter += used < milliseconds(400 - kBatch);
      longer += used > milliseconds(400 + kBatch);
      EXPECT_LE(used, milliseconds(800 + kBatch));
      play(info.best());
    }
    EXPECT_GT(shorter, 0);
    EXPECT_GT(longer, 0);
  }
}

TEST_F(TreeSearcherTest, AProvenWinEndsTheSearch) {
  set_up("7k/8/6K1/8/8/8/r7/RR6 w");
  TreeSearcher searcher(*game_, {.search = {.algorithm = SearchAlgorithm::kPuct}});
  const SearchInfo info = search(&searcher, in_time(milliseconds(10'000)));
  EXPECT_LT(evaluator_.now, milliseconds(5'000));
  EXPECT_EQ(move_text(*game_, start_, info.best()), "b1b8");
  EXPECT_EQ(info.lines.front().end_in_plies, 1);
}

TEST_F(TreeSearcherTest, AGivenNumberOfSimulationsIsDoneExactly) {
  for (const int nodes : {1, 10, 400}) {
    TreeSearcher searcher(*game_, {});
    EXPECT_EQ(search(&searcher, {.nodes = nodes}).nodes, static_cast<std::uint64_t>(nodes));
  }
}

// So that a level plays as it was measured, and a move does not depend on what is searched beside it.
TEST_F(TreeSearcherTest, FewSimulationsAreGatheredOneByOne) {
  TreeSearcher searcher(*game_, {});
  search(&searcher, {.nodes = 64});
  EXPECT_EQ(evaluator_.largest, 1u);
  searcher.forget();
  search(&searcher, {.nodes = 512});
  EXPECT_EQ(evaluator_.largest, 8u);
}

TEST_F(TreeSearcherTest, TheTreeIsKeptWhereTheGameGoesOn) {
  TreeSearcher searcher(*game_, {});
  const SearchInfo first = search(&searcher, {.nodes = 400});
  ASSERT_GE(first.lines.front().moves.size(), 2u);
  play(first.lines.front().moves[0]);
  play(first.lines.front().moves[1]);
  searcher.begin(root(), {.nodes = 400});
  EXPECT_FALSE(searcher.step({}).empty());
  std::vector<Evaluation> raw(1);
  evaluator_.evaluate(std::vector{EvalRequest{game_.get(), &state_.position(), &state_.legal()}}, raw);
  searcher.backup(raw);
  int visits = 0;
  for (const Line& line : searcher.info().lines) visits += line.visits;
  EXPECT_GT(visits, 0) << "the tree was not kept";
}

TEST_F(TreeSearcherTest, AnotherGameAndARestrictedRootBeginANewTree) {
  TreeSearcher searcher(*game_, {});
  const game::Move only = state_.legal()[3];
  EXPECT_EQ(search(&searcher, {.nodes = 100, .search_moves = {only}}).best(), only);
  EXPECT_EQ(search(&searcher, {.nodes = 100}).lines.size(), static_cast<std::size_t>(state_.legal().size()));
  set_up("7k/8/6K1/8/8/8/r7/RR6 w");
  EXPECT_EQ(move_text(*game_, start_, search(&searcher, {.nodes = 200}).best()), "b1b8");
}

TEST_F(TreeSearcherTest, TheStopFlagEndsASearchWithoutLimits) {
  TreeSearcher searcher(*game_, {});
  std::atomic<bool> stop = false;
  searcher.begin(root(), {.stop = &stop});
  SearcherBatch batch;
  Searcher* const all[] = {&searcher};
  for (int step = 0; step < 20; ++step) EXPECT_TRUE(batch.step(all, {}, &evaluator_));
  stop = true;
  EXPECT_FALSE(batch.step(all, {}, &evaluator_));
  EXPECT_GT(searcher.info().nodes, 50u);
}

// White is thought to be behind, and can make a position stand for the third time.
TEST_F(TreeSearcherTest, WithContemptWhoIsBehindPlaysOn) {
  class Behind : public UniformEvaluator {
   public:
    void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override {
      UniformEvaluator::evaluate(requests, evaluations);
      for (std::size_t i = 0; i < requests.size(); ++i)
        evaluations[i].value = to_mover({0.45f, 0, 0.55f}, requests[i].position->to_move);
    }
  };
  Behind evaluator;
  set_up("7k/8/8/8/8/8/2R5/K7 w");
  for (const char* move : {"c2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8", "b2a2", "g8h8"})
    play(*game::parse_move(*game_, state_.position(), move));
  const game::Move repeats = *game::parse_move(*game_, state_.position(), "a2b2");
  for (const SearchAlgorithm algorithm : {SearchAlgorithm::kGumbel, SearchAlgorithm::kPuct}) {
    TreeSearcher searcher(*game_, {.search = {.algorithm = algorithm}});
    for (const auto& [contempt, plays_on] : {std::pair(0, false), {5, false}, {100, true}, {0, false}}) {
      searcher.begin(root(), {.nodes = 400, .contempt = contempt});
      SearcherBatch batch;
      Searcher* const all[] = {&searcher};
      while (batch.step(all, {}, &evaluator)) continue;
      EXPECT_EQ(searcher.info().best() != repeats, plays_on) << contempt;
    }
  }
}

TEST_F(TreeSearcherTest, TheSearchesOfManyGamesAreOneBatch) {
  std::vector<std::unique_ptr<TreeSearcher>> searchers;
  std::vector<Searcher*> all;
  for (int i = 0; i < 64; ++i) {
    all.push_back(
        searchers.emplace_back(std::make_unique<TreeSearcher>(*game_, TreeSearcherOptions{})).get());
    all.back()->begin(root(), {.nodes = 16});
  }
  SearcherBatch batch;
  int steps = 0;
  while (batch.step(all, {}, &evaluator_)) ++steps;
  EXPECT_EQ(evaluator_.largest, 64u);
  EXPECT_GE(evaluator_.evaluated, 64 * steps * 9 / 10) << "rows that a batch of 64 games fills";
}

// Computes its batches when they are finished, as if it were elsewhere, and notes the order.
class ElsewhereEvaluator : public AsynchronousEvaluator {
 public:
  Ticket begin(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override {
    const int number = begun++;
    order += "begin " + std::to_string(number % 2) + " ";
    return Ticket([this, requests, evaluations, number] {
      order += "finish " + std::to_string(number % 2) + " ";
      inner_.evaluate(requests, evaluations);
    });
  }
  int batches_under_way() const override { return 2; }

  std::string order;
  int begun = 0;

 private:
  HashEvaluator inner_;
};

// As its number of simulations is given, its moves may not depend on what is searched beside it.
TEST_F(TreeSearcherTest, OnlyASearchWithoutANumberOfSimulationsGathersWhileItsLeavesAreEvaluated) {
  const auto order = [&](const Limits& limits) {
    ElsewhereEvaluator elsewhere;
    TreeSearcher searcher(*game_, {});
    searcher.begin(root(), limits);
    Searcher* const alone[] = {&searcher};
    SearcherBatch batch;
    EXPECT_TRUE(batch.step(alone, {}, &elsewhere));
    return elsewhere.order;
  };
  EXPECT_EQ(order({}),
            "begin 0 finish 0 begin 1 begin 0 finish 1 begin 1 finish 0 begin 0 finish 1 begin 1 finish 0 "
            "finish 1 begin 0 begin 1 finish 0 begin 0 finish 1 begin 1 finish 0 begin 0 finish 1 finish 0 "
            "begin 1 begin 0 finish 1 begin 1 finish 0 begin 0 finish 1 begin 1 finish 0 finish 1 begin 0 "
            "begin 1 finish 0 finish 1 begin 0 begin 1 finish 0 begin 0 finish 1 begin 1 finish 0 finish 1 "
            "begin 0 begin 1 finish 0 begin 0 finish 1 begin 1 finish 0 finish 1 ");
  const std::atomic<bool> stop = true;
  EXPECT_EQ(order({.stop = &stop}), "begin 0 finish 0 ");
  EXPECT_THAT(order({.nodes = 100}), StartsWith("begin 0 finish 0 begin 1 finish 1 begin 0 finish 0 "));
}

TEST_F(TreeSearcherTest, HalfOfTheSearchesStepWhileTheOthersAreEvaluatedElsewhere) {
  ElsewhereEvaluator elsewhere;
  std::vector<SearchInfo> results[2];
  Evaluator* evaluators[2] = {&evaluator_, &elsewhere};
  for (int which = 0; which < 2; ++which) {
    std::vector<std::unique_ptr<TreeSearcher>> searchers;
    std::vector<Searcher*> all;
    for (int i = 0; i < 5; ++i) {
      all.push_back(
          searchers.emplace_back(std::make_unique<TreeSearcher>(*game_, TreeSearcherOptions{})).get());
      all.back()->begin(root(), {.nodes = 10 + i, .seed = static_cast<std::uint64_t>(i)});
    }
    SearcherBatch batch;
    ASSERT_TRUE(batch.step(all, {}, evaluators[which]));
    EXPECT_THAT(elsewhere.order, StartsWith(which == 0 ? "" : "begin 0 begin 1 finish 0 begin 0 "));
    while (batch.step(all, {}, evaluators[which])) continue;
    for (const auto& searcher : searchers) results[which].push_back(searcher->info());
  }
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(results[0][i].nodes, results[1][i].nodes);
    EXPECT_EQ(results[0][i].best(), results[1][i].best());
    EXPECT_EQ(results[0][i].value.win, results[1][i].value.win);
  }
}

// The searches may go once a step has failed, and their positions with them.
TEST_F(TreeSearcherTest, NothingIsUnderWayAfterAStepThatFailed) {
  testing::DeferredEvaluator deferred(&evaluator_);
  TreeSearcher first(*game_, {}), second(*game_, {});
  Searcher* const both[] = {&first, &second};
  for (Searcher* searcher : both) searcher->begin(root(), {.nodes = 10});
  SearcherBatch batch;
  deferred.fails = true;
  EXPECT_THROW(batch.step(both, {}, &deferred), std::runtime_error);
  EXPECT_EQ(deferred.finished, (std::vector{1, 2}));
}

}  // namespace
}  // namespace makzero::mcts
