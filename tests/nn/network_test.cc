// The modules: what play makes of a network is what training has learnt.
#include "nn/torch/network_module.h"

#include <gtest/gtest.h>
#include <torch/version.h>

#include <cstdlib>
#include <vector>

#include "game/catalog.h"
#include "nn/learner.h"
#include "nn/runtime.h"
#include "nn/torch/card_work.h"
#include "nn/torch/tensors.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

class NetworkTest : public testing::Test {
 protected:
  NetworkTest() {
    copy_weights(random_network(shape_, 1).weights, tensors_of(*network_));
    network_->eval();
  }

  game::GamePtr game_ = *game::make_game("makyek");
  Encoder encoder_{default_planes(game_->info())};
  NetworkArchitecture shape_ = small_architecture(encoder_.planes());
  NetworkModule network_{shape_};
  std::vector<float> values_ = encode_all(encoder_, *game_, sample_positions(*game_, 5, 3));
  torch::Tensor planes_ = torch::from_blob(values_.data(), {5, encoder_.plane_count(), 8, 8})
                              .contiguous(torch::MemoryFormat::ChannelsLast);
};

// Of all moves, [B, kPolicySize] fp32.
torch::Tensor policy_logits(const PolicyVectors& vectors, int attention) {
  return torch::cat({move_logits(vectors, attention).to(torch::kFloat), vectors.pass}, 1);
}

void expect_close(const torch::Tensor& a, const torch::Tensor& b, double tolerance) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_LE((a - b).abs().max().item<double>(), tolerance);
}

TEST_F(NetworkTest, FoldingTheBatchNormsChangesNothing) {
  torch::NoGradGuard no_grad;
  const PlayOutput before = network_->play(planes_);
  network_->fuse_for_inference(torch::kCPU, torch::kFloat);
  const PlayOutput after = network_->play(planes_);
  expect_close(policy_logits(before.policy, shape_.attention), policy_logits(after.policy, shape_.attention),
               1e-5);
  expect_close(before.wdl, after.wdl, 1e-5);
  expect_close(before.moves_left, after.moves_left, 1e-5);
}

TEST_F(NetworkTest, FixedRulesFoldIntoTheBias) {
  torch::NoGradGuard no_grad;
  NetworkArchitecture shape = shape_;
  shape.rule_features = {"jump", "repetition", "game=rek"};
  NetworkModule whole(shape), folded(shape);
  for (NetworkModule network : {whole, folded})
    copy_weights(random_network(shape, 1).weights, tensors_of(*network));
  whole->eval();
  const torch::Tensor rules = torch::tensor({1.0f, 0.25f, 0.0f});
  const PlayOutput before = whole->play(planes_, rules.expand({5, 3}));
  folded->fuse_for_inference(torch::kCPU, torch::kFloat, rules);
  const PlayOutput after = folded->play(planes_);
  expect_close(policy_logits(before.policy, shape.attention), policy_logits(after.policy, shape.attention),
               1e-5);
  expect_close(before.wdl, after.wdl, 1e-5);
  expect_close(before.moves_left, after.moves_left, 1e-5);
  // They matter.
  const PlayOutput others = whole->play(planes_, torch::zeros({5, 3}));
  EXPECT_GT((others.wdl - after.wdl).abs().max().item<float>(), 1e-3f);
}

TEST_F(NetworkTest, FusedActivationsEqualTheSeparateOnes) {
  network_->fuse_for_inference(torch::kCPU, torch::kFloat);
  torch::Tensor separate, fused;
  {
    torch::NoGradGuard no_grad;
    separate = policy_logits(network_->play(planes_).policy, shape_.attention);
  }
  {
    const c10::InferenceMode inference;
    fused = policy_logits(network_->play(planes_).policy, shape_.attention);
  }
  expect_close(separate, fused, 1e-5);
}

// Whether this LibTorch convolves in that type on a CPU: 1.13.1 does not in half precision.
bool cpu_convolves(torch::ScalarType type) {
  try {
    torch::conv2d(torch::zeros({1, 8, 8, 8}, type), torch::zeros({8, 8, 3, 3}, type), {}, 1, 1);
    return true;
  } catch (const c10::Error&) {
    return false;
  }
}

// Root mean square of a - b, as a share of that of b.
double relative_error(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).norm().item<double>() / b.norm().item<double>();
}

// What a card computes, on a CPU: without InferenceMode the activations are LibTorch's separate operations.
class HalfPrecisionTest : public NetworkTest, public testing::WithParamInterface<int> {
 protected:
  PlayOutput play_unfused(torch::ScalarType type, const NetworkArchitecture& shape,
                          const torch::Tensor& rules) const {
    torch::NoGradGuard no_grad;
    NetworkModule network(shape);
    copy_weights(random_network(shape, 1).weights, tensors_of(*network));
    network->fuse_for_inference(torch::kCPU, type);
    return network->play(planes_.to(type), rules);
  }

  // Every activation is rounded to a share `epsilon` of itself. Measured over 1 to 10 blocks: 6.7 epsilon at
  // most, in the policy's products; without the offsets of the gates 31 and more.
  void expect_close_to_fp32(torch::ScalarType type, double epsilon) const {
    NetworkArchitecture shape = shape_;
    shape.blocks = GetParam();
    shape.rule_features = {"jump"};
    const torch::Tensor rules = torch::ones({5, 1});
    const PlayOutput exact = play_unfused(torch::kFloat, shape, rules),
                     half = play_unfused(type, shape, rules);
    const double bound = 10 * epsilon;
    EXPECT_EQ(half.policy.squares.scalar_type(), type);
    EXPECT_LE(relative_error(policy_logits(half.policy, shape.attention),
                             policy_logits(exact.policy, shape.attention)),
              bound);
    EXPECT_LE(relative_error(half.wdl, exact.wdl), bound);
    EXPECT_LE(relative_error(half.moves_left, exact.moves_left), bound);
  }
};

TEST_P(HalfPrecisionTest, SeparateActivationsInBf16AreCloseToFp32) {
  expect_close_to_fp32(torch::kBFloat16, 0x1p-8);
}

TEST_P(HalfPrecisionTest, SeparateActivationsInFp16AreCloseToFp32) {
  if (!cpu_convolves(torch::kHalf))
    GTEST_SKIP() << "LibTorch " TORCH_VERSION " does not convolve in fp16 here";
  expect_close_to_fp32(torch::kHalf, 0x1p-11);
}

INSTANTIATE_TEST_SUITE_P(Blocks, HalfPrecisionTest, testing::Range(1, 11));

// On a card an operation without a deterministic algorithm would throw here; on a CPU all have one.
TEST_F(NetworkTest, LearningIsDeterministicWhereAskedFor) {
  make_deterministic();
  EXPECT_TRUE(at::globalContext().deterministicAlgorithms());
  EXPECT_STREQ(std::getenv("CUBLAS_WORKSPACE_CONFIG"), ":4096:8");
  const TrainBatch batch = random_batch(encoder_, *game_, sample_positions(*game_, 16, 3), 4);
  Network learnt[2];
  for (Network& network : learnt) {
    Learner learner(shape_, {.device = test_device(), .threads = 2}, 1);
    for (int i = 0; i < 3; ++i) learner.step(*learner.stage(batch));
    network = learner.network();
  }
  at::globalContext().setDeterministicAlgorithms(false, false);
  for (size_t i = 0; i < learnt[0].weights.size(); ++i)
    EXPECT_EQ(learnt[0].weights[i].data, learnt[1].weights[i].data);
}

// Deterministic learning is not recorded.
TEST_F(NetworkTest, RecordedLearningIsLearningStepByStep) {
  const auto samples = sample_positions(*game_, 32, 3);
  TrainBatch batches[2];
  for (int i = 0; i < 2; ++i) batches[i] = random_batch(encoder_, *game_, samples, i);
  std::vector<float> losses[2];
  for (const bool recorded : {false, true}) {
    at::globalContext().setDeterministicAlgorithms(!recorded, false);
    Learner learner(shape_, {.device = test_device(), .threads = 1, .mixed_precision = false}, 1);
    for (int i = 0; i < 8; ++i) {
      learner.step(*learner.stage(batches[i / 2 % 2]));
      losses[recorded].push_back(learner.losses().total);
    }
  }
  at::globalContext().setDeterministicAlgorithms(false, false);
  for (size_t i = 0; i < losses[0].size(); ++i) EXPECT_NEAR(losses[0][i], losses[1][i], 1e-3) << i;
}

TEST(RepeatedWorkTest, IsRecordedTheSecondTime) {
  const torch::Device device(test_device() == "cuda" ? "cuda:0" : test_device());
  torch::Tensor sum = torch::zeros({1000}, device);
  finish_work(device);
  const StreamScope scope(take_stream(device));
  for (int round = 0; round < 2; ++round) {  // The second time in memory of the first.
    RepeatedWork work;
    int calls = 0;
    for (int i = 0; i < 5; ++i) {
      work.run(device, [&] {
        ++calls;
        sum.add_(torch::ones({1000}, device).mul_(2));
      });
    }
    EXPECT_EQ(calls, RepeatedWork::records(device) ? 2 : 5);
  }
  EXPECT_EQ(sum.cpu().min().item<float>(), 20);
  EXPECT_EQ(sum.cpu().max().item<float>(), 20);
}

TEST_F(NetworkTest, ADropComesFromTheHandAndAPassFromTheWholeBoard) {
  torch::NoGradGuard no_grad;
  PolicyVectors vectors = network_->play(planes_).policy;
  const torch::Tensor before = policy_logits(vectors, shape_.attention);
  vectors.hand = vectors.hand + 1;
  vectors.pass = vectors.pass + 1;
  const torch::Tensor change = (policy_logits(vectors, shape_.attention) - before).abs();
  EXPECT_LE(change.narrow(1, 0, 64 * 64).max().item<float>(), 1e-6f);
  EXPECT_GT(change.narrow(1, 64 * 64, 64).max().item<float>(), 1e-3f);
  EXPECT_NEAR(change.select(1, game::kPolicySize - 1).min().item<float>(), 1, 1e-5f);
}

}  // namespace
}  // namespace makzero::nn
