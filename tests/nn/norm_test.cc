// Batch norm of our own: it is that of the tensor library, and replicas with parts of a batch are one with
// the whole.
#include "nn/torch/norm.h"

#include <gtest/gtest.h>

#include <thread>

namespace makzero::nn {
namespace {

using torch::Tensor;

Tensor random(const std::vector<std::int64_t>& sizes) {
  return torch::randn(sizes).contiguous(torch::MemoryFormat::ChannelsLast);
}

void expect_close(const Tensor& a, const Tensor& b, double tolerance) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_LE((a - b).abs().max().item<double>(), tolerance);
}

// A norm with weights and statistics of its own, its input and the gradients that came back.
struct Case {
  explicit Case(int channels)
      : norm(channels), x(random({10, channels, 8, 8}) * 3 + 5), shortcut(random(x.sizes().vec())) {
    torch::NoGradGuard no_grad;
    for (const auto& parameter : norm->parameters()) parameter.add_(torch::randn(channels));
    for (const auto& buffer : norm->buffers()) buffer.add_(torch::rand(channels));
  }

  Tensor norm_tensor(const char* name) const {
    const Tensor* parameter = norm->named_parameters().find(name);
    return parameter ? *parameter : norm->named_buffers()[name];
  }

  Norm norm;
  Tensor x, shortcut;
};

class NormTest : public testing::TestWithParam<int> {
 protected:
  NormTest() { torch::manual_seed(7); }
};

TEST_P(NormTest, IsThatOfTheTensorLibrary) {
  for (const auto type : {torch::kFloat, torch::kBFloat16}) {
    const double tolerance = type == torch::kFloat ? 2e-5 : 0.13;
    Case ours(GetParam());
    torch::nn::BatchNorm2d theirs(GetParam());
    {
      torch::NoGradGuard no_grad;
      for (const char* name : {"weight", "bias"})
        theirs->named_parameters()[name].copy_(ours.norm_tensor(name));
      for (const char* name : {"running_mean", "running_var"})
        theirs->named_buffers()[name].copy_(ours.norm_tensor(name));
    }
    const Tensor x = ours.x.to(type), shortcut = ours.shortcut.to(type), gradient = random(x.sizes().vec());
    const Tensor our_x = x.clone().requires_grad_(), our_shortcut = shortcut.clone().requires_grad_();
    const Tensor their_x = x.to(torch::kFloat).requires_grad_(),
                 their_shortcut = shortcut.to(torch::kFloat).requires_grad_();
    const Tensor y = ours.norm->activated(our_x, our_shortcut);
    const Tensor expected = torch::relu(theirs(their_x) + their_shortcut);
    EXPECT_EQ(y.scalar_type(), type);
    expect_close(y.to(torch::kFloat), expected, tolerance);
    y.backward(gradient.to(type));
    // Of the same relu: rounding may have moved a value across 0.
    torch::autograd::backward({expected}, {gradient.to(type).to(torch::kFloat)});
    const Tensor same = (y.detach().to(torch::kFloat) > 0) == (expected.detach() > 0);
    expect_close(our_x.grad().to(torch::kFloat) * same, their_x.grad() * same, tolerance);
    expect_close(our_shortcut.grad().to(torch::kFloat) * same, their_shortcut.grad() * same, tolerance);
    const double sum_tolerance = type == torch::kFloat ? 1e-3 : 5;
    expect_close(ours.norm_tensor("weight").grad(), theirs->weight.grad(), sum_tolerance);
    expect_close(ours.norm_tensor("bias").grad(), theirs->bias.grad(), sum_tolerance);
    expect_close(ours.norm_tensor("running_mean"), theirs->running_mean, 1e-3);
    expect_close(ours.norm_tensor("running_var"), theirs->running_var, 1e-2);
    // Without a shortcut, without the relu, and as it plays.
    expect_close(ours.norm->forward(x).to(torch::kFloat), theirs(x.to(torch::kFloat)), tolerance);
    ours.norm->eval();
    theirs->eval();
    torch::NoGradGuard no_grad;
    expect_close(ours.norm->activated(x, {}).to(torch::kFloat), torch::relu(theirs(x.to(torch::kFloat))),
                 tolerance);
  }
}

TEST_P(NormTest, PartsOfABatchHaveTheStatisticsOfTheWhole) {
  Case whole(GetParam());
  const Tensor x = whole.x.clone().requires_grad_();
  const Tensor gradient = random(x.sizes().vec());
  const Tensor weight = whole.norm_tensor("weight");
  ReplicaExchange exchange;
  exchange.begin(2);
  std::vector<Norm> norms;
  std::vector<Tensor> inputs, outputs(2);
  for (int part = 0; part < 2; ++part) {
    norms.emplace_back(GetParam());
    torch::NoGradGuard no_grad;
    for (const char* name : {"weight", "bias"})
      norms[part]->named_parameters()[name].copy_(whole.norm_tensor(name));
    for (const char* name : {"running_mean", "running_var"})
      norms[part]->named_buffers()[name].copy_(whole.norm_tensor(name));
    norms[part]->join(&exchange, part);
    inputs.push_back(whole.x.narrow(0, 3 * part, part ? 7 : 3).clone().requires_grad_());
  }
  const auto learn = [&](int part) {
    outputs[part] = norms[part]->activated(inputs[part], {});
    outputs[part].backward(
        gradient.narrow(0, 3 * part, part ? 7 : 3).contiguous(torch::MemoryFormat::ChannelsLast));
  };
  std::thread other([&] { learn(1); });
  learn(0);
  other.join();
  const Tensor y = whole.norm->activated(x, {});
  y.backward(gradient);
  expect_close(torch::cat(outputs), y, 1e-5);
  expect_close(torch::cat({inputs[0].grad(), inputs[1].grad()}), x.grad(), 1e-5);
  expect_close(norms[0]->named_parameters()["weight"].grad() + norms[1]->named_parameters()["weight"].grad(),
               weight.grad(), 1e-3);
  for (const Norm& norm : norms) {
    expect_close(norm->named_buffers()["running_mean"], whole.norm_tensor("running_mean"), 1e-5);
    expect_close(norm->named_buffers()["running_var"], whole.norm_tensor("running_var"), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(InOurLoopsAndComposed, NormTest, testing::Values(48, 12));

TEST(ReplicaExchangeTest, AFailedReplicaLeavesNobodyWaiting) {
  ReplicaExchange exchange;
  exchange.begin(2);
  std::thread waits([&] { EXPECT_THROW(exchange.sum(0, torch::ones(1)), std::runtime_error); });
  exchange.abandon();
  waits.join();
  exchange.begin(2);
  std::thread other([&] { EXPECT_EQ(exchange.sum(1, torch::ones(1) * 2).item<float>(), 3); });
  EXPECT_EQ(exchange.sum(0, torch::ones(1)).item<float>(), 3);
  other.join();
}

}  // namespace
}  // namespace makzero::nn
