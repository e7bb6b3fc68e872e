// Files of small networks: they come back as they were, or say what is wrong; and the names of players.
#include "models/small_network_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "game/catalog.h"
#include "game/game_state.h"
#include "mcts/rng.h"
#include "models/export.h"
#include "models/framed_file.h"
#include "models/model.h"
#include "models/zoo.h"
#include "tests/support/file_tools.h"
#include "tests/support/small_network.h"
#include "tests/support/tiny_network.h"

namespace makzero::models {
namespace {

using makzero::testing::random_small_network;
using ::testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SmallNetworkFileTest : public FolderTest {
 protected:
  SmallNetworkFileTest() {
    network_.source = "4f2a91c03b7e";
    write_model(path(), make_model(network_));
  }

  std::filesystem::path path() const { return folder_ / "makyek.mzc"; }

  mcts::SmallNetwork network_ = random_small_network((*game::make_game("makyek"))->info(), 1);
};

TEST_F(SmallNetworkFileTest, ANetworkComesBackAsItWas) {
  EXPECT_THAT(read_model(path()).small_networks, ElementsAre(network_));
  EXPECT_EQ(load_small_network(path(), "makyek:jump=on"), network_);
  EXPECT_EQ(small_network_id(network_).size(), 12u);
  mcts::SmallNetwork other = network_;
  other.output_bias[0] += 1;
  EXPECT_NE(small_network_id(other), small_network_id(network_));
}

// A reader with game and mcts alone looks for this frame.
TEST_F(SmallNetworkFileTest, AFrameHoldsTheBytesOfTheNetwork) {
  std::vector<std::string> frames;
  FrameReader reader(path(), FileKind::kCheckpoint);
  while (const std::optional<std::string> frame = reader.next()) frames.push_back(*frame);
  EXPECT_THAT(frames, ElementsAre(_, mcts::encode_small_network(network_)));
}

TEST_F(SmallNetworkFileTest, FilesOfFormerReleasesAreRead) {
  const Model former = read_model(MAKZERO_TEST_DATA "/models/gala_version_1.mzs");
  EXPECT_EQ(former.id(), "071dec8b419f");
  EXPECT_EQ(id_of(former.manifest), "071dec8b419f");
  EXPECT_EQ(former.manifest.ruleset(), "gala");
  const mcts::SmallNetwork now = mcts::material_small_network((*game::make_game("gala"))->info());
  EXPECT_EQ(former.small_networks.at(0).features, now.features);
  EXPECT_EQ(load_small_network(MAKZERO_TEST_DATA "/models/gala_version_1.mzs", "gala:no_progress=60"),
            former.small_networks.at(0));
}

// Evaluations of random positions, as they were when each network was published.
TEST(ZooSmallNetworkTest, EvaluatesAsRecorded) {
  const std::pair<const char*, std::uint64_t> table[] = {
      {"apit", 0x7a6414b76a84a2f6},   {"gala", 0xe8e180acbfbfdf87},    {"hunt", 0xe58a1c1a496b7d29},
      {"kaok", 0x11fc44e589a72e49},   {"low1839", 0x94590148a697fd1e}, {"makruk-sutra", 0xb60b110aaa6425ac},
      {"makruk", 0xdbe622b2fd322cba}, {"makyek", 0x2ea9a073796fce05},  {"minrekchanh", 0xe9895d4d7418c245},
      {"ok", 0x9007afbbbdcee7af},     {"rek", 0xb81ea06a322e33b3},
  };
  for (const auto& [name, recorded] : table) {
    const game::GamePtr game = *game::make_game(name);
    const auto network = load_small_network(Zoo(MAKZERO_ZOO_SOURCE).entry(name).network(), name);
    const mcts::SmallEvaluator evaluator(game->info(), network);
    std::uint64_t hash = 14695981039346656037u;
    for (int plies = 0; plies < 200; ++plies) {
      mcts::Rng rng(plies);
      game::GameState state(*game);
      state.random_playout(plies, &rng);
      mcts::SmallAccumulator sums;
      evaluator.refresh(state.position(), &sums);
      const mcts::LogitScore score = evaluator.evaluate(state.position(), sums);
      hash = (hash ^ static_cast<std::uint32_t>(score.value)) * 1099511628211u;
    }
    EXPECT_EQ(hash, recorded) << name;
  }
}

TEST_F(SmallNetworkFileTest, AnyFlippedByteAndAnyMissingEndIsRefused) {
  const std::string whole = read_text_file(path());
  for (std::size_t offset = 0; offset < whole.size(); offset += 1 + whole.size() / 50) {
    put_file(path(), flipped(whole, offset));
    EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr(path().string())) << offset;
    put_file(path(), whole.substr(0, offset));
    EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr(path().string())) << offset;
  }
}

TEST_F(SmallNetworkFileTest, DamageSaysHowToRepairIt) {
  const std::string whole = read_text_file(path());
  put_file(path(), flipped(whole, whole.size() / 2));
  EXPECT_THAT(error_of([&] { read_model(path()); }), AllOf(HasSubstr("bytes "), HasSubstr("another copy")));
  write_text_file(path(), FrameBuffer(FileKind::kSmallNetwork).bytes());
  EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr("a small network is missing"));
  Model model = make_model(network_);
  model.manifest.mutable_small_networks(0)->set_id("0123");
  FrameBuffer buffer(FileKind::kCheckpoint);
  buffer.add(model.manifest.SerializeAsString());
  buffer.add(mcts::encode_small_network(network_));
  write_text_file(path(), buffer.bytes());
  EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr("the small network of makyek is not 0123"));
}

TEST_F(SmallNetworkFileTest, ForeignFilesAndOthersOfOursAreRefused) {
  put_file(path(), "PK\x03\x04 not one of ours");
  EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr("is not a file of MakZero"));
  std::filesystem::remove(path());
  EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr("No such file"));
  FrameAppender(path(), FileKind::kMatches).add("0123456789");
  EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr("holds match records, not checkpoint"));
  FrameBuffer buffer(FileKind::kSmallNetwork);
  buffer.add("0123456789");
  write_text_file(path(), buffer.bytes());
  EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr("is no small network"));
}

TEST_F(SmallNetworkFileTest, ANetworkOfAnotherGameIsRefused) {
  EXPECT_THAT(error_of([&] { load_small_network(path(), "makruk"); }),
              AllOf(HasSubstr(path().string()), HasSubstr("of 'makyek' and cannot play 'makruk'")));
}

TEST_F(SmallNetworkFileTest, ATowerAndSmallNetworksAreOneModel) {
  Model model = tiny_network("makyek");
  const std::string tower = model.id();
  EXPECT_EQ(model.tower_id(), tower);
  model.small_networks = {network_, random_small_network((*game::make_game("rek"))->info(), 2)};
  model.card.emplace().set_ruleset("makyek");
  write_model(path(), model);
  const Model read = read_model(path());
  EXPECT_EQ(read.tower, model.tower);
  EXPECT_EQ(read.card->ruleset(), "makyek");
  EXPECT_EQ(read.small_networks, model.small_networks);
  EXPECT_EQ(read.tower_id(), tower);
  EXPECT_NE(read.id(), tower);
  EXPECT_EQ(read.id(), id_of(read_manifest(path())));
  EXPECT_EQ(load_small_network(path(), "rek"), model.small_networks[1]);
  EXPECT_TRUE(has_small_network(read.manifest, "rek:jump=on"));
  EXPECT_FALSE(has_small_network(read.manifest, "gala"));
  EXPECT_TRUE(plays(read.manifest, "makyek"));
}

TEST_F(SmallNetworkFileTest, AnExportIsTheFrameAndItsScores) {
  const ExportReport report = export_small_network(path(), folder_ / "out", "makyek-line");
  EXPECT_EQ(report.checkpoint, small_network_id(network_));
  EXPECT_EQ(read_text_file(folder_ / "out" / "small_network.bin"), mcts::encode_small_network(network_));
  const auto json = nlohmann::json::parse(read_text_file(folder_ / "out" / "net.json"));
  EXPECT_EQ(json["ruleset"], report.ruleset);
  EXPECT_EQ(json["inputs"][0]["name"], "pieces");
  EXPECT_EQ(json["rule_features"]["custodian=line"], 1);
  EXPECT_EQ(json["test_vectors"].size(), 64u);
}

TEST_F(SmallNetworkFileTest, OfBothEachFormatExportsItsOwn) {
  Model model = tiny_network("makyek");
  write_model(folder_ / "tower.mzc", model);
  model.small_networks = {network_};
  write_model(folder_ / "both.mzc", model);
  const auto onnx = [&](const std::filesystem::path& file) {
    return export_checkpoint(file, ModelFormat::kOnnx, folder_ / "onnx").checkpoint;
  };
  EXPECT_EQ(onnx(folder_ / "both.mzc"), model.tower_id());
  EXPECT_EQ(export_small_network(folder_ / "both.mzc", folder_ / "small").checkpoint,
            small_network_id(network_));
  EXPECT_THAT(error_of([&] { onnx(path()); }),
              HasSubstr("makyek.mzc: has no tower, only a small network: `--to small` exports it"));
  EXPECT_THAT(error_of([&] { export_small_network(folder_ / "tower.mzc", folder_ / "out"); }),
              HasSubstr("tower.mzc: has no small network, only a tower"));
}

TEST_F(SmallNetworkFileTest, AModelWithoutATowerSaysSo) {
  const Model model = read_model(path());
  EXPECT_EQ(model.tower_id(), "");
  EXPECT_FALSE(plays(model.manifest, "makyek"));
  EXPECT_THAT(error_of([&] { make_evaluator(**game::make_game("makyek"), model, {}); }),
              HasSubstr("holds a small network alone"));
}

TEST_F(SmallNetworkFileTest, TheZoosIsFoundByTheGameOfTheRuleset) {
  const std::filesystem::path own = Zoo(folder_).entry("makyek").network();
  write_model(own, make_model(network_));
  EXPECT_EQ(Zoo(folder_).small_network_for("makyek:jump=on"), own);
  EXPECT_THAT(error_of([&] { Zoo(folder_).small_network_for("rek"); }),
              HasSubstr("the zoo has no small network for 'rek'"));
}

}  // namespace
}  // namespace makzero::models
