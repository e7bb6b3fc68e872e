// The root's order of simulations, and the values and policies that selection rests on.
#include "mcts/action_selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mcts/select.h"
#include "tests/support/toy_games.h"

namespace makzero::mcts {
namespace {

using game::Color;
using game::Result;

std::vector<int> halving_visits(int considered, int simulations) {
  HalvingSchedule schedule;
  schedule.begin(considered, 0);
  std::vector<int> visits(simulations);
  for (int i = 0; i < simulations; ++i) visits[i] = schedule.step(i, simulations).visits;
  return visits;
}

TEST(HalvingTest, OneMoveGetsEverything) {
  EXPECT_EQ(halving_visits(1, 5), (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(HalvingTest, FourMovesAndEightSimulationsAreAsInMctx) {
  EXPECT_EQ(halving_visits(4, 8), (std::vector<int>{0, 0, 0, 0, 1, 1, 2, 2}));
}

TEST(HalvingTest, ThreeMovesAndTenSimulationsAreAsInMctx) {
  EXPECT_EQ(halving_visits(3, 10), (std::vector<int>{0, 0, 0, 1, 1, 2, 2, 3, 3, 4}));
}

TEST(HalvingTest, SixteenMovesAndAsManySimulationsGetOneEach) {
  EXPECT_EQ(halving_visits(16, 16), std::vector<int>(16, 0));
}

TEST(HalvingTest, SixteenMovesAndThirtyTwoSimulationsAreAsInMctx) {
  std::vector<int> expected(16, 0);
  expected.insert(expected.end(), 8, 1);
  expected.insert(expected.end(), {2, 2, 2, 2, 3, 3, 3, 3});
  EXPECT_EQ(halving_visits(16, 32), expected);
}

// The whole table against mctx's loop, written as there.
TEST(HalvingTest, EveryTableEqualsTheSequenceBuiltStepByStep) {
  for (int considered = 2; considered <= 40; ++considered) {
    for (const int simulations : {1, 2, 7, 16, 50, 64, 200, 801}) {
      const int rounds = static_cast<int>(std::ceil(std::log2(considered)));
      std::vector<int> sequence;
      int visits = 0;
      for (int moves = considered; static_cast<int>(sequence.size()) < simulations;
           moves = std::max(2, moves / 2)) {
        const int extra = std::max(1, simulations / (rounds * moves));
        for (int i = 0; i < extra; ++i) sequence.insert(sequence.end(), moves, visits++);
      }
      sequence.resize(simulations);
      ASSERT_EQ(halving_visits(considered, simulations), sequence) << considered << " moves, " << simulations;
    }
  }
}

TEST(HalvingTest, RoundBeginsWhereTheMovesAreHalved) {
  HalvingSchedule schedule;
  schedule.begin(16, 100);
  std::vector<int> begins;
  for (int i = 100; i < 132; ++i) {
    const bool begin = schedule.step(i, 32).new_round;
    EXPECT_EQ(schedule.step(i, 32).new_round, begin) << "asked again, as it was not done";
    if (begin) begins.push_back(i);
  }
  EXPECT_EQ(begins, (std::vector<int>{116, 124}));
}

// Eight moves and three rounds, each a third of what is expected when it ends.
TEST(HalvingTest, RoundsFollowWhatIsExpected) {
  HalvingSchedule schedule;
  schedule.begin(8, 0);
  std::vector<int> begins;
  for (int i = 0; i < 600; ++i) {
    if (schedule.step(i, i < 100 ? 240 : 600).new_round) begins.push_back(i);
  }
  EXPECT_EQ(begins, (std::vector<int>{80, 280, 480})) << "the last round would have begun anew at 480";
}

TEST(HalvingTest, FewerThanExpectedEndARoundWithItsRow) {
  HalvingSchedule schedule;
  schedule.begin(4, 0);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(schedule.step(i, 1000).new_round);
  EXPECT_FALSE(schedule.step(10, 12).new_round);
  EXPECT_FALSE(schedule.step(11, 12).new_round);
  EXPECT_EQ(schedule.step(12, 12).visits, 3);
  EXPECT_TRUE(schedule.step(12, 12).new_round);
}

// A root with the given priors, White to move unless said otherwise, whose own value is even.
class RootTest : public ::testing::Test {
 protected:
  void make_root(const std::vector<float>& priors, Color to_move = Color::kWhite, float evaluation = 0) {
    tree_.clear(to_move);
    game::MoveList legal;
    for (size_t i = 0; i < priors.size(); ++i) legal.add(game::Move::drop(static_cast<int>(i)));
    tree_.enter(kRootNode);
    tree_.expand(kRootNode, legal, priors, evaluation);
    tree_.backup(kRootNode, {0.5f, 0, 0.5f}, 40);
    options_.moves_left_weight = 0;
  }

  // Sends simulations through a move, each with this value of White.
  NodeId visit(int edge, WhiteValue value, int times = 1, float moves_left = 40) {
    NodeId id = kNoNode;
    for (int i = 0; i < times; ++i) {
      id = start(edge);
      tree_.backup(id, value, moves_left);
    }
    return id;
  }

  NodeId start(int edge) {
    const NodeId id = tree_.child(kRootNode, edge, other(tree_.root().to_move));
    tree_.enter(kRootNode);
    tree_.enter(id);
    return id;
  }

  void finish(int edge, Result result) {
    const NodeId id = start(edge);
    tree_.mark_terminal(id, result);
    tree_.backup(id, {}, 0);
  }

  // The rule that options_ name, at the beginning of a search of this root.
  std::unique_ptr<ActionSelection> begin_search() {
    auto rule = make_action_selection(options_);
    Rng rng(1);
    rule->begin(tree_, &rng);
    return rule;
  }

  const Node& child(int edge) { return tree_.node(tree_.edges(tree_.root())[edge].child); }
  float child_value(int edge) { return child_utility(tree_.root(), child(edge), options_); }

  Tree tree_;
  SearchOptions options_;
};

constexpr WhiteValue kGood = {0.7f, 0.2f, 0.1f};  // 0.6 for White.
constexpr WhiteValue kBad = {0.1f, 0.2f, 0.7f};

TEST_F(RootTest, UtilityIsTheMoversAndDrawsCountForBothSides) {
  EXPECT_FLOAT_EQ(utility(kGood, Color::kWhite, 0), 0.6f);
  EXPECT_FLOAT_EQ(utility(kGood, Color::kBlack, 0), -0.6f);
  EXPECT_FLOAT_EQ(utility({0, 1, 0}, Color::kWhite, -0.5f), -0.5f);
  EXPECT_FLOAT_EQ(utility({0, 1, 0}, Color::kBlack, -0.5f), -0.5f);
}

TEST_F(RootTest, ValueIsHeldWithinItsBounds) {
  make_root({0.5f, 0.5f});
  const NodeId id = visit(0, kBad);
  game::MoveList legal;
  legal.add(game::Move::drop(0));
  legal.add(game::Move::drop(1));
  tree_.expand(id, legal, std::vector<float>{0.5f, 0.5f}, 0);
  // Black may draw by one of his replies: White cannot have more than a draw.
  const NodeId reply = tree_.child(id, 0, Color::kWhite);
  for (const NodeId node : {kRootNode, id, reply}) tree_.enter(node);
  tree_.mark_terminal(reply, Result::kDraw);
  tree_.backup(reply, {}, 0);
  EXPECT_EQ(child(0).bounds, (Bounds{-1, 0}));
  visit(0, kGood, 10);
  EXPECT_FLOAT_EQ(child_value(0), 0);
  options_.draw_score = -0.3f;
  EXPECT_FLOAT_EQ(child_value(0), -0.3f);
}

TEST_F(RootTest, MixedValueAndCompletedQAreAsComputedByHand) {
  make_root({0.5f, 0.3f, 0.2f}, Color::kWhite, 0.2f);
  visit(0, {1, 0, 0}, 3);
  visit(1, {0.25f, 0, 0.75f}, 1);
  // Visited: (0.5 * 1 + 0.3 * -0.5) / 0.8 = 0.4375; mixed with the evaluation: (0.2 + 4 * 0.4375) / 5 = 0.39.
  std::vector<float> sigma(3);
  const float unvisited = completed_q(tree_, tree_.root(), options_, sigma);
  EXPECT_FLOAT_EQ(unvisited, 53 * (1 + 0.39f) / 2);
  EXPECT_FLOAT_EQ(sigma[0], 53);
  EXPECT_FLOAT_EQ(sigma[1], 53 * 0.25f);
  EXPECT_FLOAT_EQ(sigma[2], unvisited);
}

TEST_F(RootTest, WithoutVisitsTheMixedValueIsTheEvaluation) {
  make_root({0.5f, 0.5f}, Color::kBlack, -0.4f);
  std::vector<float> sigma(2);
  EXPECT_FLOAT_EQ(completed_q(tree_, tree_.root(), options_, sigma), 50 * 0.3f);
}

TEST_F(RootTest, ImprovedPolicyIsTheSoftmaxOfLogitsAndCompletedQ) {
  make_root({0.6f, 0.3f, 0.1f}, Color::kBlack);
  options_.c_visit = 2;
  visit(1, kBad, 2);  // Good for Black, 0.6.
  Rng rng(1);
  const auto rule = make_action_selection(options_);
  rule->begin(tree_, &rng);
  std::vector<float> sigma(3), weights(3);
  completed_q(tree_, tree_.root(), options_, sigma);
  const float priors[] = {0.6f, 0.3f, 0.1f};
  float sum = 0;
  for (int i = 0; i < 3; ++i) sum += weights[i] = priors[i] * std::exp(sigma[i]);
  const std::vector<float> policy = rule->policy(tree_);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(policy[i], weights[i] / sum, 1e-5);
  EXPECT_GT(policy[1], 0.3f);
}

TEST_F(RootTest, InnerRuleTakesTheMoveThatLagsBehindThePolicy) {
  make_root({0.62f, 0.3f, 0.08f});
  options_.c_scale = 0;  // The improved policy is the prior.
  std::vector<int> order;
  for (int i = 0; i < 10; ++i) {
    tree_.enter(kRootNode);
    order.push_back(select_improved(tree_, tree_.root(), options_));
    tree_.cancel(kRootNode, kNoNode);
    visit(order.back(), kGood);
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 0, 0, 1, 0, 2, 0, 1, 0}));
}

TEST_F(RootTest, OwnValueIsLeftWhenTheChildrenAreTakenAway) {
  make_root({0.5f, 0.3f, 0.2f});
  visit(0, kGood, 3);
  finish(1, Result::kBlackWins);
  EXPECT_NEAR(tree_.own_value(tree_.root()).white, 0.5f, 1e-6);
  EXPECT_NEAR(tree_.own_value(tree_.root()).draw, 0, 1e-6);
}

// Sequential halving visits bad moves as often as good ones; only the good one will be played.
TEST_F(RootTest, GumbelValueIsWhatTheImprovedPolicyExpects) {
  make_root({0.4f, 0.4f, 0.2f});
  options_.c_visit = 2;
  visit(0, kGood, 2);
  visit(1, kBad, 2);
  Rng rng(1);
  const auto rule = make_action_selection(options_);
  rule->begin(tree_, &rng);
  const std::vector<float> policy = rule->policy(tree_);
  // The move without visits has the mixed value: own 0.5 0 0.5 once, 0.4 0.2 0.4 four times.
  const float white = policy[0] * 0.7f + policy[1] * 0.1f + policy[2] * 0.42f;
  const float black = policy[0] * 0.1f + policy[1] * 0.7f + policy[2] * 0.42f;
  const WhiteValue value = rule->value(tree_);
  EXPECT_NEAR(value.white, white, 1e-5);
  EXPECT_NEAR(value.black, black, 1e-5);
  EXPECT_NEAR(value.white + value.draw + value.black, 1, 1e-6);
  EXPECT_GT(value.white, tree_.root().value().white);
}

TEST_F(RootTest, GumbelValueLeavesProvenLossesOutAndIsExactWhereTheRootIs) {
  make_root({0.5f, 0.5f});
  visit(0, kBad);
  finish(1, Result::kBlackWins);
  Rng rng(1);
  const auto rule = make_action_selection(options_);
  rule->begin(tree_, &rng);
  EXPECT_NEAR(rule->value(tree_).white, kBad.white, 1e-6);
  finish(0, Result::kWhiteWins);
  EXPECT_FLOAT_EQ(rule->value(tree_).white, 1);
}

TEST_F(RootTest, PuctValueIsTheMeanOfTheVisits) {
  make_root({0.5f, 0.5f});
  options_.algorithm = SearchAlgorithm::kPuct;
  visit(0, kGood);
  EXPECT_FLOAT_EQ(make_action_selection(options_)->value(tree_).white, 0.6f);
}

TEST_F(RootTest, PuctFormulaIsAsComputedByHand) {
  make_root({0.5f, 0.3f, 0.2f});
  visit(0, {0.6f, 0, 0.4f}, 3);    // 0.2
  visit(1, {0.65f, 0, 0.35f}, 1);  // 0.3
  // Root: 5 visits, mean value (0 + 0.6 + 0.3) / 5 = 0.18. Exploration 1.25 (the base adds 0.0003): times
  // sqrt 5 = 2.795. 0.2 + 2.795 * 0.5 / 4 = 0.549; 0.3 + 2.795 * 0.3 / 2 = 0.719; 0.18 - 0.2 + 2.795 * 0.2 =
  // 0.539.
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, {}), 1);
  visit(1, {0.65f, 0, 0.35f}, 1);
  // Root: 6 visits, mean 0.2; factor 3.062: 0.583, 0.606, 0.612.
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, {}), 2);
  options_.fpu_reduction = 0.25f;  // 0.562.
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, {}), 1);
}

TEST_F(RootTest, DescentUnderWayCountsAsALostVisit) {
  make_root({0.8f, 0.2f});
  visit(0, kGood, 2);
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, {}), 0);
  const NodeId id = start(0);
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, {}), 1);
  tree_.cancel(id, kNoNode);
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, {}), 0);
  EXPECT_EQ(tree_.root().in_flight, 0);
  EXPECT_EQ(child(0).in_flight, 0);
}

TEST_F(RootTest, NoiseIsMixedIntoThePriors) {
  make_root({0.6f, 0.4f});
  options_.noise_fraction = 0.5f;
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, {}), 0);
  const std::vector<float> noise = {0, 1};
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, noise), 1);
}

TEST_F(RootTest, ProvenLossIsLeftOutByEveryRule) {
  make_root({0.98f, 0.02f});
  finish(0, Result::kBlackWins);
  EXPECT_EQ(select_puct(tree_, tree_.root(), options_, {}), 1);
  EXPECT_EQ(select_improved(tree_, tree_.root(), options_), 1);
  for (const SearchAlgorithm algorithm : {SearchAlgorithm::kGumbel, SearchAlgorithm::kPuct}) {
    options_.algorithm = algorithm;
    options_.gumbel_scale = 0;
    Rng rng(1);
    const auto rule = make_action_selection(options_);
    rule->begin(tree_, &rng);
    EXPECT_EQ(rule->root_edge(tree_, 0), 1);
    EXPECT_EQ(rule->best_edge(tree_), 1);
    EXPECT_FLOAT_EQ(rule->policy(tree_)[1], 1);
  }
}

TEST_F(RootTest, WhenAllMovesLoseTheSlowestIsPlayed) {
  make_root({0.5f, 0.5f});
  finish(0, Result::kBlackWins);
  // The other move loses too, two plies later.
  NodeId id = start(1);
  game::MoveList one;
  one.add(game::Move::drop(0));
  tree_.expand(id, one, std::vector<float>{1}, 0);
  const NodeId reply = tree_.child(id, 0, Color::kWhite);
  tree_.enter(reply);
  tree_.mark_terminal(reply, Result::kBlackWins);
  tree_.backup(reply, {}, 0);
  EXPECT_EQ(tree_.root().bounds, (Bounds{-1, -1}));
  EXPECT_FLOAT_EQ(tree_.root().mean_moves_left(), 2);
  const auto rule = make_action_selection(options_);
  Rng rng(1);
  rule->begin(tree_, &rng);
  EXPECT_EQ(rule->best_edge(tree_), 1);
}

TEST_F(RootTest, DrawScoreDecidesBetweenADrawAndAnEvenFight) {
  make_root({0.5f, 0.5f});
  options_.algorithm = SearchAlgorithm::kPuct;
  visit(0, {0, 1, 0}, 4);
  visit(1, {0.5f, 0, 0.5f}, 4);
  options_.draw_score = -0.2f;
  EXPECT_EQ(make_action_selection(options_)->best_edge(tree_), 1);
  options_.draw_score = 0.2f;
  EXPECT_EQ(make_action_selection(options_)->best_edge(tree_), 0);
}

TEST_F(RootTest, QuickerWinAndSlowerLossArePreferred) {
  for (const bool winning : {true, false}) {
    make_root({0.5f, 0.5f});
    options_.algorithm = SearchAlgorithm::kPuct;
    options_.moves_left_weight = 0.02f;
    const WhiteValue value = winning ? WhiteValue{0.9f, 0, 0.1f} : WhiteValue{0.1f, 0, 0.9f};
    visit(0, value, 4, 50);
    visit(1, value, 4, 30);
    EXPECT_EQ(make_action_selection(options_)->best_edge(tree_), winning ? 1 : 0);
  }
}

TEST_F(RootTest, MovesLeftDoNotMatterInAnEvenGame) {
  make_root({0.5f, 0.5f});
  options_.moves_left_weight = 0.02f;
  visit(0, {0.6f, 0, 0.4f}, 4, 50);
  visit(1, {0.6f, 0, 0.4f}, 4, 30);
  EXPECT_FLOAT_EQ(child_value(0), child_value(1));
}

TEST_F(RootTest, NewRoundOfHalvingWaitsForLeavesInFlight) {
  make_root({0.25f, 0.25f, 0.25f, 0.25f});
  options_.simulations = 8;
  options_.gumbel_scale = 0;
  Rng rng(1);
  const auto rule = make_action_selection(options_);
  rule->begin(tree_, &rng);
  std::vector<NodeId> waiting;
  for (int i = 0; i < 4; ++i) {
    const std::optional<int> edge = rule->root_edge(tree_, i);
    ASSERT_TRUE(edge.has_value());
    waiting.push_back(start(*edge));
  }
  EXPECT_FALSE(rule->root_edge(tree_, 4).has_value());
  for (size_t i = 0; i < waiting.size(); ++i) tree_.backup(waiting[i], i == 2 ? kGood : kBad, 0);
  EXPECT_EQ(rule->root_edge(tree_, 4), 2);
}

TEST_F(RootTest, SharesOfNoiseAreDrawnOncePerRoot) {
  make_root({0.25f, 0.25f, 0.25f, 0.25f});
  options_.algorithm = SearchAlgorithm::kPuct;
  options_.dirichlet_alpha = 0.3f;
  Rng rng(1), same(1);
  const auto rule = make_action_selection(options_), again = make_action_selection(options_);
  rule->begin(tree_, &rng);
  again->begin(tree_, &same);
  EXPECT_EQ(rule->root_edge(tree_, 0), again->root_edge(tree_, 0));
  EXPECT_EQ(rng.state(), same.state());
}

// Whether the search is settled when it has done so many simulations of those that are expected.
TEST_F(RootTest, ASearchIsSettledWhenTheRestCannotChangeTheMove) {
  for (const SearchAlgorithm algorithm : {SearchAlgorithm::kGumbel, SearchAlgorithm::kPuct}) {
    options_.algorithm = algorithm;
    options_.gumbel_scale = 0;
    options_.simulations = 1000;
    make_root({0.5f, 0.3f, 0.2f});
    const auto rule = begin_search();
    visit(0, kGood, 12);
    visit(1, kBad, 8);
    const auto settled = [&](int left) {
      options_.expected_simulations = 20 + left;
      return rule->settled(tree_, 20);
    };
    EXPECT_TRUE(settled(0));
    EXPECT_TRUE(settled(3)) << "the other move has not even as many visits";
    EXPECT_FALSE(settled(400));
    finish(1, Result::kBlackWins);
    EXPECT_FALSE(settled(400)) << "the third move is still there";
    finish(2, Result::kBlackWins);
    EXPECT_TRUE(settled(400)) << "there is no other move";
  }
}

// Twenty wins bring the mean of eight visits from -0.6 to 0.54: less than 0.6, the mean of the best move.
TEST_F(RootTest, WhatCannotReachTheBestMoveDoesNotHoldUpAGumbelSearch) {
  options_.gumbel_scale = 0;
  options_.simulations = 1000;
  make_root({0.5f, 0.5f});
  const auto rule = begin_search();
  visit(0, kGood, 8);
  visit(1, kBad, 8);
  const auto settled = [&](int left) {
    options_.expected_simulations = 16 + left;
    return rule->settled(tree_, 16);
  };
  EXPECT_TRUE(settled(20));
  EXPECT_FALSE(settled(40));
}

}  // namespace
}  // namespace makzero::mcts
