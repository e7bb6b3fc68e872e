// Evaluators without a network, and the two points of view of a value.
#include "mcts/evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/hash_evaluator.h"
#include "mcts/material_evaluator.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/search.h"
#include "mcts/uniform_evaluator.h"
#include "tests/support/deferred_evaluator.h"
#include "tests/support/search_driver.h"
#include "tests/support/toy_games.h"

namespace makzero::mcts {
namespace {

using testing::Stones;

Evaluation evaluate(Evaluator* evaluator, const game::Game& game, const game::Position& position) {
  game::MoveList legal;
  game.legal_moves(position, &legal);
  const EvalRequest request = {&game, &position, &legal, 1};
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

// What the evaluator says of the best move of a position, and of its value.
struct Judgement {
  std::string best;
  float value = 0;  // Expected result for the side to move.
};

Judgement judge(const std::string& ruleset, const std::string& text, const MaterialOptions& options = {}) {
  const game::GamePtr game = *game::make_game(ruleset);
  const game::Position position = *game::parse_position(*game, text);
  MaterialEvaluator evaluator(options);
  const Evaluation evaluation = evaluate(&evaluator, *game, position);
  game::MoveList legal;
  game->legal_moves(position, &legal);
  const auto best = std::ranges::max_element(evaluation.priors);
  return {game::move_text(*game, position, legal[static_cast<int>(best - evaluation.priors.begin())]),
          evaluation.value.win - evaluation.value.loss};
}

TEST(MaterialEvaluatorTest, WinsInOneAreCertain) {
  const Stones game(1);
  MaterialEvaluator evaluator;
  const Evaluation evaluation = evaluate(&evaluator, game, game.initial());
  EXPECT_FLOAT_EQ(evaluation.value.win, 1);
  EXPECT_FLOAT_EQ(evaluation.moves_left, 1);
}

TEST(MaterialEvaluatorTest, UndefendedPieceIsTakenDefendedOneIsNot) {
  // The rook may take a knight that a pawn guards, or one that nobody does.
  const Judgement free = judge("makruk", "4k3/8/8/3n4/8/8/3R4/4K3 w - - 0 1");
  EXPECT_EQ(free.best, "d2d5");
  EXPECT_GT(free.value, 0.5f);
  const Judgement guarded = judge("makruk", "4k3/8/2p5/3n4/8/8/3R4/4K3 w - - 0 1");
  EXPECT_NE(guarded.best, "d2d5");
  // Who does not look behind his own capture takes it.
  EXPECT_EQ(judge("makruk", "4k3/8/2p5/3n4/8/8/3R4/4K3 w - - 0 1", {.capture_plies = 0}).best, "d2d5");
}

TEST(MaterialEvaluatorTest, FlankedManIsTaken) {
  // White, a man behind, takes the man of c4 between b4 and d4.
  const Judgement white = judge("makyek", "m7/8/8/8/2mM4/8/1M6/7m w");
  EXPECT_EQ(white.best, "b2b4");
  EXPECT_NEAR(white.value, 0, 0.05f);
}

TEST(MaterialEvaluatorTest, LeadIsWorthAsMuchToEitherColour) {
  const Judgement ahead = judge("makyek", "mm6/8/8/8/8/8/8/MMMM4 w");
  const Judgement behind = judge("makyek", "mmmm4/8/8/8/8/8/8/MM6 w");
  EXPECT_NEAR(ahead.value, -behind.value, 0.1f);
  EXPECT_GT(ahead.value, 0.3f);
}

TEST(MaterialEvaluatorTest, CheckThatWinsIsSeenBeforeItIsGiven) {
  const std::string mate_in_one = "4k3/8/8/8/8/1r6/r7/7K w - - 0 1";
  EXPECT_FLOAT_EQ(judge("makruk", mate_in_one).value, -1);
  // Nothing stops the rook from giving check, which wins Ka Ok and is but a lead in Makruk.
  const std::string check_in_one = "4k3/8/8/8/8/8/r7/5K2 w - - 0 1";
  EXPECT_FLOAT_EQ(judge("kaok", check_in_one).value, -1);
  EXPECT_GT(judge("makruk", check_in_one).value, -0.999f);
}

TEST(MaterialEvaluatorTest, BareKingIsDrivenToTheEdgeAndApproached) {
  const std::string far = "8/8/8/3k4/8/8/7R/2K5 w - - 0 1";
  EXPECT_EQ(judge("makruk", far).best.substr(0, 2), "c1");
  EXPECT_EQ(judge("makruk", far).best[3], '2');
  EXPECT_NE(judge("makruk", far, {.drive_weight = 0}).best.substr(0, 2), "c1");
  // The same distances, nearer to the edge; and who is bare sees it the other way round.
  EXPECT_GT(judge("makruk", "3k4/8/8/8/K7/8/7R/8 w - - 0 1").value, judge("makruk", far).value);
  EXPECT_LT(judge("makruk", "3k4/8/8/8/K7/8/7R/8 b - - 0 1").value,
            judge("makruk", "8/8/8/3k4/8/8/7R/2K5 b - - 0 1").value);
  // Nobody is bare.
  const std::string pieces = "8/8/8/3k4/n7/8/7R/K7 w - - 0 1";
  EXPECT_EQ(judge("makruk", pieces).value, judge("makruk", pieces, {.drive_weight = 0}).value);
}

TEST(TicketTest, FinishesOnceAndThenTheWorkAfterIt) {
  std::string order;
  Ticket ticket = Ticket([&] { order += "a"; }).then([&] { order += "b"; });
  EXPECT_FALSE(ticket.done());
  EXPECT_EQ(order, "");
  ticket.finish();
  EXPECT_TRUE(ticket.done());
  ticket.finish();
  EXPECT_EQ(order, "ab");
}

TEST(TicketTest, OfADoneBatchDoesMoreWorkAtOnce) {
  int worked = 0;
  EXPECT_TRUE(Ticket().then([&] { ++worked; }).done());
  EXPECT_EQ(worked, 1);
}

TEST(TicketTest, IsFinishedBeforeItIsDestroyedOrReplaced) {
  int finished = 0;
  {
    Ticket ticket([&] { ++finished; });
    ticket = Ticket([&] { finished += 10; });
    EXPECT_EQ(finished, 1);
  }
  EXPECT_EQ(finished, 11);
}

TEST(TicketTest, ThrowsWhatTheEvaluationThrewAndSkipsTheWork) {
  bool worked = false;
  Ticket ticket = Ticket([] { throw std::runtime_error("broken"); }).then([&] { worked = true; });
  EXPECT_THROW(ticket.finish(), std::runtime_error);
  EXPECT_FALSE(worked);
  const Ticket abandoned([] { throw std::runtime_error("lost"); });
}

TEST(EvaluatorTest, ASimpleOneIsDoneWhenItHasBegun) {
  const Stones game(5);
  const game::Position position = game.initial();
  game::MoveList legal;
  game.legal_moves(position, &legal);
  const EvalRequest request = {&game, &position, &legal, 1};
  Evaluation evaluation;
  UniformEvaluator evaluator;
  EXPECT_TRUE(evaluator.begin({&request, 1}, {&evaluation, 1}).done());
  EXPECT_EQ(static_cast<int>(evaluation.priors.size()), legal.size());
  EXPECT_EQ(evaluator.batches_under_way(), 1);
}

TEST(MaterialEvaluatorTest, ABatchMayMixGames) {
  const game::GamePtr makruk = *game::make_game("makruk"), kaok = *game::make_game("kaok");
  // A check in one, which wins Ka Ok and is but a lead in Makruk.
  const game::Position position = *game::parse_position(*makruk, "4k3/8/8/8/8/8/r7/5K2 w - - 0 1");
  game::MoveList legal;
  makruk->legal_moves(position, &legal);
  const EvalRequest requests[] = {{makruk.get(), &position, &legal}, {kaok.get(), &position, &legal}};
  Evaluation evaluations[2];
  MaterialEvaluator evaluator;
  evaluator.evaluate(requests, evaluations);
  for (int i = 0; i < 2; ++i) {
    const Evaluation alone = evaluate(&evaluator, *requests[i].game, position);
    EXPECT_EQ(evaluations[i].value.loss, alone.value.loss) << i;
  }
  EXPECT_LT(evaluations[0].value.loss, 0.999f);
  EXPECT_FLOAT_EQ(evaluations[1].value.loss, 1);
}

TEST(RolloutEvaluatorTest, LastStoneIsWonEveryTime) {
  const Stones game(1);
  RolloutEvaluator evaluator({.rollouts = 4, .max_plies = 10}, 1);
  const Evaluation evaluation = evaluate(&evaluator, game, game.initial());
  EXPECT_FLOAT_EQ(evaluation.value.win, 1);
  EXPECT_FLOAT_EQ(evaluation.moves_left, 1);
}

TEST(RolloutEvaluatorTest, ValueIsTheMoversShareOfRandomGames) {
  const Stones game(2);  // One in two games is won at once; the other one is lost at once.
  RolloutEvaluator evaluator({.rollouts = 4000, .max_plies = 10}, 1);
  game::Position black = game.initial();
  black.to_move = game::Color::kBlack;
  EXPECT_NEAR(evaluate(&evaluator, game, game.initial()).value.win, 0.5, 0.05);
  EXPECT_NEAR(evaluate(&evaluator, game, black).value.win, 0.5, 0.05);
  const Stones three(3);  // One in three wins at once, one loses at once, one leaves two: 1/3 + 1/3 * 1/2.
  RolloutEvaluator other({.rollouts = 4000, .max_plies = 10}, 1);
  EXPECT_NEAR(evaluate(&other, three, three.initial()).value.win, 0.5, 0.05);
}

TEST(RolloutEvaluatorTest, GameCutShortIsDecidedByMaterial) {
  const game::GamePtr game = *game::make_game("makyek");
  const game::Position position = *game::parse_position(*game, "mmmmmmmm/8/8/8/8/8/8/M6M b");
  RolloutEvaluator evaluator({.rollouts = 1, .max_plies = 1}, 1);
  EXPECT_FLOAT_EQ(evaluate(&evaluator, *game, position).value.win, 1);
}

TEST(RolloutEvaluatorTest, SearchWithRolloutsFindsTheWin) {
  const Stones game(30);
  RolloutEvaluator evaluator({.rollouts = 2, .max_plies = 50}, 1);
  SearchOptions options;
  options.algorithm = SearchAlgorithm::kPuct;
  options.simulations = 5000;
  EXPECT_EQ(testing::search_position(game, game.initial(), options, &evaluator).best, game::Move::drop(1));
}

}  // namespace
}  // namespace makzero::mcts
