// The network as an evaluator: shapes, batches, precisions, refusals.
#include "nn/torch_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "game/catalog.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class TorchEvaluatorTest : public testing::Test {
 protected:
  TorchEvaluator evaluator(Precision precision, int max_batch = 1024) const {
    return TorchEvaluator(*game_, shape_, random_weights(shape_, 1), {"cpu", precision, max_batch});
  }

  game::GamePtr game_ = *game::make_game("makyek");
  Encoder encoder_{default_planes(game_->info())};
  NetworkArchitecture shape_ = small_architecture(encoder_.planes());
  std::vector<SamplePosition> samples_ = sample_positions(*game_, 13, 3);
};

TEST_F(TorchEvaluatorTest, PriorsAreTheSoftmaxOfTheLegalMovesLogitsInTheirOrder) {
  TorchEvaluator evaluator = this->evaluator(Precision::kFp32);
  std::vector<mcts::Evaluation> evaluations(samples_.size());
  evaluator.evaluate(requests_for(*game_, samples_), evaluations);
  const std::vector<RawOutput> raw =
      evaluator.forward(encode_all(encoder_, *game_, samples_), static_cast<int>(samples_.size()));
  for (size_t i = 0; i < samples_.size(); ++i) {
    const game::MoveList& legal = samples_[i].legal;
    ASSERT_EQ(evaluations[i].priors.size(), static_cast<size_t>(legal.size()));
    double sum = 0;
    for (const game::Move move : legal) {
      sum += std::exp(raw[i].policy[policy_index(game_->info(), move, samples_[i].position.to_move)]);
    }
    for (int j = 0; j < legal.size(); ++j) {
      const int index = policy_index(game_->info(), legal[j], samples_[i].position.to_move);
      EXPECT_NEAR(evaluations[i].priors[j], std::exp(raw[i].policy[index]) / sum, 1e-5);
    }
    const mcts::MoverValue value = evaluations[i].value;
    EXPECT_NEAR(value.win + value.draw + value.loss, 1, 1e-5);
    EXPECT_FLOAT_EQ(value.win, raw[i].wdl[0]);
    EXPECT_FLOAT_EQ(evaluations[i].moves_left, raw[i].moves_left);
    EXPECT_GT(evaluations[i].moves_left, 0);
  }
}

void expect_near(const std::vector<RawOutput>& a, const std::vector<RawOutput>& b, float tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    for (int j = 0; j < game::kPolicySize; ++j)
      ASSERT_NEAR(a[i].policy[j], b[i].policy[j], tolerance) << i << " " << j;
    for (int j = 0; j < 3; ++j) ASSERT_NEAR(a[i].wdl[j], b[i].wdl[j], tolerance) << i;
    ASSERT_NEAR(a[i].moves_left, b[i].moves_left, 32 * tolerance) << i;
  }
}

TEST_F(TorchEvaluatorTest, ABatchGivesWhatItsPositionsGiveAlone) {
  TorchEvaluator evaluator = this->evaluator(Precision::kFp32);
  const std::vector<RawOutput> batch =
      evaluator.forward(encode_all(encoder_, *game_, samples_), static_cast<int>(samples_.size()));
  std::vector<RawOutput> single;
  for (const SamplePosition& sample : samples_) {
    single.push_back(evaluator.forward(encode_all(encoder_, *game_, {sample}), 1).front());
  }
  expect_near(batch, single, 1e-5f);
}

TEST_F(TorchEvaluatorTest, RequestsBeyondTheLargestBatchAreSplit) {
  TorchEvaluator whole = evaluator(Precision::kFp32), split = evaluator(Precision::kFp32, 4);
  std::vector<mcts::Evaluation> a(samples_.size()), b(samples_.size());
  whole.evaluate(requests_for(*game_, samples_), a);
  split.evaluate(requests_for(*game_, samples_), b);
  for (size_t i = 0; i < samples_.size(); ++i) {
    EXPECT_NEAR(a[i].value.win, b[i].value.win, 1e-5);
    EXPECT_THAT(a[i].priors, testing::Pointwise(testing::FloatNear(1e-5f), b[i].priors));
  }
}

// bf16 has 8 bits of mantissa: logits of about 1 are good to 0.01, and the layers' errors add up.
TEST_F(TorchEvaluatorTest, Bf16IsCloseToFp32) {
  TorchEvaluator fp32 = evaluator(Precision::kFp32), bf16 = evaluator(Precision::kBf16);
  const std::vector<float> planes = encode_all(encoder_, *game_, samples_);
  const int count = static_cast<int>(samples_.size());
  expect_near(fp32.forward(planes, count), bf16.forward(planes, count), 0.05f);
}

TEST_F(TorchEvaluatorTest, WeightsOfAnotherShapeAreRefusedWithBothShapes) {
  NetworkArchitecture other = shape_;
  other.channels = 24;
  EXPECT_THAT([&] { TorchEvaluator(*game_, other, random_weights(shape_, 1), {}); },
              ThrowsMessage<std::runtime_error>(testing::AllOf(
                  HasSubstr("input.conv.weight"), HasSubstr("[16, 10, 3, 3]"), HasSubstr("[24, 10, 3, 3]"))));
}

TEST_F(TorchEvaluatorTest, AMissingWeightIsNamed) {
  Weights weights = random_weights(shape_, 1);
  const std::string name = weights.back().name;
  weights.pop_back();
  EXPECT_THAT([&] { TorchEvaluator(*game_, shape_, weights, {}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("'" + name + "' is missing")));
}

TEST_F(TorchEvaluatorTest, ANetworkForOtherPlanesIsRefused) {
  const game::GamePtr makruk = *game::make_game("makruk");
  EXPECT_THAT([&] { TorchEvaluator(*makruk, shape_, random_weights(shape_, 1), {}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("no input plane 'own K', without which 'makruk'")));
}

TEST_F(TorchEvaluatorTest, UnknownDevicesAndImpossiblePrecisionsAreRefused) {
  const Weights weights = random_weights(shape_, 1);
  EXPECT_THAT([&] { TorchEvaluator(*game_, shape_, weights, {.device = "gpu"}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("use cpu, cuda or cuda:N")));
  EXPECT_THAT([&] { TorchEvaluator(*game_, shape_, weights, {.precision = Precision::kFp16}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("fp16 needs a CUDA device")));
}

}  // namespace
}  // namespace makzero::nn
