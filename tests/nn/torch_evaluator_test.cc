// The network as an evaluator: shapes, batches, precisions, refusals.
#include "nn/evaluators/torch_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <thread>

#include "game/catalog.h"
#include "game/notation.h"
#include "nn/evaluators/batching_evaluator.h"
#include "nn/torch_plugin.h"
#include "tests/nn/nn_samples.h"
#include "tests/support/featured_game.h"

namespace makzero::nn {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Reads this output on any device.
struct EvaluatorWithOutput : TorchEvaluator {
  EvaluatorWithOutput(const auto& games, const Network& network, const TorchEvaluatorOptions& options,
                      TorchOutput output)
      : TorchEvaluator(games, network, options, output) {}
};

class TorchEvaluatorTest : public testing::Test {
 protected:
  TorchEvaluator evaluator(Precision precision, int max_batch = 1024) const {
    return TorchEvaluator(*game_, random_network(shape_, 1), {test_device(), precision, max_batch});
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

TEST_F(TorchEvaluatorTest, ACardGathersTheLogitsOfSlidesDropsAndPasses) {
  for (const char* ruleset : {"makyek", "gala", "hunt", "makruk-sutra"}) {
    SCOPED_TRACE(ruleset);
    const game::GamePtr game = *game::make_game(ruleset);
    const NetworkArchitecture shape = small_architecture(default_planes(game->info()));
    std::vector<SamplePosition> samples = sample_positions(*game, 13, 3);
    samples[4].legal.clear();
    samples[4].legal.add(game::Move::pass());
    const TorchEvaluatorOptions options = {test_device(), Precision::kFp32, 5};
    const Network network = random_network(shape, 1);
    EvaluatorWithOutput host(*game, network, options, TorchOutput::kWhole);
    EvaluatorWithOutput card(*game, network, options, TorchOutput::kGathered);
    std::vector<mcts::Evaluation> a(samples.size()), b(samples.size());
    host.evaluate(requests_for(*game, samples), a);
    card.evaluate(requests_for(*game, samples), b);
    for (size_t i = 0; i < samples.size(); ++i) {
      EXPECT_NEAR(a[i].value.win, b[i].value.win, 1e-6);
      EXPECT_NEAR(a[i].moves_left, b[i].moves_left, 1e-4);
      EXPECT_THAT(a[i].priors, testing::Pointwise(testing::FloatNear(1e-5f), b[i].priors));
    }
    EXPECT_FLOAT_EQ(b[4].priors[0], 1);
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

TEST_F(TorchEvaluatorTest, APartOfABatchGivesWhatTheWholeBatchGives) {
  const Network network = random_network(shape_, 1);
  std::unique_ptr<TorchNetwork> made;
  require(torch_plugin().make_network(network, {.backend = {test_device(), Precision::kFp32}}, &made));
  const std::vector<SamplePosition> samples = sample_positions(*game_, 64, 3);
  const std::vector<float> planes = encode_all(encoder_, *game_, samples);
  constexpr std::ptrdiff_t kRow = game::MoveList::kCapacity + 4;
  std::vector<float> answers[2];
  for (int parts : {1, 2}) {
    std::unique_ptr<TorchBatch> batch;
    require(made->make_batch(64, TorchOutput::kGathered, &batch));
    std::ranges::copy(planes, batch->planes);
    for (int first = 0; first < 64; first += 64 / parts)
      require(made->run(first, 64 / parts, TorchOutput::kGathered, 1, batch.get()));
    answers[parts - 1].assign(batch->gathered, batch->gathered + 64 * kRow);
  }
  EXPECT_THAT(answers[1], testing::Pointwise(testing::FloatNear(1e-5f), answers[0]));
}

// A card records its work at the second batch of a size, and launches the recording from then on.
TEST_F(TorchEvaluatorTest, EveryBatchOfASizeGivesWhatItsPositionsGive) {
  const Network network = random_network(shape_, 1);
  const auto samples = sample_positions(*game_, 90, 5);
  const auto requests = requests_for(*game_, samples);
  std::vector<mcts::Evaluation> expected(requests.size());
  EvaluatorWithOutput(*game_, network, {test_device(), Precision::kFp32, 90}, TorchOutput::kWhole)
      .evaluate(requests, expected);

  EvaluatorWithOutput shared(*game_, network, {test_device(), Precision::kFp32, 90}, TorchOutput::kGathered);
  const auto evaluate_parts = [&] {
    const auto batch = shared.make_batch(64);
    for (size_t size : {13, 45, 13, 30, 45, 13, 45}) {
      for (size_t begin = 0; begin + size <= requests.size(); begin += size) {
        const auto part = std::span(requests).subspan(begin, size);
        std::vector<mcts::Evaluation> evaluations(size);
        shared.encode(part, 0, batch.get());
        shared.run(static_cast<int>(size), batch.get());
        shared.decode(*batch, 0, part, evaluations);
        for (size_t i = 0; i < size; ++i) {
          EXPECT_NEAR(evaluations[i].value.win, expected[begin + i].value.win, 1e-5);
          EXPECT_THAT(evaluations[i].priors,
                      testing::Pointwise(testing::FloatNear(1e-5f), expected[begin + i].priors));
        }
      }
    }
  };
  std::thread other(evaluate_parts);
  evaluate_parts();
  other.join();
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
  EXPECT_THAT(
      [&] {
        TorchEvaluator(*game_, {other, random_network(shape_, 1).weights}, {});
      },
      ThrowsMessage<std::runtime_error>(testing::AllOf(
          HasSubstr("input.conv.weight"), HasSubstr("[16, 10, 3, 3]"), HasSubstr("[24, 10, 3, 3]"))));
}

TEST_F(TorchEvaluatorTest, AMissingWeightIsNamed) {
  Network network = random_network(shape_, 1);
  const std::string name = network.weights.back().name;
  network.weights.pop_back();
  EXPECT_THAT([&] { TorchEvaluator(*game_, network, {}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("'" + name + "' is missing")));
}

TEST_F(TorchEvaluatorTest, ANetworkForOtherPlanesIsRefused) {
  const game::GamePtr makruk = *game::make_game("makruk");
  EXPECT_THAT([&] { TorchEvaluator(*makruk, random_network(shape_, 1), {}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("no input plane 'own K', without which 'makruk'")));
}

// Two rulesets of a family, and a network that tells them apart by their rule features.
class FamilyTest : public testing::Test {
 protected:
  static TorchEvaluatorOptions fp32(int max_batch = 1024) {
    return {test_device(), Precision::kFp32, max_batch};
  }

  static std::vector<mcts::Evaluation> evaluate(TorchEvaluator* evaluator,
                                                const std::vector<mcts::EvalRequest>& requests) {
    std::vector<mcts::Evaluation> evaluations(requests.size());
    evaluator->evaluate(requests, evaluations);
    return evaluations;
  }

  static void expect_near(const mcts::Evaluation& a, const mcts::Evaluation& b) {
    EXPECT_NEAR(a.value.win, b.value.win, 1e-5);
    EXPECT_NEAR(a.value.loss, b.value.loss, 1e-5);
    EXPECT_NEAR(a.moves_left, b.moves_left, 1e-3);
    EXPECT_THAT(a.priors, testing::Pointwise(testing::FloatNear(1e-5f), b.priors));
  }

  std::vector<game::GamePtr> games_ = {
      std::make_shared<game::FeaturedGame>(
          "makyek", std::vector<game::RuleFeature>{{"game=makyek", 1}, {"repetition", 0.5f}}),
      std::make_shared<game::FeaturedGame>("rek",
                                           std::vector<game::RuleFeature>{{"game=rek", 1}, {"jump", 1}})};
  NetworkArchitecture shape_ = [this] {
    NetworkArchitecture shape = small_architecture(joint_planes(games_));
    shape.rule_features = {"jump", "game=rek", "repetition", "game=makyek"};
    return shape;
  }();
  Network network_ = random_network(shape_, 1);
  std::vector<SamplePosition> samples_[2] = {sample_positions(*games_[0], 13, 3),
                                             sample_positions(*games_[1], 13, 4)};
};

TEST_F(FamilyTest, ANetworkForOneRulesetGivesWhatItGivesAmongAll) {
  TorchEvaluator family(games_, network_, fp32());
  for (int i = 0; i < 2; ++i) {
    TorchEvaluator single(*games_[i], network_, fp32());
    const auto requests = requests_for(*games_[i], samples_[i]);
    const auto a = evaluate(&single, requests), b = evaluate(&family, requests);
    for (size_t j = 0; j < requests.size(); ++j) expect_near(a[j], b[j]);
  }
}

TEST_F(FamilyTest, ABatchMayMixRulesets) {
  TorchEvaluator family(games_, network_, fp32()), split(games_, network_, fp32(5));
  std::vector<mcts::EvalRequest> separate[2], mixed;
  std::vector<mcts::Evaluation> expected;
  for (int i = 0; i < 2; ++i) separate[i] = requests_for(*games_[i], samples_[i]);
  const auto first = evaluate(&family, separate[0]), second = evaluate(&family, separate[1]);
  for (size_t j = 0; j < first.size(); ++j) {
    mixed.insert(mixed.end(), {separate[0][j], separate[1][j]});
    expected.insert(expected.end(), {first[j], second[j]});
  }
  const auto together = evaluate(&family, mixed), in_parts = evaluate(&split, mixed);
  for (size_t j = 0; j < mixed.size(); ++j) {
    SCOPED_TRACE(j);
    expect_near(together[j], expected[j]);
    expect_near(in_parts[j], expected[j]);
  }
}

// As on a card: rows of several workers in one batch, and the logits of legal moves alone.
TEST_F(FamilyTest, AsADeviceItGivesWhatItGivesAlone) {
  TorchEvaluator alone(games_, network_, fp32());
  BatchingEvaluator batching(
      std::make_unique<EvaluatorWithOutput>(games_, network_, fp32(), TorchOutput::kGathered), 16);
  std::vector<mcts::EvalRequest> requests[2];
  std::vector<mcts::Evaluation> evaluations[2];
  mcts::Ticket tickets[2];
  for (int i = 0; i < 2; ++i) {
    requests[i] = requests_for(*games_[i], samples_[i]);
    evaluations[i].resize(requests[i].size());
    tickets[i] = batching.begin(requests[i], evaluations[i]);
  }
  for (int i = 0; i < 2; ++i) {
    tickets[i].finish();
    const auto expected = evaluate(&alone, requests[i]);
    for (size_t j = 0; j < expected.size(); ++j) expect_near(evaluations[i][j], expected[j]);
  }
}

TEST_F(FamilyTest, TheRulesMatter) {
  const game::FeaturedGame jumping("makyek", {{"game=makyek", 1}, {"repetition", 0.5f}, {"jump", 1}});
  TorchEvaluator family(games_, network_, fp32());
  const auto a = evaluate(&family, requests_for(*games_[0], samples_[0]));
  const auto b = evaluate(&family, requests_for(jumping, samples_[0]));
  for (size_t j = 0; j < a.size(); ++j) EXPECT_GT(std::abs(a[j].value.win - b[j].value.win), 1e-4) << j;
}

TEST_F(FamilyTest, Bf16IsCloseToFp32) {
  TorchEvaluator fine(games_, network_, fp32());
  TorchEvaluator coarse(games_, network_, {.device = test_device(), .precision = Precision::kBf16});
  const auto requests = requests_for(*games_[1], samples_[1]);
  const auto a = evaluate(&fine, requests), b = evaluate(&coarse, requests);
  for (size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j].value.win, b[j].value.win, 0.05f);
}

TEST_F(FamilyTest, AnOutputThatIsNotFiniteIsAnErrorThatNamesNetworkPositionAndGame) {
  // The feature `jump` of the second ruleset overflows the tower.
  for (NamedTensor& weight : network_.weights) {
    if (weight.name == kRulesWeight) {
      for (size_t i = 0; i < weight.data.size(); ++i) weight.data[i] = i % 4 == 0 ? 1e38f : 0;
    }
  }
  TorchEvaluator family(games_, network_, {.precision = Precision::kFp32, .network = "c0ffee"});
  std::vector<mcts::EvalRequest> requests = requests_for(*games_[0], samples_[0]);
  EXPECT_NO_THROW(evaluate(&family, requests));
  requests[5] = requests_for(*games_[1], samples_[1])[7];
  EXPECT_THAT([&] { evaluate(&family, requests); },
              ThrowsMessage<std::runtime_error>(testing::AllOf(
                  HasSubstr("network c0ffee computes NaN or infinity in fp32"),
                  HasSubstr("'" + game::position_text(*games_[1], samples_[1][7].position) + "' of 'rek'"))));
}

TEST_F(TorchEvaluatorTest, AnOutputOfOneHeadThatIsNotFiniteIsAnError) {
  // The moves left are a softplus: 0 at -infinity.
  const std::pair<const char*, float> broken[] = {{"wdl.bias", HUGE_VALF},
                                                  {"wdl.bias", -HUGE_VALF},
                                                  {"wdl.bias", NAN},
                                                  {"policy.project.bias", HUGE_VALF},
                                                  {"policy.project.bias", NAN},
                                                  {"policy.project.bias", -HUGE_VALF},
                                                  {"moves_left.bias", HUGE_VALF},
                                                  {"moves_left.bias", NAN}};
  for (const auto& [head, value] : broken) {
    Network network = random_network(shape_, 1);
    for (NamedTensor& weight : network.weights) {
      if (weight.name == head) weight.data[0] = value;
    }
    for (const TorchOutput output : {TorchOutput::kWhole, TorchOutput::kGathered}) {
      EvaluatorWithOutput evaluator(*game_, network, {.precision = Precision::kFp32}, output);
      std::vector<mcts::Evaluation> evaluations(samples_.size());
      EXPECT_THAT([&] { evaluator.evaluate(requests_for(*game_, samples_), evaluations); },
                  ThrowsMessage<std::runtime_error>(HasSubstr("the network computes NaN or infinity")))
          << head << " " << value;
    }
  }
}

TEST_F(FamilyTest, AnUnknownRuleFeatureIsRefusedByName) {
  NetworkArchitecture other = shape_;
  other.rule_features.emplace_back("teleport");
  const Network network = random_network(other, 1);
  const auto refusal = ThrowsMessage<std::runtime_error>(
      testing::AllOf(HasSubstr("rule feature 'teleport'"), HasSubstr("use the program that made it")));
  EXPECT_THAT([&] { TorchEvaluator(games_, network, {}); }, refusal);
  EXPECT_THAT([&] { TorchEvaluator(*games_[0], network, {}); }, refusal);
}

TEST_F(FamilyTest, ANetworkOfFewerRuleFeaturesPlays) {
  NetworkArchitecture fewer = shape_;
  fewer.rule_features = {"jump"};
  TorchEvaluator family(games_, random_network(fewer, 1), fp32());
  TorchEvaluator single(*games_[1], random_network(fewer, 1), fp32());
  const auto requests = requests_for(*games_[1], samples_[1]);
  const auto a = evaluate(&family, requests), b = evaluate(&single, requests);
  for (size_t j = 0; j < a.size(); ++j) expect_near(a[j], b[j]);
}

TEST_F(FamilyTest, EveryGameMustFindItsPlanes) {
  NetworkArchitecture other = shape_;
  other.planes = default_planes(games_[0]->info());
  EXPECT_THAT([&] { TorchEvaluator(games_, random_network(other, 1), {}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("without which 'rek' cannot be played")));
  EXPECT_NO_THROW(TorchEvaluator(*games_[0], random_network(other, 1), {}));
}

TEST_F(FamilyTest, EncodedPositionsNeedTheirRulesUnlessTheyAreFixed) {
  TorchEvaluator family(games_, network_, fp32()), single(*games_[0], network_, fp32());
  const std::vector<float> planes = encode_all(family.encoder(), *games_[0], {samples_[0][3]});
  EXPECT_THAT([&] { family.forward(planes, 1); },
              ThrowsMessage<std::runtime_error>(HasSubstr("0 numbers are not 1 positions of 4")));
  EXPECT_NEAR(family.forward(planes, 1, {0, 0, 0.5f, 1})[0].wdl[0], single.forward(planes, 1)[0].wdl[0],
              1e-5);
}

TEST_F(TorchEvaluatorTest, UnknownDevicesAndImpossiblePrecisionsAreRefused) {
  const Network network = random_network(shape_, 1);
  EXPECT_THAT([&] { TorchEvaluator(*game_, network, {.device = "gpu"}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("use cpu, cuda or cuda:N")));
  EXPECT_THAT([&] { TorchEvaluator(*game_, network, {.device = "cuda:99"}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("device 'cuda:99'")));
}

// LibTorch 1.13.1 does not convolve in fp16 on a CPU, 2.13 does.
TEST_F(TorchEvaluatorTest, Fp16IsCloseToFp32OrIsRefusedWithWhatIsPossible) {
  const std::vector<float> planes = encode_all(encoder_, *game_, samples_);
  const int count = static_cast<int>(samples_.size());
  try {
    TorchEvaluator fp16 = evaluator(Precision::kFp16), fp32 = evaluator(Precision::kFp32);
    EXPECT_EQ(fp16.precision(), Precision::kFp16);
    expect_near(fp32.forward(planes, count), fp16.forward(planes, count), 0.01f);
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("does not compute in fp16 on device 'cpu': use auto or fp32 or bf16"));
  }
}

TEST(BackendTest, PrecisionsAreReadByTheirNames) {
  for (const Precision precision : {Precision::kAuto, Precision::kFp32, Precision::kBf16, Precision::kFp16}) {
    EXPECT_EQ(parse_precision(precision_name(precision)), precision);
    EXPECT_THAT(kPrecisionNames, HasSubstr(std::string(precision_name(precision))));
  }
  EXPECT_FALSE(parse_precision("half"));
}

}  // namespace
}  // namespace makzero::nn
