// The cache: hits give what a miss gives, the key is everything that an evaluation depends on, memory is
// bounded.
#include "nn/evaluators/caching_evaluator.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "game/catalog.h"
#include "nn/encoder.h"
#include "tests/nn/nn_samples.h"
#include "tests/support/deferred_evaluator.h"

namespace makzero::nn {
namespace {

// Numbers that depend on the whole request, and a count of what was asked.
class CountingEvaluator : public mcts::Evaluator {
 public:
  void evaluate(std::span<const mcts::EvalRequest> requests,
                std::span<mcts::Evaluation> evaluations) override {
    batches.push_back(static_cast<int>(requests.size()));
    for (size_t i = 0; i < requests.size(); ++i) {
      const auto key = static_cast<float>(game::evaluation_key(*requests[i].position) % 1000);
      const auto seen = static_cast<float>(requests[i].occurrences);
      evaluations[i].value = {key / 1000, seen / 10, 0};
      evaluations[i].moves_left = requests[i].position->ply;
      evaluations[i].priors.resize(requests[i].legal->size());
      for (int j = 0; j < requests[i].legal->size(); ++j)
        evaluations[i].priors[j] = key + static_cast<float>(j);
    }
  }

  std::vector<int> batches;  // Sizes.
};

bool same(const mcts::Evaluation& a, const mcts::Evaluation& b) {
  return a.value.win == b.value.win && a.value.draw == b.value.draw && a.value.loss == b.value.loss &&
         a.moves_left == b.moves_left && a.priors == b.priors;
}

// Passes on to what a fixture owns, for a cache that owns what it is given.
class BorrowedEvaluator : public mcts::AsynchronousEvaluator {
 public:
  explicit BorrowedEvaluator(mcts::Evaluator* inner) : inner_(inner) {}

  mcts::Ticket begin(std::span<const mcts::EvalRequest> requests,
                     std::span<mcts::Evaluation> evaluations) override {
    return inner_->begin(requests, evaluations);
  }
  int batches_under_way() const override { return inner_->batches_under_way(); }

 private:
  mcts::Evaluator* inner_;
};

std::unique_ptr<mcts::Evaluator> cache_before(mcts::Evaluator* inner, std::size_t entries) {
  return make_caching_evaluator(std::make_unique<BorrowedEvaluator>(inner), entries);
}

class CachingEvaluatorTest : public ::testing::Test {
 protected:
  mcts::Evaluation evaluate(mcts::Evaluator* evaluator, const mcts::EvalRequest& request) {
    mcts::Evaluation evaluation;
    evaluator->evaluate({&request, 1}, {&evaluation, 1});
    return evaluation;
  }

  game::GamePtr game_ = *game::make_game("makruk");
  CountingEvaluator inner_;
  std::vector<SamplePosition> samples_ = sample_positions(*game_, 40, 3);
};

TEST_F(CachingEvaluatorTest, AHitGivesWhatTheMissGave) {
  const auto cache = cache_before(&inner_, 1024);
  const mcts::EvalRequest request = requests_for(*game_, samples_)[5];
  const mcts::Evaluation miss = evaluate(cache.get(), request), hit = evaluate(cache.get(), request);
  EXPECT_TRUE(same(miss, hit));
  EXPECT_EQ(inner_.batches, std::vector<int>{1});
}

TEST_F(CachingEvaluatorTest, EqualRequestsOfABatchAreEvaluatedOnce) {
  const auto cache = cache_before(&inner_, 1024);
  const std::vector<mcts::EvalRequest> all = requests_for(*game_, samples_);
  const std::vector<mcts::EvalRequest> batch = {all[0], all[1], all[0], all[2], all[1], all[0]};
  std::vector<mcts::Evaluation> evaluations(batch.size());
  cache->evaluate(batch, evaluations);
  EXPECT_EQ(inner_.batches, std::vector<int>{3});
  for (size_t i = 0; i < batch.size(); ++i) {
    EXPECT_TRUE(same(evaluations[i], evaluate(&inner_, batch[i]))) << i;
  }
}

TEST_F(CachingEvaluatorTest, HitsAndMissesMixInABatch) {
  const auto cache = cache_before(&inner_, 1024);
  const std::vector<mcts::EvalRequest> all = requests_for(*game_, samples_);
  std::vector<mcts::Evaluation> evaluations(all.size());
  cache->evaluate(std::span(all).first(20), std::span(evaluations).first(20));
  cache->evaluate(all, evaluations);
  EXPECT_EQ(inner_.batches, (std::vector<int>{20, 20}));
  for (size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(same(evaluations[i], evaluate(&inner_, all[i]))) << i;
}

TEST_F(CachingEvaluatorTest, CountersAndOccurrencesArePartOfTheKey) {
  const auto cache = cache_before(&inner_, 1024);
  SamplePosition sample = samples_[5];
  mcts::EvalRequest request{game_.get(), &sample.position, &sample.legal, 1};
  const auto misses_after = [&](const auto& change) {
    const size_t before = inner_.batches.size();
    change();
    evaluate(cache.get(), request);
    return inner_.batches.size() - before;
  };
  EXPECT_EQ(misses_after([] {}), 1u);
  EXPECT_EQ(misses_after([&] { request.occurrences = 2; }), 1u);
  EXPECT_EQ(misses_after([&] { sample.position.no_progress_plies += 1; }), 1u);
  EXPECT_EQ(misses_after([&] { sample.position.count_limit = 64; }), 1u);
  EXPECT_EQ(misses_after([&] { sample.position.count = 7; }), 1u);
  EXPECT_EQ(misses_after([&] { sample.position.counter = game::Counter::kWhite; }), 1u);
  EXPECT_EQ(misses_after([] {}), 0u);
}

TEST_F(CachingEvaluatorTest, EqualPositionsOfOtherRulesetsAreToldApart) {
  const auto cache = cache_before(&inner_, 1024);
  const game::GamePtr other = *game::make_game("makruk:repetition=off"), again = *game::make_game("makruk");
  mcts::EvalRequest request = requests_for(*game_, samples_)[5];
  for (const auto& [game, batches] : {std::pair(game_, 1u), {other, 2u}, {again, 2u}, {other, 2u}}) {
    request.game = game.get();
    evaluate(cache.get(), request);
    EXPECT_EQ(inner_.batches.size(), batches);
  }
}

TEST_F(CachingEvaluatorTest, EqualPositionsAtOtherPliesAreToldApart) {
  const auto cache = cache_before(&inner_, 1024);
  SamplePosition sample = samples_[5];
  const mcts::EvalRequest request{game_.get(), &sample.position, &sample.legal, 1};
  sample.position.ply = 7;
  evaluate(cache.get(), request);
  evaluate(cache.get(), request);
  EXPECT_EQ(inner_.batches.size(), 1u);
  sample.position.ply = 8;
  evaluate(cache.get(), request);
  EXPECT_EQ(inner_.batches.size(), 2u);
}

TEST_F(CachingEvaluatorTest, ATableThatIsTooSmallForgetsButNeverConfuses) {
  const auto cache = cache_before(&inner_, 4);
  const std::vector<SamplePosition> many = sample_positions(*game_, 500, 9);
  const std::vector<mcts::EvalRequest> all = requests_for(*game_, many);
  std::vector<mcts::Evaluation> evaluations(7);
  CountingEvaluator truth;
  int lookups = 0;
  for (size_t begin = 0; begin + 7 <= all.size(); begin += 3, lookups += 7) {
    const auto batch = std::span(all).subspan(begin, 7);
    cache->evaluate(batch, evaluations);
    for (size_t i = 0; i < 7; ++i) ASSERT_TRUE(same(evaluations[i], evaluate(&truth, batch[i])));
  }
  const int misses = std::accumulate(inner_.batches.begin(), inner_.batches.end(), 0);
  EXPECT_LT(misses, lookups);
  EXPECT_GT(misses, lookups / 2);
}

// Two batches that share requests, under way at the same time.
class CachingTwoBatchesTest : public CachingEvaluatorTest {
 protected:
  mcts::Ticket begin(std::vector<int> of, std::vector<mcts::EvalRequest>* requests,
                     std::vector<mcts::Evaluation>* evaluations) {
    for (const int i : of) requests->push_back(all_[i]);
    evaluations->resize(of.size());
    return cache_->begin(*requests, *evaluations);
  }

  void expect_right(const std::vector<mcts::EvalRequest>& requests,
                    const std::vector<mcts::Evaluation>& evaluations) {
    CountingEvaluator truth;
    for (size_t i = 0; i < requests.size(); ++i)
      EXPECT_TRUE(same(evaluations[i], evaluate(&truth, requests[i]))) << i;
  }

  std::vector<mcts::EvalRequest> all_ = requests_for(*game_, samples_);
  testing::DeferredEvaluator device_{&inner_};
  std::unique_ptr<mcts::Evaluator> cache_ = cache_before(&device_, 1024);
  std::vector<mcts::EvalRequest> first_, second_, third_;
  std::vector<mcts::Evaluation> of_first_, of_second_, of_third_;
};

TEST_F(CachingTwoBatchesTest, WhatIsUnderWayIsNotEvaluatedAgain) {
  mcts::Ticket first = begin({0, 1, 2, 1}, &first_, &of_first_);
  mcts::Ticket second = begin({2, 3, 1}, &second_, &of_second_);
  EXPECT_EQ(device_.begun, (std::vector<int>{3, 1}));
  first.finish();
  second.finish();
  expect_right(first_, of_first_);
  expect_right(second_, of_second_);
  EXPECT_TRUE(begin({0, 1, 2, 3}, &third_, &of_third_).done());
  expect_right(third_, of_third_);
  EXPECT_EQ(cache_->batches_under_way(), 2);
}

TEST_F(CachingTwoBatchesTest, TheLaterMayBeFinishedFirst) {
  mcts::Ticket first = begin({0, 1}, &first_, &of_first_);
  mcts::Ticket second = begin({1, 0, 1}, &second_, &of_second_);
  mcts::Ticket third = begin({4}, &third_, &of_third_);
  EXPECT_EQ(device_.begun, (std::vector<int>{2, 1}));
  third.finish();  // It needs nothing of the others.
  EXPECT_EQ(device_.finished, std::vector<int>{2});
  second.finish();
  first.finish();
  expect_right(first_, of_first_);
  expect_right(second_, of_second_);
  expect_right(third_, of_third_);
}

TEST_F(CachingTwoBatchesTest, AnEvaluationSurvivesThatTheTableForgetsIt) {
  const auto cache = cache_before(&device_, 1);
  first_ = {all_[0], all_[1], all_[2]};
  second_ = {all_[1], all_[2], all_[0]};
  of_first_.resize(3), of_second_.resize(3);
  mcts::Ticket first = cache->begin(first_, of_first_), second = cache->begin(second_, of_second_);
  first.finish();
  second.finish();
  expect_right(second_, of_second_);
}

TEST_F(CachingTwoBatchesTest, AFailureReachesAllThatWaitForIt) {
  mcts::Ticket first = begin({0, 1}, &first_, &of_first_);
  mcts::Ticket second = begin({1, 2}, &second_, &of_second_);
  device_.fails = true;
  EXPECT_THROW(first.finish(), std::runtime_error);
  device_.fails = false;
  EXPECT_THROW(second.finish(), std::runtime_error);
  begin({0, 1, 2}, &third_, &of_third_).finish();
  expect_right(third_, of_third_);
}

}  // namespace
}  // namespace makzero::nn
