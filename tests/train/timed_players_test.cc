// Tests of players by processor time, with a clock that only the evaluations move on.
#include "train/match/timed_players.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "mcts/uniform_evaluator.h"

namespace makzero::train {
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

// Knows nothing; each position costs that much of the fake clock.
struct FakeTime {
  nanoseconds now{};
  nanoseconds cost = milliseconds(1);
  int evaluations = 0;

  MoveTime per_move(milliseconds time) {
    return {time, [this] { return now; }};
  }
};

class SlowEvaluator : public mcts::UniformEvaluator {
 public:
  explicit SlowEvaluator(FakeTime* time) : time_(time) {}

  void evaluate(std::span<const mcts::EvalRequest> requests,
                std::span<mcts::Evaluation> evaluations) override {
    time_->now += static_cast<int>(requests.size()) * time_->cost;
    time_->evaluations += static_cast<int>(requests.size());
    mcts::UniformEvaluator::evaluate(requests, evaluations);
  }

 private:
  FakeTime* time_;
};

class TimedSearchTest : public ::testing::Test {
 protected:
  std::unique_ptr<Player> player(milliseconds per_move,
                                 mcts::SearchAlgorithm algorithm = mcts::SearchAlgorithm::kGumbel) {
    mcts::SearchOptions options;
    options.algorithm = algorithm;
    options.max_considered_actions = 0;
    options.gumbel_scale = 0;
    return std::make_unique<TimedSearchPlayer>(*game_, options, std::make_unique<SlowEvaluator>(&time_),
                                               time_.per_move(per_move));
  }

  // The time of a move in this position (empty: the initial one); `move_` is the move.
  double ms_of_move(Player* player, const std::string& text = "") {
    const game::Position position = text.empty() ? game_->initial() : *parse_position(*game_, text);
    const game::History history(position);
    const std::vector<game::Move> moves;
    game::MoveList legal;
    game_->legal_moves(position, &legal);
    const Turn turn = {&position, &history, &legal, &moves, 1};
    const nanoseconds start = time_.now;
    player->choose({&turn, 1}, {&move_, 1});
    return std::chrono::duration<double, std::milli>(time_.now - start).count();
  }

  game::GamePtr game_ = *game::make_game("makruk");
  FakeTime time_;
  game::Move move_;
};

constexpr int kBatch = 8;  // Evaluations between two looks at the clock, at most.

TEST_F(TimedSearchTest, AMoveTakesItsTime) {
  for (const mcts::SearchAlgorithm algorithm :
       {mcts::SearchAlgorithm::kGumbel, mcts::SearchAlgorithm::kPuct}) {
    const auto player = this->player(milliseconds(100), algorithm);
    for (int move = 0; move < 5; ++move) EXPECT_NEAR(ms_of_move(player.get()), 100, kBatch);
  }
}

TEST_F(TimedSearchTest, AverageOverAGameIsTheTimePerMoveThoughTheSpeedChanges) {
  const auto player = this->player(milliseconds(100));
  double sum = 0;
  constexpr int kMoves = 60;
  for (int move = 0; move < kMoves; ++move) {
    time_.cost = std::chrono::microseconds(300 + 900 * (move % 5));
    const double used = ms_of_move(player.get());
    sum += used;
    EXPECT_NEAR(used, 100, 2.1 * kBatch * 3.9) << "at most a batch over, and as much less after it";
  }
  EXPECT_NEAR(sum / kMoves, 100, 1);
}

TEST_F(TimedSearchTest, ATimeThatOneEvaluationOverspendsIsMadeUpFor) {
  const auto player = this->player(milliseconds(10));
  time_.cost = milliseconds(6);
  double sum = 0;
  for (int move = 0; move < 50; ++move) sum += ms_of_move(player.get());
  EXPECT_NEAR(sum / 50, 10, 0.5);
}

TEST_F(TimedSearchTest, MoreTimeIsMoreSimulations) {
  const auto evaluations = [this](milliseconds per_move) {
    const auto player = this->player(per_move);
    time_.evaluations = 0;
    ms_of_move(player.get());
    return time_.evaluations;
  };
  EXPECT_NEAR(evaluations(milliseconds(50)), 50, kBatch);
  EXPECT_NEAR(evaluations(milliseconds(500)), 500, kBatch);
}

TEST_F(TimedSearchTest, AForcedMoveTakesNoTimeAndLeavesItToTheNext) {
  const std::string in_check = "k7/8/8/8/8/r7/1r6/K7 w";
  const auto player = this->player(milliseconds(100));
  EXPECT_EQ(ms_of_move(player.get(), in_check), 0);
  EXPECT_EQ(move_text(*game_, *parse_position(*game_, in_check), move_), "a1b2");
  EXPECT_NEAR(ms_of_move(player.get()), 200, kBatch);
}

TEST_F(TimedSearchTest, AProvenWinEndsTheSearch) {
  const std::string mate_in_one = "7k/8/6K1/8/8/8/r7/RR6 w";
  const auto player = this->player(milliseconds(10'000), mcts::SearchAlgorithm::kPuct);
  EXPECT_LT(ms_of_move(player.get(), mate_in_one), 5'000);
  EXPECT_EQ(move_text(*game_, *parse_position(*game_, mate_in_one), move_), "b1b8");
}

TEST_F(TimedSearchTest, AlphaBetaTakesItsTime) {
  MoveTime clock = {milliseconds(20), [this] { return time_.now += std::chrono::microseconds(100); }};
  TimedAlphaBetaPlayer player(*game_, clock);
  for (int move = 0; move < 5; ++move) EXPECT_NEAR(ms_of_move(&player), 20, 1);
  const std::string mate_in_one = "7k/8/6K1/8/8/8/r7/RR6 w";
  EXPECT_LT(ms_of_move(&player, mate_in_one), 10);
  EXPECT_EQ(move_text(*game_, *parse_position(*game_, mate_in_one), move_), "b1b8");
}

}  // namespace
}  // namespace makzero::train
