// Baselines: their text, how they are made, and what they say of a network.
#include "train/rating/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/hash_evaluator.h"
#include "train/rating/baseline_maker.h"

namespace makzero::train {
namespace {

using testing::HasSubstr;

constexpr const char* kText =
    "position\tfirst\texpected\tsecond\texpected\n"
    "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w\ta3a4\t0.500\tb3b5\t0.750\n";

class BaselineTest : public ::testing::Test {
 protected:
  std::string why(const std::string& text) const { return parse_baseline(*game_, text, "b.tsv").why(); }

  game::GamePtr game_ = *game::make_game("makyek");
};

TEST_F(BaselineTest, WhatIsWrittenIsRead) {
  const auto baseline = parse_baseline(*game_, kText, "b.tsv");
  ASSERT_TRUE(baseline) << baseline.why();
  EXPECT_EQ(baseline->judges, (std::vector<std::string>{"first", "second"}));
  ASSERT_EQ(baseline->positions.size(), 1u);
  EXPECT_EQ(baseline->positions[0].position, game_->initial());
  EXPECT_EQ(baseline->positions[0].judgements[1].expected, 0.75f);
  EXPECT_EQ(baseline_text(*game_, *baseline), kText);
}

TEST_F(BaselineTest, WhatCannotBeReadIsNamedWithItsLine) {
  const std::string text = kText, header = text.substr(0, text.find('\n') + 1);
  EXPECT_THAT(why(""), HasSubstr("b.tsv, line 1: "));
  EXPECT_THAT(why(header), HasSubstr("b.tsv, line 1: has no positions behind it"));
  EXPECT_THAT(why("place\tfirst\texpected\n"), HasSubstr("line 1: the first line is not 'position'"));
  EXPECT_THAT(why(text + "mmmm w\ta3a4\t0.5\tb3b5\t0.5\n"), HasSubstr("line 3: "));
  EXPECT_THAT(why(text + "8/8\ta3a4\n"), HasSubstr("line 3: has 2 fields instead of 5"));
  std::string odd = text;
  EXPECT_THAT(why(odd.replace(odd.find("0.750"), 5, "1.750")),
              HasSubstr("line 2: '1.750' is no number from 0 to 1"));
  odd = text;
  EXPECT_THAT(why(odd.replace(odd.find("a3a4"), 4, "a3a9")), HasSubstr("line 2: "));
}

// Ranks one move first, with 0.5 of the policy, and expects 0.5.
class OneMoveEvaluator : public mcts::Evaluator {
 public:
  explicit OneMoveEvaluator(game::Move move) : move_(move) {}

  void evaluate(std::span<const mcts::EvalRequest> requests,
                std::span<mcts::Evaluation> evaluations) override {
    for (size_t i = 0; i < requests.size(); ++i) {
      const game::MoveList& legal = *requests[i].legal;
      evaluations[i].value = {.win = 0.25f, .draw = 0.5f, .loss = 0.25f};
      evaluations[i].priors.assign(legal.size(), 0.5f / static_cast<float>(legal.size() - 1));
      evaluations[i].priors[std::find(legal.begin(), legal.end(), move_) - legal.begin()] = 0.5f;
    }
  }

 private:
  game::Move move_;
};

TEST_F(BaselineTest, FiguresAreMeansOverPositionsAndJudges) {
  const auto baseline = parse_baseline(*game_, kText, "b.tsv");
  game::MoveList legal;
  game_->legal_moves(game_->initial(), &legal);
  OneMoveEvaluator network(*game::parse_move(*game_, game_->initial(), "a3a4"));
  const BaselineFigures figures = compare(*game_, *baseline, &network);
  EXPECT_EQ(figures.agreement, 0.5);
  const double other = 0.5 / (legal.size() - 1);
  EXPECT_NEAR(figures.policy_loss, -(std::log(0.5) + std::log(other)) / 2, 1e-6);
  EXPECT_NEAR(figures.value_loss, (0.0 + 0.0625) / 2, 1e-6);
}

TEST_F(BaselineTest, ManyPositionsAreManyBatchesAndAgreeWithTheNetworkThatJudged) {
  BaselineRequest request;
  request.player = *models::parse_player("random", {});
  request.judges = {*models::parse_player("alphabeta:1", {}), *models::parse_player("rollout:20", {})};
  request.positions = 300;
  request.match.threads = 2;
  std::set<std::string> phases;
  const auto made = make_baseline(*game_, request, [&](const Progress& now) {
    EXPECT_LE(now.done, now.of);
    phases.insert(now.what);
  });
  ASSERT_TRUE(made);
  EXPECT_EQ(phases.size(), 3u);
  ASSERT_EQ(made->positions.size(), 300u);
  std::set<std::string> texts;
  for (const BaselinePosition& row : made->positions) {
    EXPECT_EQ(row.judgements.size(), 2u);
    texts.insert(game::position_text(*game_, row.position));
  }
  EXPECT_EQ(texts.size(), 300u);
  const auto read = parse_baseline(*game_, baseline_text(*game_, *made), "b.tsv");
  ASSERT_TRUE(read) << read.why();
  mcts::HashEvaluator network;
  EXPECT_NEAR(compare(*game_, *made, &network).policy_loss, compare(*game_, *read, &network).policy_loss,
              1e-9);
  EXPECT_GT(compare(*game_, *made, &network).agreement, 0);
  EXPECT_LT(compare(*game_, *made, &network).agreement, 0.5);
}

TEST_F(BaselineTest, TheSameSeedMakesTheSameBaseline) {
  BaselineRequest request;
  request.player = *models::parse_player("random", {});
  request.judges = {*models::parse_player("rollout:20", {})};
  request.positions = 40;
  const auto text = [&](int threads) {
    request.match.threads = threads;
    return baseline_text(*game_, *make_baseline(*game_, request, [](const Progress&) {}));
  };
  EXPECT_EQ(text(1), text(2));
}

TEST_F(BaselineTest, NothingIsMadeWhereItIsStopped) {
  BaselineRequest request;
  request.player = *models::parse_player("random", {});
  request.judges = {*models::parse_player("alphabeta:1", {})};
  std::stop_source stop;
  stop.request_stop();
  request.match.stop = stop.get_token();
  EXPECT_FALSE(make_baseline(*game_, request, [](const Progress&) {}));
}

}  // namespace
}  // namespace makzero::train
