// A checkpoint plays the game that it was made for, and refuses others by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/material_evaluator.h"
#include "models/model.h"
#include "nn/encoder.h"
#include "nn/learner.h"
#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using testing::HasSubstr;

class CheckpointGameTest : public FolderTest {
 protected:
  // A fresh network of the smallest size for the ruleset.
  static Model fresh(const game::Game& game) {
    const nn::NetworkArchitecture shape{nn::default_planes(game.info()), 1, 8, 4, 8};
    return make_model(game, nn::Learner(shape, {}, 1).network());
  }

  static std::string refusal(const game::Game& game, const Model& checkpoint) {
    return error_of([&] { make_evaluator(game, checkpoint, {}); });
  }

  game::GamePtr makyek_ = *game::make_game("makyek");
};

TEST_F(CheckpointGameTest, ANewCheckpointDescribesItself) {
  const Model checkpoint = fresh(*makyek_);
  EXPECT_EQ(checkpoint.manifest.ruleset(), "makyek");
  EXPECT_EQ(checkpoint.manifest.planes_size(), checkpoint.manifest.architecture().planes());
  EXPECT_EQ(id_of(checkpoint.manifest), checkpoint.id());
  EXPECT_GT(checkpoint.manifest.created_unix(), 1'700'000'000);
}

TEST_F(CheckpointGameTest, AReadableNameSaysGameSizeRowsAndTheFirstDigits) {
  Manifest manifest = fresh(*makyek_).manifest;
  manifest.set_weights_hash("4f2a91c03b7e00112233445566778899");
  manifest.mutable_architecture()->set_blocks(6);
  manifest.mutable_architecture()->set_channels(64);
  EXPECT_EQ(readable_name(manifest), "makyek-6x64-4f2a91");
  for (const auto& [rows, text] : {std::pair{999, "r999"}, {1'999, "r1k"}, {48'600'000, "r48M"}}) {
    manifest.set_rows(rows);
    EXPECT_EQ(readable_name(manifest), std::string("makyek-6x64-") + text + "-4f2a91");
  }
  manifest.add_games_trained("makyek-line");
  EXPECT_EQ(readable_name(manifest), "makyek-6x64-r48M-4f2a91");
  manifest.add_games_trained("rek");
  EXPECT_EQ(readable_name(manifest), "custodial-6x64-r48M-4f2a91");
  manifest.clear_weights_hash();
  manifest.add_small_networks()->set_id("634b613473a6");
  EXPECT_EQ(readable_name(manifest), "makyek-small-634b61");
}

TEST_F(CheckpointGameTest, ANewCheckpointNamesTheValidationRecordOfItsRules) {
  const std::string certificate = fresh(*makyek_).manifest.rules_validation();
  EXPECT_THAT(certificate, testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(certificate, rules_validation("makyek-line:jump=on"));
  EXPECT_NE(certificate, rules_validation("makruk"));
  EXPECT_EQ(rules_validation("chess"), "");
}

TEST_F(CheckpointGameTest, ACheckpointOfOtherRulesStillPlays) {
  Model checkpoint = fresh(*makyek_);
  checkpoint.manifest.set_rules_validation(std::string(32, '0'));
  EXPECT_NE(make_evaluator(*makyek_, checkpoint, {}), nullptr);
}

TEST_F(CheckpointGameTest, AStoredNetworkGivesTheSameOutputs) {
  const Model checkpoint = fresh(*makyek_);
  write_model(folder_ / "file", checkpoint);
  const nn::TorchEvaluatorOptions options{.precision = nn::Precision::kFp32};
  const auto before = make_evaluator(*makyek_, checkpoint, options);
  const auto after = make_evaluator(*makyek_, read_model(folder_ / "file"), options);
  std::vector<float> planes(static_cast<std::size_t>(before->encoder().plane_count()) * 64);
  before->encoder().encode(*makyek_, makyek_->initial(), 1, planes.data());
  EXPECT_EQ(before->forward(planes, 1)[0].policy, after->forward(planes, 1)[0].policy);
  EXPECT_EQ(before->forward(planes, 1)[0].wdl, after->forward(planes, 1)[0].wdl);
}

TEST(SearchConstantsTest, TheManifestKeepsEveryOne) {
  mcts::SearchOptions options;
  float value = 0.125f;
  for (const auto& [name, member] : mcts::kSearchConstants) options.*member = value *= 2;
  Manifest manifest;
  set_search_options(options, &manifest);
  for (const auto& [name, member] : mcts::kSearchConstants)
    EXPECT_EQ(search_options(manifest).*member, options.*member) << name;
  EXPECT_EQ(manifest.search().draw_score(), options.draw_score) << "in its field, for programs of before";
}

TEST(SearchConstantsTest, OneThatTheManifestDoesNotHaveKeepsItsDefault) {
  Manifest manifest;
  manifest.mutable_search()->set_cpuct(3);
  EXPECT_EQ(search_options(manifest).cpuct, 3);
  EXPECT_EQ(search_options(manifest).c_visit, mcts::SearchOptions().c_visit);
}

TEST(SearchConstantsTest, OneWithoutAFieldIsReadByNameAndAnUnknownOneIsRefused) {
  Manifest manifest;
  NamedConstant* constant = manifest.mutable_search()->add_constants();
  constant->set_name("c_visit");
  constant->set_value(60);
  EXPECT_EQ(search_options(manifest).c_visit, 60);
  constant->set_name("c_future");
  try {
    search_options(manifest);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("'c_future', which this program does not know"));
  }
}

TEST_F(CheckpointGameTest, RuleOptionsMayDiffer) {
  const game::GamePtr variant = *game::make_game("makyek:no_progress=60");
  EXPECT_NE(make_evaluator(*variant, fresh(*makyek_), {}), nullptr);
}

TEST_F(CheckpointGameTest, AnotherGameIsRefusedNamingBoth) {
  const game::GamePtr makruk = *game::make_game("makruk");
  EXPECT_THAT(refusal(*makruk, fresh(*makyek_)),
              testing::AllOf(HasSubstr("'makyek'"), HasSubstr("'makruk'")));
}

TEST_F(CheckpointGameTest, APlaneThatNoGameHasIsRefused) {
  Model checkpoint = fresh(*makyek_);
  checkpoint.tower.architecture.planes[0] = "something else";
  EXPECT_THAT(refusal(*makyek_, checkpoint), HasSubstr("has an input plane 'something else'"));
}

TEST_F(CheckpointGameTest, APlaneWithoutWhichTheGameCannotBePlayedIsMissed) {
  const game::GamePtr obliging = *game::make_game("minrekchanh:obligation=transition");
  const Model checkpoint = fresh(**game::make_game("minrekchanh"));
  EXPECT_THAT(refusal(*obliging, checkpoint), HasSubstr("has no input plane 'obliged'"));
}

// Limits are no matter of planes: networks of before, which see the ply, and those of now play any.
TEST_F(CheckpointGameTest, ANetworkPlaysAnyLimitOfRepetitionProgressAndLength) {
  nn::NetworkArchitecture former = fresh(*makyek_).tower.architecture;
  for (std::string& plane : former.planes) {
    if (plane == "repetition") plane = "seen 1";
    if (plane == "no progress") plane = "quiet plies";
    if (plane == "plies left") plane = "ply";
  }
  for (const Model& checkpoint :
       {fresh(*makyek_), make_model(*makyek_, nn::Learner(former, {}, 1).network())}) {
    for (const char* options : {"repetition=0", "repetition=5", "no_progress=0", "no_progress=30",
                                "max_plies=0", "max_plies=90", "repetition=0,no_progress=0"}) {
      const game::GamePtr game = *game::make_game(std::string("makyek:") + options);
      const auto network = make_evaluator(*game, checkpoint, {.precision = nn::Precision::kFp32});
      std::vector<float> planes(network->encoder().planes().size() * 64);
      game::Position late = game->initial();
      late.ply = 80;
      late.no_progress_plies = 25;
      network->encoder().encode(*game, late, 2, planes.data());
      for (const float value : planes) ASSERT_TRUE(value >= 0 && value <= 1) << options;
      EXPECT_TRUE(std::isfinite(network->forward(planes, 1)[0].moves_left)) << options;
    }
  }
}

TEST_F(CheckpointGameTest, ANetworkThatSeesTheRulesPlaysEveryRulesetOfItsGames) {
  const game::GamePtr apit = *game::make_game("apit"), line = *game::make_game("makyek-line:jump=on"),
                      rek = *game::make_game("rek");
  const std::vector<game::GamePtr> games = {makyek_, apit};
  nn::NetworkArchitecture shape{nn::joint_planes(games), 1, 8, 4, 8};
  shape.rule_features = {"game=makyek", "game=apit"};
  Model checkpoint = make_model(*makyek_, nn::Learner(shape, {}, 1).network());
  EXPECT_NE(make_evaluator(*line, checkpoint, {}), nullptr);
  EXPECT_THAT(refusal(*apit, checkpoint), HasSubstr("cannot play 'apit'"));
  checkpoint.manifest.add_games_trained("makyek");
  checkpoint.manifest.add_games_trained("apit");
  write_model(folder_ / "file", checkpoint);
  EXPECT_NE(make_evaluator(*apit, read_model(folder_ / "file"), {}), nullptr);
  EXPECT_THAT(refusal(*rek, checkpoint), HasSubstr("cannot play 'rek'"));
  EXPECT_THAT(refusal(*apit, fresh(*makyek_)), HasSubstr("cannot play 'apit'"));

  shape.rule_features = {"game=makyek", "teleport"};
  const Model unknown = make_model(*makyek_, nn::Learner(shape, {}, 1).network());
  EXPECT_THAT(refusal(*makyek_, unknown), HasSubstr("rule feature 'teleport'"));
}

TEST_F(CheckpointGameTest, OtherVersionsAreRefusedNamingBoth) {
  Model checkpoint = fresh(*makyek_);
  checkpoint.manifest.set_encoder_version(99);
  EXPECT_THAT(refusal(*makyek_, checkpoint), HasSubstr("encoder version 99, this program has version"));
  checkpoint = fresh(*makyek_);
  checkpoint.manifest.set_move_index_version(99);
  EXPECT_THAT(refusal(*makyek_, checkpoint), HasSubstr("move index version 99"));
}

TEST_F(CheckpointGameTest, WeightsOfAnotherShapeAreRefused) {
  Model checkpoint = fresh(*makyek_);
  checkpoint.tower.architecture.blocks = 2;
  EXPECT_THAT(refusal(*makyek_, checkpoint), HasSubstr("checkpoint " + checkpoint.id()));
}

}  // namespace
}  // namespace makzero::models
