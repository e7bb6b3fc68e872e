// Tests of both scores of a match and of the Elo estimate.
#include "train/match/match_score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "game/outcome.h"
#include "mcts/rng.h"

namespace makzero::train {
namespace {

using game::Result;

MatchRecord record_of(bool a_is_white, Result result, int final_material) {
  MatchRecord record;
  record.set_a_is_white(a_is_white);
  record.set_result(static_cast<std::uint32_t>(result));
  record.set_final_material(final_material);
  return record;
}

TEST(MatchScoreTest, CountsFromTheSideOfPlayerA) {
  const std::vector<MatchRecord> games = {
      record_of(true, Result::kWhiteWins, 0), record_of(false, Result::kWhiteWins, 0),
      record_of(false, Result::kBlackWins, 0), record_of(true, Result::kDraw, 0)};
  const MatchScore score = score_of(games);
  EXPECT_EQ(score.games, 4);
  EXPECT_EQ(score.wins, 2);
  EXPECT_EQ(score.draws, 1);
  EXPECT_EQ(score.losses, 1);
  EXPECT_DOUBLE_EQ(score.score(), 2.5 / 4);
  EXPECT_DOUBLE_EQ(score.decisive_share(), 0.75);
}

TEST(MatchScoreTest, MenThatASideHasFromTheStartAreNotTaken) {
  MatchRecord even = record_of(true, Result::kDraw, 300), behind = record_of(false, Result::kDraw, 200);
  even.set_initial_material(300);
  behind.set_initial_material(300);
  EXPECT_EQ(points_by_material(result_of(even)), 0.5);
  EXPECT_EQ(result_of(behind).lead, 100);
  EXPECT_EQ(points_by_material(result_of(behind)), 1);
}

TEST(MatchScoreTest, APairGoesToMorePointsThenToTheLeadInSum) {
  EXPECT_EQ(points_by_pair({.points = 1}, {.points = 0.5, .lead = -300}), 1);
  EXPECT_EQ(points_by_pair({.points = 0.5, .lead = 300}, {.points = 0}), 0);
  EXPECT_EQ(points_by_pair({.points = 1, .lead = 700}, {.points = 0, .lead = -600}), 1);
  EXPECT_EQ(points_by_pair({.points = 0.5, .lead = 100}, {.points = 0.5, .lead = -200}), 0);
  EXPECT_EQ(points_by_pair({.points = 0, .lead = -100}, {.points = 1, .lead = 100}), 0.5);
  const std::vector<MatchRecord> games = {
      record_of(true, Result::kWhiteWins, 700), record_of(false, Result::kWhiteWins, 600),
      record_of(true, Result::kDraw, 100), record_of(false, Result::kDraw, 100),
      record_of(true, Result::kWhiteWins, 100)};
  const MatchScore score = score_of(games);
  EXPECT_EQ(score.games, 5);
  EXPECT_EQ(score.pairs, 2);
  EXPECT_DOUBLE_EQ(score.score_by_pairs(), 0.75);
}

TEST(MatchScoreTest, ADrawnGameGoesToTheSideWithMoreMaterial) {
  const std::vector<MatchRecord> games = {
      record_of(true, Result::kDraw, 100), record_of(false, Result::kDraw, 100),
      record_of(false, Result::kDraw, -300), record_of(true, Result::kDraw, 0)};
  const MatchScore score = score_of(games);
  EXPECT_EQ(score.material_wins, 2);
  EXPECT_EQ(score.material_draws, 1);
  EXPECT_DOUBLE_EQ(score.score(), 0.5);
  EXPECT_DOUBLE_EQ(score.score_by_material(), 2.5 / 4);
}

TEST(MatchScoreTest, ADecidedGameIsNotGivenAwayByMaterial) {
  const std::vector<MatchRecord> games = {record_of(true, Result::kWhiteWins, -500)};
  EXPECT_DOUBLE_EQ(score_of(games).score_by_material(), 1);
}

TEST(MatchScoreTest, CapturesAndPliesAreMeansPerGame) {
  std::vector<MatchRecord> games = {record_of(true, Result::kDraw, 0), record_of(true, Result::kDraw, 0)};
  games[0].set_captured(700);
  games[1].add_moves(0);
  games[1].add_moves(0);
  const MatchScore score = score_of(games);
  EXPECT_DOUBLE_EQ(score.captures_per_game, 3.5);
  EXPECT_DOUBLE_EQ(score.plies_per_game, 1);
}

TEST(ConversionTest, CountsTheGamesThatPlayerALedAndThoseItWon) {
  std::vector<MatchRecord> games = {
      record_of(true, Result::kWhiteWins, 500), record_of(false, Result::kDraw, -100),
      record_of(false, Result::kWhiteWins, 300), record_of(true, Result::kWhiteWins, 100),
      record_of(true, Result::kDraw, 0)};
  games[0].set_white_lead(500);
  games[1].set_black_lead(400);  // Led, and did not finish.
  games[2].set_black_lead(700);  // Led, and lost.
  games[3].set_white_lead(399);
  games[4].set_black_lead(900);  // The other side led.
  EXPECT_EQ(conversion_of(games, 400).led, 3);
  EXPECT_EQ(conversion_of(games, 400).won, 1);
  EXPECT_EQ(conversion_of({}, 400).led, 0);
}

TEST(EndReasonsTest, TheMostFrequentComesFirst) {
  std::vector<MatchRecord> games(3, record_of(true, Result::kDraw, 0));
  games[0].set_reason(static_cast<std::uint32_t>(game::Reason::kCheckmate));
  for (const int i : {1, 2}) games[i].set_reason(static_cast<std::uint32_t>(game::Reason::kRepetition));
  EXPECT_THAT(end_reasons(games),
              testing::ElementsAre(testing::Pair("third repetition", 2), testing::Pair("checkmate", 1)));
  EXPECT_THAT(end_reasons({}), testing::IsEmpty());
}

TEST(MatchScoreTest, AReversedResultIsTheSameGameFromTheOtherSide) {
  const GameResult result = reversed(result_of(record_of(true, Result::kWhiteWins, 300)));
  EXPECT_DOUBLE_EQ(result.points, 0);
  EXPECT_EQ(result.lead, -300);
}

TEST(EloTest, AnEvenScoreIsZeroAmidItsInterval) {
  const EloEstimate elo = estimate_elo({1, 0, 0.5, 0.75, 0.25});
  EXPECT_NEAR(elo.elo, 0, 1e-9);
  EXPECT_NEAR(elo.low, -elo.high, 1e-6);
  EXPECT_LT(elo.low, -50);
}

TEST(EloTest, ThreeQuartersAreAbout190) {
  const EloEstimate elo = estimate_elo(std::vector<double>(1000, 0.75));
  EXPECT_NEAR(elo.elo, 190.8, 0.5);
}

TEST(EloTest, StaysFiniteWhenAllIsWonOrLost) {
  const EloEstimate won = estimate_elo(std::vector<double>(100, 1));
  EXPECT_GT(won.low, 400);
  EXPECT_TRUE(std::isfinite(won.elo));
  EXPECT_TRUE(std::isfinite(won.high));
  EXPECT_LT(won.elo, won.high);
  EXPECT_NEAR(estimate_elo(std::vector<double>(100, 0)).elo, -won.elo, 1e-6);
}

TEST(EloTest, PairsThatBalanceWithinThemselvesNarrowTheInterval) {
  std::vector<double> swings;
  swings.reserve(100);
  for (int i = 0; i < 100; ++i) swings.push_back(i % 2);
  const EloEstimate balanced = estimate_elo(std::vector<double>(100, 0.5)), swinging = estimate_elo(swings);
  EXPECT_LT(balanced.high - balanced.low, 0.2 * (swinging.high - swinging.low));
}

// Pairs of a player who is `elo` better, drawn at random.
std::vector<double> random_pairs(double elo, int pairs, std::uint64_t seed) {
  mcts::Rng rng(seed);
  const double score = score_of_elo(elo);
  std::vector<double> scores;
  for (int i = 0; i < pairs; ++i) scores.push_back(((rng.uniform() < score) + (rng.uniform() < score)) / 2.0);
  return scores;
}

TEST(EloTest, TheIntervalHoldsTheTruthIn95OfAHundredMatches) {
  int held = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    const EloEstimate elo = estimate_elo(random_pairs(50, 200, seed));
    held += elo.low <= 50 && 50 <= elo.high;
  }
  EXPECT_GE(held, 935);
  EXPECT_LE(held, 965);
}

TEST(SequentialTestTest, ItsBoundsAreThoseOfTheTwoErrors) {
  const SequentialState state = sequential_state({.elo0 = 0, .elo1 = 50, .alpha = 0.01, .beta = 0.1}, {});
  EXPECT_NEAR(state.upper, std::log(90), 1e-9);
  EXPECT_NEAR(state.lower, -std::log(9.9), 1e-9);
}

TEST(SequentialTestTest, ErrsAsRarelyAsItPromises) {
  const SequentialTest test{.elo0 = 0, .elo1 = 50};
  int wrong = 0, undecided = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const bool better = seed % 2 == 0;
    const std::vector<double> all = random_pairs(better ? 50 : 0, 2000, seed);
    std::vector<double> played;
    SequentialState state = sequential_state(test, {});
    for (size_t i = 0; i < all.size() && !state.decided(); i += 8) {
      played.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i));
      state = sequential_state(test, played);
    }
    undecided += !state.decided();
    wrong += state.decided() && (state.ratio >= state.upper) != better;
  }
  EXPECT_EQ(undecided, 0);
  EXPECT_LE(wrong, 20);  // 10 are expected.
}

TEST(SequentialTestTest, OneSidedResultsDecideSoonAndNoneAreUndecided) {
  const SequentialTest test{.elo0 = 0, .elo1 = 50};
  EXPECT_FALSE(sequential_state(test, {}).decided());
  const SequentialState won = sequential_state(test, std::vector<double>(50, 1));
  EXPECT_GE(won.ratio, won.upper);
  const SequentialState even = sequential_state(test, std::vector<double>(1000, 0.5));
  EXPECT_LE(even.ratio, even.lower);
}

TEST(EloTest, WithoutGamesTheIntervalIsWide) {
  const EloEstimate elo = estimate_elo({});
  EXPECT_NEAR(elo.elo, 0, 1e-9);
  EXPECT_GT(elo.high - elo.low, 300);
}

}  // namespace
}  // namespace makzero::train
