// The gradient of a small network against that of LibTorch, in double precision, for the same batch and
// weights.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>

#include "game/catalog.h"
#include "nn/small_learner.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

using torch::Tensor;

constexpr int kRows = 500;

Tensor tensor_of(const NamedTensor& named) {
  return torch::tensor(torch::ArrayRef<float>(named.data)).view(named.shape).to(torch::kDouble);
}

// [rows, all features] 1 where a side of a row has it; and [rows, rule features].
struct Inputs {
  std::array<Tensor, 2> sides;
  Tensor rules;
};

Inputs inputs_of(const SmallBatch& batch) {
  const auto rules = static_cast<std::int64_t>(batch.rulesets.begin()->first.size());
  const Tensor none = torch::zeros({batch.rows, mcts::kSmallFeatures}, torch::kDouble);
  Inputs inputs{{none, none.clone()}, torch::zeros({batch.rows, rules}, torch::kDouble)};
  auto input = batch.inputs.begin();
  for (int row = 0; row < batch.rows; ++row) {
    for (const int side : {0, 1}) {
      for (const auto end = batch.inputs.begin() + batch.ends[2 * row + side]; input != end; ++input) {
        if (*input < mcts::kSmallFeatures) {
          inputs.sides[side][row][*input] += 1;
          continue;
        }
        const int number = *input - mcts::kSmallFeatures;
        const auto ruleset =
            std::ranges::find_if(batch.rulesets, [&](const auto& each) { return each.second == number; });
        inputs.rules[row] = torch::tensor(torch::ArrayRef<float>(ruleset->first)).to(torch::kDouble);
      }
    }
  }
  return inputs;
}

// The mean loss by the weights of a state, in its order.
Tensor loss_by(const SmallBatch& batch, const std::vector<Tensor>& weights) {
  const Inputs inputs = inputs_of(batch);
  const Tensor base = inputs.rules.mm(weights[1]) + weights[2];
  const auto activations = [&](int side) {
    return (inputs.sides[side].mm(weights[0]) + base).clamp(0, 1).square();
  };
  const std::vector<std::int64_t> buckets(batch.buckets.begin(), batch.buckets.end());
  const Tensor bucket = torch::tensor(buckets);
  const Tensor logits =
      (torch::cat({activations(0), activations(1)}, 1) * weights[3].index_select(0, bucket)).sum(1) +
      weights[4].index_select(0, bucket);
  const Tensor targets = torch::tensor(torch::ArrayRef<float>(batch.targets)).to(torch::kDouble);
  return torch::binary_cross_entropy_with_logits(logits, targets);
}

TEST(SmallGradientTest, IsThatOfLibTorch) {
  const game::GamePtr makruk = *game::make_game("makruk");
  SmallLearner learner(makruk->info(), {});
  for (int step = 0; step < 10; ++step) learner.step(random_small_batch(*makruk, 200, step));
  SmallLearnerState state = learner.state();
  state.first_moment.clear();  // The first moment is then a tenth of the gradient.
  learner.load(state);

  std::vector<Tensor> weights;
  for (const NamedTensor& tensor : state.weights) weights.push_back(tensor_of(tensor).requires_grad_());
  const SmallBatch batch = random_small_batch(*makruk, kRows, 100);
  const Tensor loss = loss_by(batch, weights);
  loss.backward();
  EXPECT_NEAR(learner.step(batch), loss.item<double>(), 1e-6);

  state = learner.state();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Tensor expected = weights[i].grad();
    const double error = (tensor_of(state.first_moment[i]) * 10 - expected).norm().item<double>();
    EXPECT_GT(expected.norm().item<double>(), 0) << state.weights[i].name;
    EXPECT_LT(error, 1e-6 * expected.norm().item<double>()) << state.weights[i].name;
  }
}

}  // namespace
}  // namespace makzero::nn
