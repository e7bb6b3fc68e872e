// Evaluators without a network, and the two points of view of a value.
#include "mcts/evaluator.h"

#include <gtest/gtest.h>

#include <numeric>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/hash_evaluator.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/search.h"
#include "mcts/uniform_evaluator.h"
#include "tests/support/search_driver.h"
#include "tests/support/toy_games.h"

namespace makzero::mcts {
namespace {

using testing::Stones;

Evaluation evaluate(Evaluator* evaluator, const game::Game& game, const game::Position& position) {
  game::MoveList legal;
  game.legal_moves(position, &legal);
  const EvalRequest request = {&position, &legal, 1};
  Evaluation evaluation;
  evaluator->evaluate({&request, 1}, {&evaluation, 1});
  EXPECT_EQ(static_cast<int>(evaluation.priors.size()), legal.size());
  EXPECT_NEAR(std::accumulate(evaluation.priors.begin(), evaluation.priors.end(), 0.0f), 1, 1e-5);
  EXPECT_NEAR(evaluation.value.win + evaluation.value.draw + evaluation.value.loss, 1, 1e-5);
  return evaluation;
}

TEST(ValueTest, PointsOfViewAreMirrorsOfEachOther) {
  const MoverValue mover = {0.5f, 0.3f, 0.2f};
  EXPECT_FLOAT_EQ(to_white(mover, game::Color::kWhite).white, 0.5f);
  EXPECT_FLOAT_EQ(to_white(mover, game::Color::kBlack).white, 0.2f);
  EXPECT_FLOAT_EQ(to_mover(to_white(mover, game::Color::kBlack), game::Color::kBlack).win, 0.5f);
  EXPECT_FLOAT_EQ(to_white(mover, game::Color::kBlack).expected(), -0.3f);
}

TEST(UniformEvaluatorTest, PriorsAreEqualAndTheValueEven) {
  const Stones game(5);
  UniformEvaluator evaluator;
  const Evaluation evaluation = evaluate(&evaluator, game, game.initial());
  EXPECT_FLOAT_EQ(evaluation.priors[0], 1.0f / 3);
  EXPECT_FLOAT_EQ(evaluation.value.win, evaluation.value.loss);
}

TEST(HashEvaluatorTest, AnswersDependOnThePositionAlone) {
  const Stones game(5);
  HashEvaluator one, other;
  const Evaluation first = evaluate(&one, game, game.initial());
  evaluate(&one, game, game.at(3));
  EXPECT_EQ(evaluate(&one, game, game.initial()).priors, first.priors);
  EXPECT_EQ(evaluate(&other, game, game.initial()).value.win, first.value.win);
  EXPECT_NE(evaluate(&one, game, game.at(4)).value.win, first.value.win);
}

TEST(RolloutEvaluatorTest, LastStoneIsWonEveryTime) {
  const Stones game(1);
  RolloutEvaluator evaluator(game, {.rollouts = 4, .max_plies = 10}, 1);
  const Evaluation evaluation = evaluate(&evaluator, game, game.initial());
  EXPECT_FLOAT_EQ(evaluation.value.win, 1);
  EXPECT_FLOAT_EQ(evaluation.moves_left, 1);
}

TEST(RolloutEvaluatorTest, ValueIsTheMoversShareOfRandomGames) {
  const Stones game(2);  // One in two games is won at once; the other one is lost at once.
  RolloutEvaluator evaluator(game, {.rollouts = 4000, .max_plies = 10}, 1);
  game::Position black = game.initial();
  black.to_move = game::Color::kBlack;
  EXPECT_NEAR(evaluate(&evaluator, game, game.initial()).value.win, 0.5, 0.05);
  EXPECT_NEAR(evaluate(&evaluator, game, black).value.win, 0.5, 0.05);
  const Stones three(3);  // One in three wins at once, one loses at once, one leaves two: 1/3 + 1/3 * 1/2.
  RolloutEvaluator other(three, {.rollouts = 4000, .max_plies = 10}, 1);
  EXPECT_NEAR(evaluate(&other, three, three.initial()).value.win, 0.5, 0.05);
}

TEST(RolloutEvaluatorTest, GameCutShortIsDecidedByMaterial) {
  const game::GamePtr game = *game::make_game("makyek");
  const game::Position position = *game::parse_position(*game, "mmmmmmmm/8/8/8/8/8/8/M6M b");
  RolloutEvaluator evaluator(*game, {.rollouts = 1, .max_plies = 1}, 1);
  EXPECT_FLOAT_EQ(evaluate(&evaluator, *game, position).value.win, 1);
}

TEST(RolloutEvaluatorTest, SearchWithRolloutsFindsTheWin) {
  const Stones game(30);
  RolloutEvaluator evaluator(game, {.rollouts = 2, .max_plies = 50}, 1);
  SearchOptions options;
  options.root = RootPolicy::kPuct;
  options.simulations = 5000;
  EXPECT_EQ(testing::search_position(game, game.initial(), options, &evaluator).best, game::Move::drop(1));
}

}  // namespace
}  // namespace makzero::mcts
