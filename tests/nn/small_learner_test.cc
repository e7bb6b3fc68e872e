// The gradient step of a small network: it learns, repeats itself on every machine, goes on as if it had not
// stopped, and its quantised weights play by what they have learnt.
#include "nn/small_learner.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/rule_features.h"
#include "mcts/material_evaluator.h"
#include "mcts/rng.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

constexpr int kGamePlies = 150, kStride = 4;  // One ply in four is a row.

class SmallLearnerTest : public testing::Test {
 protected:
  SmallLearnerTest() {
    for (const std::string_view name : game::rule_feature_names(makruk_->info().family))
      rule_features_.push_back(game::rule_feature(makruk_->info(), name));
  }

  // Positions of random games, each with a target by the mover's lead: a man is a quarter of a logit.
  SmallBatch material_batch(int rows, std::uint64_t seed) const {
    SmallBatch batch;
    mcts::Rng rng(seed);
    while (batch.rows < rows) {
      game::GameState state(*makruk_);
      for (int ply = 0; ply < kGamePlies && !state.over(); ++ply) {
        state.play(state.legal()[static_cast<int>(rng.below(state.legal().size()))]);
        if (rng.below(kStride) != 0) continue;
        const game::Position& position = state.position();
        const int lead = material_lead(makruk_->info(), position, position.to_move);
        batch.add(makruk_->info(), position, rule_features_,
                  1 / (1 + std::exp(-static_cast<float>(lead) / 400)));
      }
    }
    return batch;
  }

  const game::GamePtr makruk_ = *game::make_game("makruk");
  std::vector<float> rule_features_;
};

TEST_F(SmallLearnerTest, ItsNetworkCountsTheMaterialThatItHasLearnt) {
  const SmallBatch held_out = material_batch(1000, 1000);
  SmallLearner learner(makruk_->info(), {});
  const float before = learner.evaluate(held_out);
  for (int step = 0; step < 400; ++step) learner.step(material_batch(200, step));
  EXPECT_LT(learner.evaluate(held_out), before - 0.02f);

  // A rook more is worth 1.25 logits, learnt from positions that lack less.
  game::Position even = makruk_->initial(), ahead = even;
  const game::Bitboard rook = game::bit(56);
  ahead.side[1] &= ~rook;
  for (game::Bitboard& kind : ahead.kind) kind &= ~rook;
  const mcts::SmallEvaluator evaluator(makruk_->info(), learner.network());
  const auto value = [&](const game::Position& position) {
    mcts::SmallAccumulator sums;
    evaluator.refresh(position, &sums);
    return evaluator.evaluate(position, sums).value;
  };
  EXPECT_GT(value(ahead) - value(even), 400);
}

TEST_F(SmallLearnerTest, EqualSeedsGiveEqualNetworks) {
  const SmallBatch batch = material_batch(200, 1);
  const auto learnt = [&](std::uint64_t seed) {
    SmallLearner learner(makruk_->info(), {.seed = seed});
    for (int step = 0; step < 3; ++step) learner.step(batch);
    return learner.network();
  };
  EXPECT_EQ(learnt(1), learnt(1));
  EXPECT_NE(learnt(1), learnt(2));
}

// A part of a batch has its own gradient, and that of some threads more than one.
TEST_F(SmallLearnerTest, TheNumberOfThreadsChangesNoBit) {
  const auto learnt = [&](int threads) {
    SmallLearner learner(makruk_->info(), {.threads = threads});
    for (int step = 0; step < 4; ++step) learner.step(random_small_batch(*makruk_, 100 + step, step));
    return learner.state();
  };
  const SmallLearnerState one = learnt(1);
  for (const int threads : {2, 3, 20}) {
    const SmallLearnerState state = learnt(threads);
    EXPECT_EQ(state.weights, one.weights) << threads;
    EXPECT_EQ(state.second_moment, one.second_moment) << threads;
  }
}

// Compiled for any processor, by any compiler.
TEST_F(SmallLearnerTest, EveryMachineLearnsTheSameBits) {
  SmallLearner learner(makruk_->info(), {});
  for (int step = 0; step < 20; ++step) learner.step(random_small_batch(*makruk_, 300, step));
  std::uint64_t digest = 14695981039346656037u;  // FNV-1a by words.
  for (const NamedTensor& tensor : learner.state().weights)
    for (const float weight : tensor.data)
      digest = (digest ^ std::bit_cast<std::uint32_t>(weight)) * 1099511628211u;
  EXPECT_EQ(digest, 13610201996984766540u);
}

TEST_F(SmallLearnerTest, WeightsDecayAndBiasesDoNot) {
  const SmallBatch batch = random_small_batch(*makruk_, 100, 1);
  const auto learnt = [&](float decay) {
    SmallLearner learner(makruk_->info(), {.learning_rate = 0.01f, .weight_decay = decay});
    const Weights before = learner.state().weights;
    learner.step(batch);
    return std::pair(before, learner.state().weights);
  };
  const auto [before, plain] = learnt(0);
  const Weights decayed = learnt(0.5f).second;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const bool is_bias = plain[i].name.ends_with("bias");
    for (std::size_t j = 0; j < plain[i].data.size(); ++j)
      ASSERT_NEAR(plain[i].data[j] - decayed[i].data[j], is_bias ? 0 : 0.005f * before[i].data[j], 1e-7f);
  }
}

TEST_F(SmallLearnerTest, GoesOnFromItsStateAsIfItHadNotStopped) {
  const SmallBatch first = material_batch(200, 1), second = material_batch(200, 2);
  SmallLearner learner(makruk_->info(), {.seed = 4});
  for (int i = 0; i < 5; ++i) learner.step(first);
  SmallLearner other(makruk_->info(), {.seed = 9});
  other.load(learner.state());
  EXPECT_EQ(other.steps(), 5);
  EXPECT_EQ(other.step(second), learner.step(second));
  EXPECT_EQ(other.network(), learner.network());
  EXPECT_EQ(other.state().second_moment, learner.state().second_moment);
}

TEST_F(SmallLearnerTest, BeginsWithANetworkOfItsGame) {
  SmallLearner learner(makruk_->info(), {});
  const mcts::SmallNetwork network = mcts::material_small_network(makruk_->info());
  learner.load(state_from(makruk_->info(), network));
  EXPECT_EQ(learner.network(), network);
  EXPECT_EQ(learner.steps(), 0);
}

TEST_F(SmallLearnerTest, BeginsWithTheInputsOfAKindredNetwork) {
  const game::GamePtr ok = *game::make_game("ok"), makyek = *game::make_game("makyek");
  for (const game::GamePtr& other : {ok, makyek}) {
    SmallLearner learner(other->info(), {});
    learner.load(state_from(other->info(), mcts::material_small_network(makruk_->info())));
    const mcts::SmallNetwork begun = learner.network();
    EXPECT_EQ(begun.game, game::game_of(other->info().ruleset));
    EXPECT_EQ(begun.rule_features, mcts::empty_small_network(other->info()).rule_features);
    EXPECT_EQ(begun.features, mcts::material_small_network(makruk_->info()).features);
  }
}

TEST_F(SmallLearnerTest, AStateOfOtherSizesIsRefused) {
  SmallLearner learner(makruk_->info(), {});
  SmallLearnerState state = learner.state();
  state.weights.pop_back();
  EXPECT_THROW(learner.load(state), std::runtime_error);
  state = learner.state();
  state.weights.front().shape.front() -= 1;
  EXPECT_THROW(learner.load(state), std::runtime_error);
}

}  // namespace
}  // namespace makzero::nn
