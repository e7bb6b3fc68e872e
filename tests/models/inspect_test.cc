// The description of files for people shows the facts that one looks for.
#include "models/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "game/catalog.h"
#include "models/framed_file.h"
#include "models/model.h"
#include "models/small_network_file.h"
#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using testing::HasSubstr;

class InspectTest : public FolderTest {
 protected:
  std::filesystem::path path() const { return folder_ / "file"; }
};

Manifest some_manifest() {
  Manifest manifest;
  manifest.set_ruleset("makyek:custodian=line");
  manifest.mutable_architecture()->set_blocks(6);
  manifest.mutable_architecture()->set_channels(64);
  manifest.add_planes("own M");
  manifest.add_planes("enemy M");
  manifest.set_generation(12);
  manifest.set_games(5000);
  manifest.set_seconds_trained(90);
  manifest.set_parent("00112233aabb");
  manifest.set_commit("0.1.0");
  manifest.set_created_unix(1772368200);
  manifest.set_config("seed: 1\nnetwork { blocks: 6 }\n");
  manifest.mutable_search()->set_draw_score(-0.25f);
  return manifest;
}

nn::Weights some_weights() { return {{"w", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"b", {2}, {1, 2}}}; }

TEST_F(InspectTest, ACheckpointShowsItsFacts) {
  const Model checkpoint{some_manifest(), {architecture_of(some_manifest()), some_weights()}};
  write_model(path(), checkpoint);
  const std::string text = inspect_file(path());
  for (const char* fact :
       {"checkpoint ", "makyek:custodian=line", "6 blocks x 64 channels", "2: own M, enemy M",
        "generation    12", "5000 games", "1.5 minutes", "parent        00112233aabb",
        "2026-03-01 12:30:00 UTC by version 0.1.0", "draw_score -0.25, moves_left_weight 0.02",
        "model: 2 tensors, 8 numbers, 32 bytes", "network { blocks: 6 }"}) {
    EXPECT_THAT(text, HasSubstr(fact));
  }
  EXPECT_THAT(text, HasSubstr("id            " + checkpoint.id()));
}

TEST_F(InspectTest, ACheckpointSaysWhetherItsRulesAreThoseOfTheProgram) {
  const std::string ours = rules_validation("makyek");
  const std::string other(ours.size(), '0');
  const std::pair<std::string, std::string> facts[] = {
      {ours, "rules         validation record " + ours + ", that of this program"},
      {other, "rules         validation record " + other + ", but that of this program is " + ours},
      {"", "rules         not validated"},
  };
  for (const auto& [certificate, fact] : facts) {
    Model checkpoint{some_manifest(), {architecture_of(some_manifest()), some_weights()}};
    checkpoint.manifest.set_rules_validation(certificate);
    write_model(path(), checkpoint);
    EXPECT_THAT(inspect_file(path()), HasSubstr(fact));
  }
}

TEST_F(InspectTest, ALearnerStateShowsItsGroups) {
  write_learner_state(path(), some_manifest(),
                      {architecture_of(some_manifest()), 77, some_weights(), some_weights(), {}, {}});
  const std::string text = inspect_file(path());
  EXPECT_THAT(text, HasSubstr("learner state"));
  EXPECT_THAT(text, HasSubstr("77 steps"));
  EXPECT_THAT(text, HasSubstr("ema: 2 tensors"));
}

TEST_F(InspectTest, ASmallNetworkShowsItsGameItsSourceAndItsSize) {
  mcts::SmallNetwork network = mcts::empty_small_network((*game::make_game("makruk"))->info());
  network.source = "4f2a91c03b7e";
  write_model(path(), make_model(network));
  const std::string text = inspect_file(path());
  for (const std::string& fact :
       {std::string("checkpoint "), std::string("every byte verified"),
        "id            " + small_network_id(network),
        "small network " + small_network_id(network) + " of makruk\n",
        std::string("source        4f2a91c03b7e\n"), std::string("hidden units  128 "),
        std::string("inputs        pieces, rights, count, counter, no-progress, length"),
        "rule features " + std::to_string(network.rule_features.size()) + ": " +
            network.rule_features.front()}) {
    EXPECT_THAT(text, HasSubstr(fact));
  }
  put_file(path(), flipped(read_text_file(path()), 60));
  EXPECT_THAT(error_of([&] { inspect_file(path()); }), HasSubstr("bytes 24-"));
}

TEST_F(InspectTest, OtherFramedFilesShowTheirFrames) {
  FrameAppender(path(), FileKind::kMatches).add("0123456789");
  EXPECT_THAT(inspect_file(path()), HasSubstr("frames        1, 10 bytes uncompressed"));
}

TEST_F(InspectTest, DamageIsAnError) {
  FrameAppender(path(), FileKind::kMatches).add("0123456789");
  put_file(path(), flipped(read_text_file(path()), 30));
  EXPECT_THAT(error_of([&] { inspect_file(path()); }), HasSubstr("bytes 24-"));
}

TEST(FactSheetTest, FurtherLinesAreIndentedBelowTheFirst) {
  FactSheet sheet("title");
  sheet.add("name", "one\ntwo\n");
  EXPECT_EQ(sheet.text(), "title\n  name          one\n                two\n");
}

TEST(SizeTextTest, SizesHaveFittingUnits) {
  EXPECT_EQ(size_text(1023), "1023 bytes");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(std::uint64_t{5} << 30), "5.0 GiB");
}

}  // namespace
}  // namespace makzero::models
