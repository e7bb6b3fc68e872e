// The gradient step: every head learns, masks mask, a restored learner goes on as if it had not stopped.
#include "nn/learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/catalog.h"
#include "nn/torch_evaluator.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

class LearnerTest : public testing::Test {
 protected:
  static LearnerOptions quick_options() {
    LearnerOptions options;
    options.learning_rate = 5e-3f;
    options.warmup_steps = 5;
    options.threads = 1;
    options.mixed_precision = false;
    return options;
  }

  game::GamePtr game_ = *game::make_game("makyek");
  Encoder encoder_{*game_};
  NetworkShape shape_ = small_shape(encoder_);
  TrainBatch batch_ = random_batch(encoder_, sample_positions(*game_, 16, 3), 4);
};

TEST_F(LearnerTest, EveryHeadOverfitsASmallBatch) {
  LearnerOptions options = quick_options();
  options.moves_left_weight = options.reply_weight = options.survival_weight = options.short_term_weight = 1;
  Learner learner(shape_, options, 1);
  const Losses first = learner.step(batch_);
  Losses last;
  for (int i = 0; i < 300; ++i) last = learner.step(batch_);
  const auto wdl_entropy = [](const std::vector<float>& wdl) {
    double sum = 0;
    for (const float p : wdl) sum -= p > 0 ? p * std::log(p) : 0;
    return sum / (static_cast<double>(wdl.size()) / 3);
  };
  EXPECT_LT(last.policy - last.policy_entropy, 0.1 * (first.policy - first.policy_entropy));
  EXPECT_LT(last.value - wdl_entropy(batch_.wdl), 0.05);
  EXPECT_LT(last.short_term - wdl_entropy(batch_.short_term), 0.05);
  EXPECT_LT(last.moves_left, 0.05 * first.moves_left);
  EXPECT_LT(last.reply, 0.1 * first.reply);
  EXPECT_LT(last.survival, 0.5 * first.survival);
}

TEST_F(LearnerTest, ARestoredLearnerTakesBitIdenticalSteps) {
  Learner learner(shape_, quick_options(), 1);
  for (int i = 0; i < 3; ++i) learner.step(batch_);
  const LearnerState state = learner.state();
  Learner resumed(shape_, quick_options(), 2);
  resumed.restore(state);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(learner.step(batch_).total, resumed.step(batch_).total);
  EXPECT_EQ(learner.steps(), resumed.steps());
  EXPECT_EQ(learner.state().weights, resumed.state().weights);
  EXPECT_EQ(learner.state().ema_weights, resumed.state().ema_weights);
  EXPECT_EQ(learner.state().first_moment, resumed.state().first_moment);
  EXPECT_EQ(learner.state().second_moment, resumed.state().second_moment);
}

}  // namespace
}  // namespace makzero::nn
