// The gradient step: every head learns, masks mask, a restored learner goes on as if it had not stopped.
#include "nn/learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "game/catalog.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/morphism.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

class LearnerTest : public testing::Test {
 protected:
  static LearnerOptions quick_options() {
    LearnerOptions options;
    options.device = test_device();
    options.learning_rate = 5e-3f;
    options.warmup_steps = 5;
    options.threads = 1;
    options.mixed_precision = false;
    return options;
  }

  static Losses step(Learner& learner, const TrainBatch& batch) {
    learner.step(*learner.stage(batch));
    return learner.losses();
  }

  static Losses evaluate(Learner& learner, const TrainBatch& batch) {
    return learner.evaluate(*learner.stage(batch)).losses;
  }

  Losses first_step(const TrainBatch& batch) const {
    Learner learner(shape_, quick_options(), 1);
    return step(learner, batch);
  }

  static void expect_equal(const Losses& a, const Losses& b) {
    for (const HeadInfo& info : kHeads) EXPECT_NEAR(a[info.head], b[info.head], 1e-4) << info.name;
  }

  game::GamePtr game_ = *game::make_game("makyek");
  Encoder encoder_{default_planes(game_->info())};
  NetworkArchitecture shape_ = small_architecture(encoder_.planes());
  TrainBatch batch_ = random_batch(encoder_, *game_, sample_positions(*game_, 16, 3), 4);
};

TEST_F(LearnerTest, EveryHeadOverfitsASmallBatch) {
  LearnerOptions options = quick_options();
  options.loss_weights.values.fill(1);
  Learner learner(shape_, options, 1);
  const Losses first = step(learner, batch_);
  Losses last;
  for (int i = 0; i < 200; ++i) last = step(learner, batch_);
  const auto wdl_entropy = [](const std::vector<float>& wdl) {
    double sum = 0;
    for (const float p : wdl) sum -= p > 0 ? p * std::log(p) : 0;
    return sum / (static_cast<double>(wdl.size()) / 3);
  };
  EXPECT_LT(last[Head::kPolicy] - last.policy_entropy, 0.1 * (first[Head::kPolicy] - first.policy_entropy));
  EXPECT_LT(last[Head::kValue] - wdl_entropy(batch_.targets[Head::kValue].values), 0.05);
  EXPECT_LT(last[Head::kShortTerm] - wdl_entropy(batch_.targets[Head::kShortTerm].values), 0.05);
  EXPECT_LT(last[Head::kMovesLeft], 0.05 * first[Head::kMovesLeft]);
  EXPECT_LT(last[Head::kReply], 0.1 * first[Head::kReply]);
  EXPECT_LT(last[Head::kSurvival], 0.5 * first[Head::kSurvival]);
}

TEST_F(LearnerTest, TheLossesAreThoseOfThePredictionsOfEveryRowAndMove) {
  for (const int threads : {1, 2}) {  // Two replicas have a part of the rows each.
    LearnerOptions options = quick_options();
    options.threads = threads;
    Learner learner(shape_, options, 1);
    LearnerState state = learner.state();
    state.ema_weights = random_network(shape_, 7).weights;
    learner.load(state);
    const auto [losses, predictions] = learner.evaluate(*learner.stage(batch_));
    const auto cross_entropy = [&](const std::vector<float>& target, const std::vector<float>& predicted) {
      EXPECT_EQ(target.size(), predicted.size());
      double sum = 0;
      for (size_t i = 0; i < target.size(); ++i) sum -= target[i] * std::log(predicted[i]);
      return sum / batch_.rows;
    };
    EXPECT_NEAR(cross_entropy(batch_.targets[Head::kPolicy].values, predictions.policy),
                losses[Head::kPolicy], 1e-4);
    EXPECT_NEAR(cross_entropy(batch_.targets[Head::kValue].values, predictions.value), losses[Head::kValue],
                1e-4);
    for (int row = 0; row < batch_.rows; ++row) {
      const auto begin = predictions.policy.begin() + batch_.move_begin[row];
      EXPECT_NEAR(std::accumulate(begin, predictions.policy.begin() + batch_.move_begin[row + 1], 0.0), 1,
                  1e-5);
    }
  }
}

TEST_F(LearnerTest, AGrownNetworkComputesTheSameAndLearnsOn) {
  const NetworkArchitecture from = shape_;
  NetworkArchitecture to = from;
  to.blocks += 3;
  to.channels += 24;
  EXPECT_FALSE(can_morph(from, from));
  EXPECT_FALSE(can_morph(to, from));
  ASSERT_TRUE(can_morph(from, to));
  Learner small(from, quick_options(), 1);
  for (int i = 0; i < 20; ++i) step(small, batch_);
  LearnerState state = small.state();
  state.weights = random_network(from, 7).weights;
  state.ema_weights = random_network(from, 8).weights;
  small.load(state);
  Learner large(to, quick_options(), 2);
  large.load(morph(state, to, 3));
  EXPECT_EQ(large.steps(), 20);
  expect_equal(evaluate(large, batch_), evaluate(small, batch_));
  expect_equal(step(large, batch_), step(small, batch_));
  // What was added takes part.
  const auto tensor = [](const Weights& weights, const std::string& name) {
    return std::find_if(weights.begin(), weights.end(), [&](const NamedTensor& t) { return t.name == name; })
        ->data;
  };
  const LearnerState before = large.state();
  step(large, batch_);
  const LearnerState after = large.state();
  EXPECT_NE(tensor(before.weights, "policy.project.weight"), tensor(after.weights, "policy.project.weight"));
  const std::string added = "blocks." + std::to_string(to.blocks - 1) + ".second.norm.weight";
  EXPECT_NE(tensor(before.weights, added), tensor(after.weights, added));
  for (int i = 0; i < 100; ++i) step(large, batch_);
  EXPECT_LT(step(large, batch_).total, evaluate(small, batch_).total);
}

TEST_F(LearnerTest, PlanesKeepTheirWeightsByName) {
  const Network before = random_network(shape_, 7);
  std::vector<std::string> planes = encoder_.planes();
  std::swap(planes.front(), planes.back());
  planes.insert(planes.begin() + 2, "another");
  const Network after = remap_planes(before, planes);
  EXPECT_EQ(after.architecture.planes, planes);
  const auto input = [](const Network& network) {
    return *std::find_if(network.weights.begin(), network.weights.end(),
                         [](const NamedTensor& t) { return t.name == "input.conv.weight"; });
  };
  const NamedTensor from = input(before), to = input(after);
  const auto weight = [](const NamedTensor& tensor, size_t output, size_t plane, size_t place) {
    return tensor.data[(output * tensor.shape[1] + plane) * 9 + place];
  };
  const size_t last = encoder_.planes().size() - 1;
  EXPECT_EQ(weight(to, 3, 0, 4), weight(from, 3, last, 4));
  EXPECT_EQ(weight(to, 3, last + 1, 4), weight(from, 3, 0, 4));
  EXPECT_EQ(weight(to, 3, 2, 4), 0);
  EXPECT_EQ(weight(to, 3, 3, 4), weight(from, 3, 2, 4));
  EXPECT_EQ(remap_planes(after, encoder_.planes()), before);
}

TEST_F(LearnerTest, ANetworkForSeveralGamesHoldsANetworkOfEach) {
  const std::vector<game::GamePtr> games = {game_, *game::make_game("rek"), *game::make_game("hunt")};
  NetworkArchitecture shape = shape_;
  shape.planes = joint_planes(games);
  const Network shared = random_network(shape, 7);
  const auto loaded = [](const Network& network, std::uint64_t seed) {
    auto learner = std::make_unique<Learner>(network.architecture, quick_options(), seed);
    LearnerState state = learner->state();
    state.ema_weights = network.weights;
    learner->load(state);
    return learner;
  };
  const auto several = loaded(shared, 1);
  const Encoder among(shape.planes);
  for (const game::GamePtr& game : games) {
    const Encoder own(default_planes(game->info()));
    const auto one = loaded(remap_planes(shared, own.planes()), 2);
    const std::vector<SamplePosition> samples = sample_positions(*game, 16, 3);
    expect_equal(evaluate(*one, random_batch(own, *game, samples, 4)),
                 evaluate(*several, random_batch(among, *game, samples, 4)));
  }
}

TEST_F(LearnerTest, RulesTellEqualPositionsApart) {
  NetworkArchitecture shape = shape_;
  shape.rule_features = {"jump", "repetition"};
  Learner plain(shape_, quick_options(), 1), learner(shape, quick_options(), 1);
  // Two rulesets, in which all positions are won and lost.
  std::vector<SamplePosition> samples = sample_positions(*game_, 8, 3);
  samples.insert(samples.end(), samples.begin(), samples.begin() + 8);
  TrainBatch batch = random_batch(encoder_, *game_, samples, 4);
  TrainBatch without = batch;
  for (int row = 0; row < 16; ++row) {
    const std::array<float, 3> wdl = {row < 8 ? 1.0f : 0.0f, 0, row < 8 ? 0.0f : 1.0f};
    std::copy(wdl.begin(), wdl.end(), &batch.targets[Head::kValue].values[row * 3]);
    batch.rule_features.insert(batch.rule_features.end(), {row < 8 ? 1.0f : 0.0f, 0.5f});
  }
  without.targets[Head::kValue].values = batch.targets[Head::kValue].values;
  // New, they have no influence.
  expect_equal(evaluate(learner, batch), evaluate(plain, without));
  for (int i = 0; i < 60; ++i) {
    step(learner, batch);
    step(plain, without);
  }
  EXPECT_LT(step(learner, batch)[Head::kValue], 0.2);
  EXPECT_GT(step(plain, without)[Head::kValue], 0.6);
  EXPECT_THAT([&] { step(learner, without); }, testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr(
                                                   "'rule_features' has 0 entries, 32 are expected")));
}

TEST_F(LearnerTest, RuleFeaturesKeepTheirWeightsByName) {
  NetworkArchitecture shape = shape_;
  shape.rule_features = {"jump", "repetition", "chain"};
  const std::vector<std::string> other = {"chain", "game=rek", "jump"};
  const Network before = random_network(shape, 7);
  const Network after = with_rule_features(before, other);
  EXPECT_EQ(after.architecture.rule_features, other);
  const auto rules = [](const Network& network) {
    return *std::find_if(network.weights.begin(), network.weights.end(),
                         [](const NamedTensor& tensor) { return tensor.name == kRulesWeight; });
  };
  const NamedTensor from = rules(before), to = rules(after);
  EXPECT_EQ(to.shape, (std::vector<std::int64_t>{shape.channels, 3}));
  for (int channel = 0; channel < shape.channels; ++channel) {
    EXPECT_EQ(to.data[channel * 3], from.data[channel * 3 + 2]);
    EXPECT_EQ(to.data[channel * 3 + 1], 0);
    EXPECT_EQ(to.data[channel * 3 + 2], from.data[channel * 3]);
  }
  EXPECT_EQ(with_rule_features(before, shape.rule_features), before);
  const Network none = with_rule_features(before, {});
  EXPECT_EQ(none.weights.size(), before.weights.size() - 1);
  EXPECT_EQ(with_rule_features(none, {}), none);

  // A network that gets them computes the same, and learns on with the moments that it had.
  Learner blind(shape_, quick_options(), 1), seeing(shape, quick_options(), 2);
  for (int i = 0; i < 5; ++i) step(blind, batch_);
  LearnerState state = blind.state();
  for (Weights* weights : {&state.weights, &state.ema_weights, &state.first_moment, &state.second_moment})
    *weights = with_rule_features({shape_, *weights}, shape.rule_features).weights;
  state.architecture = shape;
  seeing.load(state);
  TrainBatch batch = batch_;
  batch.rule_features.assign(16 * 3, 1);
  expect_equal(evaluate(seeing, batch), evaluate(blind, batch_));
  expect_equal(step(seeing, batch), step(blind, batch_));

  NetworkArchitecture larger = shape;
  larger.channels += 8;
  ASSERT_TRUE(can_morph(shape, larger));
  Learner large(larger, quick_options(), 3);
  large.load(morph(seeing.state(), larger, 4));
  expect_equal(evaluate(large, batch), evaluate(seeing, batch));
  larger.rule_features.pop_back();
  EXPECT_FALSE(can_morph(shape, larger));
}

TEST_F(LearnerTest, RowsWithoutAKnownEndSayNothingAboutMovesLeft) {
  TrainBatch known = batch_, unknown = batch_;
  for (int row = 8; row < 16; ++row) {
    known.targets[Head::kMovesLeft].values[row] = 1000;
    unknown.targets[Head::kMovesLeft].mask[row] = 0;
  }
  EXPECT_GT(first_step(known)[Head::kMovesLeft], 2 * first_step(unknown)[Head::kMovesLeft]);
  unknown.targets[Head::kMovesLeft].mask.assign(16, 0);
  EXPECT_EQ(first_step(unknown)[Head::kMovesLeft], 0);
}

// One step each, as later ones differ by the signs of gradients that are almost 0; a large epsilon would hide
// them.
TEST_F(LearnerTest, SeveralReplicasLearnWhatOneLearnsFromTheWholeBatch) {
  TrainBatch batch = random_batch(encoder_, *game_, sample_positions(*game_, 37, 3), 4);
  batch.targets[Head::kPolicy].mask[3] = 0;
  batch.targets[Head::kReply].mask[20] = 0;
  batch.targets[Head::kMovesLeft].mask[30] = batch.targets[Head::kMovesLeft].mask[31] = 0;
  for (const int channels : {16, 24}) {
    shape_.channels = channels;
    Learner one(shape_, quick_options(), 1);
    const Losses before = evaluate(one, batch), whole = step(one, batch);
    for (const int threads : {2, 3}) {
      LearnerOptions options = quick_options();
      options.threads = threads;
      Learner several(shape_, options, 1);
      expect_equal(evaluate(several, batch), before);
      const Losses parts = step(several, batch);
      expect_equal(parts, whole);
      EXPECT_NEAR(parts.gradient_norm, whole.gradient_norm, 1e-4f * whole.gradient_norm);
      const LearnerState a = several.state(), b = one.state();
      for (size_t i = 0; i < a.first_moment.size(); ++i) {
        for (size_t j = 0; j < a.first_moment[i].data.size(); ++j)
          ASSERT_NEAR(a.first_moment[i].data[j], b.first_moment[i].data[j], 1e-5f) << a.first_moment[i].name;
      }
      for (size_t i = 0; i < a.weights.size(); ++i) {
        if (a.weights[i].name.find("running") == std::string::npos) continue;
        for (size_t j = 0; j < a.weights[i].data.size(); ++j)
          ASSERT_NEAR(a.weights[i].data[j], b.weights[i].data[j], 1e-5f) << a.weights[i].name;
      }
      // A small batch has fewer parts than there are replicas; then all take part again.
      for (int i = 0; i < 10; ++i) step(several, batch_);
      for (int i = 0; i < 20; ++i) step(several, batch);
      EXPECT_LT(step(several, batch).total, parts.total);
    }
  }
}

TEST_F(LearnerTest, LossesAreMeansOfTheStepsSinceTheyWereRead) {
  Learner one(shape_, quick_options(), 1), other(shape_, quick_options(), 1);
  const float first = step(one, batch_)[Head::kPolicy], second = step(one, batch_)[Head::kPolicy];
  const auto staged = other.stage(batch_);
  for (int i = 0; i < 2; ++i) other.step(*staged);
  EXPECT_FLOAT_EQ(other.losses()[Head::kPolicy], (first + second) / 2);
}

TEST_F(LearnerTest, ARestoredLearnerTakesBitIdenticalSteps) {
  Learner learner(shape_, quick_options(), 1);
  for (int i = 0; i < 3; ++i) step(learner, batch_);
  const LearnerState state = learner.state();
  Learner resumed(shape_, quick_options(), 2);
  resumed.load(state);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(step(learner, batch_).total, step(resumed, batch_).total);
  EXPECT_EQ(learner.steps(), resumed.steps());
  EXPECT_EQ(learner.state().weights, resumed.state().weights);
  EXPECT_EQ(learner.state().ema_weights, resumed.state().ema_weights);
  EXPECT_EQ(learner.state().first_moment, resumed.state().first_moment);
  EXPECT_EQ(learner.state().second_moment, resumed.state().second_moment);
}

TEST_F(LearnerTest, RowsWithoutAPolicyDoNotTeachOne) {
  Learner plain(shape_, quick_options(), 1), changed(shape_, quick_options(), 1);
  batch_.targets[Head::kPolicy].mask[3] = 0;
  const Losses before = step(plain, batch_);
  for (std::int64_t i = batch_.move_begin[3]; i < batch_.move_begin[4]; ++i)
    batch_.targets[Head::kPolicy].values[i] = 0;
  batch_.targets[Head::kPolicy].values[batch_.move_begin[3]] = 1;
  const Losses after = step(changed, batch_);
  EXPECT_EQ(before[Head::kPolicy], after[Head::kPolicy]);
  EXPECT_EQ(plain.state().weights, changed.state().weights);
}

TEST_F(LearnerTest, RowsWithoutAReplyDoNotTeachOne) {
  Learner learner(shape_, quick_options(), 1);
  const Losses with_replies = evaluate(learner, batch_);
  batch_.targets[Head::kReply].mask.assign(batch_.rows, 0);
  const Losses without = evaluate(learner, batch_);
  EXPECT_GT(with_replies[Head::kReply], 0);
  EXPECT_EQ(without[Head::kReply], 0);
  EXPECT_EQ(with_replies[Head::kPolicy], without[Head::kPolicy]);
}

TEST_F(LearnerTest, SurvivalIsAskedOnlyWherePiecesStand) {
  Learner learner(shape_, quick_options(), 1);
  const float before = evaluate(learner, batch_)[Head::kSurvival];
  auto& [values, mask] = batch_.targets[Head::kSurvival];
  for (size_t i = 0; i < values.size(); ++i) {
    if (mask[i] == 0) values[i] = 1 - values[i];
  }
  EXPECT_EQ(evaluate(learner, batch_)[Head::kSurvival], before);
}

TEST_F(LearnerTest, TheAverageFollowsTheWeightsAndTheirBatchNormStatistics) {
  LearnerOptions options = quick_options();
  options.ema_decay = 0.5f;
  Learner learner(shape_, options, 1);
  const Weights start = learner.state().weights;
  step(learner, batch_);
  const LearnerState state = learner.state();
  bool saw_statistics = false;
  for (size_t i = 0; i < start.size(); ++i) {
    saw_statistics |= start[i].name.ends_with("running_mean");
    for (size_t j = 0; j < start[i].data.size(); ++j) {
      // The first decay is 1 / 10: a short run must not play with its initial weights.
      const float expected = 0.1f * start[i].data[j] + 0.9f * state.weights[i].data[j];
      ASSERT_NEAR(state.ema_weights[i].data[j], expected, 1e-5f) << start[i].name;
    }
  }
  EXPECT_TRUE(saw_statistics);
}

TEST_F(LearnerTest, ValidationUsesTheAveragedWeightsAndTeachesNothing) {
  Learner learner(shape_, quick_options(), 1);
  step(learner, batch_);
  const LearnerState before = learner.state();
  const Losses losses = evaluate(learner, batch_);
  EXPECT_EQ(learner.state().weights, before.weights);
  EXPECT_EQ(learner.state().ema_weights, before.ema_weights);
  Learner averaged(shape_, quick_options(), 2);
  LearnerState of_average = before;
  of_average.weights = before.ema_weights;
  averaged.load(of_average);
  EXPECT_EQ(evaluate(averaged, batch_).total, losses.total);
}

TEST_F(LearnerTest, TheLearningRateWarmsUpThenStaysAndIsScaled) {
  LearnerOptions options = quick_options();
  options.learning_rate = 0.01f;
  options.warmup_steps = 4;
  Learner learner(shape_, options, 1);
  std::vector<float> rates(6);
  for (float& rate : rates) rate = step(learner, batch_).learning_rate;
  EXPECT_FLOAT_EQ(rates[0], 0.0025f);
  EXPECT_FLOAT_EQ(rates[3], 0.01f);
  EXPECT_FLOAT_EQ(rates[5], 0.01f);
  learner.scale_learning_rate(0.1f);
  EXPECT_FLOAT_EQ(step(learner, batch_).learning_rate, 0.001f);
}

TEST_F(LearnerTest, WeightDecayShrinksMatricesAndLeavesBiasesAndNormsAlone) {
  LearnerOptions options = quick_options();
  options.warmup_steps = 0;
  options.learning_rate = 0.1f;
  options.weight_decay = 1;
  // With every loss weighted 0 all gradients are 0.
  options.loss_weights = {};
  Learner learner(shape_, options, 1);
  const Weights before = learner.state().weights;
  step(learner, batch_);
  const Weights after = learner.state().weights;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i].name.find("running") != std::string::npos) continue;
    const float factor = before[i].shape.size() >= 2 ? 0.9f : 1.0f;
    for (size_t j = 0; j < before[i].data.size(); ++j) {
      ASSERT_NEAR(after[i].data[j], factor * before[i].data[j], 1e-6f) << before[i].name;
    }
  }
}

TEST_F(LearnerTest, GradientsAreClippedToTheLargestNorm) {
  LearnerOptions options = quick_options();
  options.gradient_clip = 1e-3f;
  Learner learner(shape_, options, 1);
  const Losses losses = step(learner, batch_);
  EXPECT_GT(losses.gradient_norm, options.gradient_clip);
  double squares = 0;
  for (const NamedTensor& moment : learner.state().first_moment) {
    for (const float value : moment.data) squares += static_cast<double>(value) * value;
  }
  EXPECT_NEAR(std::sqrt(squares), 0.1 * options.gradient_clip, 1e-6);
}

TEST_F(LearnerTest, MixedPrecisionLearnsAboutTheSame) {
  LearnerOptions options = quick_options();
  Learner fp32(shape_, options, 1);
  options.mixed_precision = true;
  Learner mixed(shape_, options, 1);
  Losses a, b;
  for (int i = 0; i < 20; ++i) {
    a = step(fp32, batch_);
    b = step(mixed, batch_);
  }
  EXPECT_NEAR(a.total, b.total, 0.1f * a.total);
}

TEST_F(LearnerTest, ABrokenBatchIsRefused) {
  Learner learner(shape_, quick_options(), 1);
  TrainBatch nan = batch_;
  nan.targets[Head::kValue].values[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT([&] { step(learner, nan); },
              testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr("not finite")));
  TrainBatch cut = batch_;
  cut.targets[Head::kMovesLeft].values.pop_back();
  EXPECT_THAT([&] { step(learner, cut); }, testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr(
                                               "'moves_left' has 15 entries, 16 are expected")));
}

TEST_F(LearnerTest, AStateOfAnotherShapeIsRefusedWithBothShapes) {
  NetworkArchitecture other = shape_;
  other.hidden = 24;
  const LearnerState state = Learner(other, quick_options(), 1).state();
  Learner learner(shape_, quick_options(), 1);
  EXPECT_THAT([&] { learner.load(state); },
              testing::ThrowsMessage<std::runtime_error>(
                  testing::AllOf(testing::HasSubstr("[1, 24]"), testing::HasSubstr("[1, 16]"))));
}

TEST_F(LearnerTest, WhatTheLearnerKnowsTheEvaluatorPlays) {
  LearnerOptions options = quick_options();
  options.ema_decay = 0;
  Learner learner(shape_, options, 1);
  for (int i = 0; i < 100; ++i) step(learner, batch_);
  TorchEvaluator evaluator(*game_, learner.network(), {.precision = Precision::kFp32});
  const std::vector<RawOutput> outputs = evaluator.forward(batch_.planes, batch_.rows);
  int best_moves_found = 0;
  for (int row = 0; row < batch_.rows; ++row) {
    const auto begin = batch_.move_begin[row], end = batch_.move_begin[row + 1];
    std::int64_t wanted = begin, found = begin;
    for (std::int64_t i = begin; i < end; ++i) {
      if (batch_.targets[Head::kPolicy].values[i] > batch_.targets[Head::kPolicy].values[wanted]) wanted = i;
      if (outputs[row].policy[batch_.move_index[i]] > outputs[row].policy[batch_.move_index[found]])
        found = i;
    }
    best_moves_found += wanted == found;
    EXPECT_NEAR(outputs[row].wdl[0], batch_.targets[Head::kValue].values[row * 3], 0.3f);
  }
  EXPECT_GE(best_moves_found, 14);
}

}  // namespace
}  // namespace makzero::nn
