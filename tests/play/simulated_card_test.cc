// The simulated card of `makzero bench`: what its batches cost and what they say.
#include "play/commands/simulated_card.h"

#include <gtest/gtest.h>

#include <utility>

#include "game/catalog.h"
#include "mcts/hash_evaluator.h"
#include "nn/evaluators/batching_evaluator.h"
#include "nn/system.h"
#include "tests/nn/nn_samples.h"

namespace makzero::play {
namespace {

TEST(SimulatedCardTest, IsBusyForWhatItsBatchesCost) {
  using std::chrono::microseconds;
  const game::GamePtr game = *game::make_game("makruk");
  const std::vector<nn::SamplePosition> samples = nn::sample_positions(*game, 60, 3);
  const std::vector<mcts::EvalRequest> requests = nn::requests_for(*game, samples);
  const SimulatedCardOptions options = {.batch = microseconds(3000), .row = microseconds(50)};
  auto owned = std::make_unique<SimulatedCard>(nn::default_planes(game->info()), options);
  const SimulatedCard& card = *owned;
  nn::BatchingEvaluator evaluator(std::move(owned), 64);
  std::vector<mcts::Evaluation> evaluations(60), hashed(60);
  evaluator.evaluate(requests, evaluations);
  EXPECT_NEAR(card.busy_seconds(), 0.003 + 64 * 50e-6, 1e-9);  // 60 rows are padded to 64.
  EXPECT_GE(evaluator.statistics().running_seconds, card.busy_seconds());
  mcts::HashEvaluator().evaluate(requests, hashed);
  for (size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(evaluations[i].priors, hashed[i].priors);
}

// A thread spends the time of the launches while the card computes.
TEST(SimulatedCardTest, LaunchesCostProcessorTimeAndOverlapWithWhatTheCardDoes) {
  using std::chrono::milliseconds;
  SimulatedCard card(nn::default_planes((*game::make_game("makyek"))->info()),
                     {.batch = milliseconds(1), .row = {}, .launch = milliseconds(5)});
  const auto batch = card.make_batch(8);
  const std::int64_t before = nn::thread_cpu_nanoseconds();
  card.run(8, batch.get());
  EXPECT_GE(nn::thread_cpu_nanoseconds() - before, 5'000'000);
  EXPECT_LT(nn::thread_cpu_nanoseconds() - before, 6'000'000);
  EXPECT_NEAR(card.busy_seconds(), 0.001, 1e-9);
}

}  // namespace
}  // namespace makzero::play
