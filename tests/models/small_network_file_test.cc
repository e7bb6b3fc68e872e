// Files of small networks: they come back as they were, or say what is wrong; and the names of players.
#include "models/small_network_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "game/catalog.h"
#include "game/game_state.h"
#include "mcts/rng.h"
#include "models/framed_file.h"
#include "models/zoo.h"
#include "tests/support/file_tools.h"
#include "tests/support/small_network.h"

namespace makzero::models {
namespace {

using makzero::testing::random_small_network;
using ::testing::AllOf;
using ::testing::HasSubstr;

class SmallNetworkFileTest : public FolderTest {
 protected:
  SmallNetworkFileTest() {
    network_.source = "4f2a91c03b7e";
    write_small_network(path(), network_);
  }

  std::filesystem::path path() const { return folder_ / "makyek.mzs"; }

  mcts::SmallNetwork network_ = random_small_network((*game::make_game("makyek"))->info(), 1);
};

TEST_F(SmallNetworkFileTest, ANetworkComesBackAsItWas) {
  EXPECT_EQ(read_small_network(path()), network_);
  EXPECT_EQ(load_small_network(path(), "makyek:jump=on"), network_);
  EXPECT_EQ(small_network_id(network_).size(), 12u);
  mcts::SmallNetwork other = network_;
  other.output_bias[0] += 1;
  EXPECT_NE(small_network_id(other), small_network_id(network_));
}

TEST_F(SmallNetworkFileTest, FilesOfTheFirstVersionAreRead) {
  const mcts::SmallNetwork former = read_small_network(MAKZERO_TEST_DATA "/models/gala_version_1.mzs");
  EXPECT_EQ(small_network_id(former), "071dec8b419f");
  const mcts::SmallNetwork now = mcts::material_small_network((*game::make_game("gala"))->info());
  EXPECT_EQ(former.game, now.game);
  EXPECT_EQ(former.features, now.features);
}

// Evaluations of random positions, as they were when each network was published.
TEST(ZooSmallNetworkTest, EvaluatesAsRecorded) {
  const std::pair<const char*, std::uint64_t> table[] = {
      {"apit", 0xb97b76d6f1dc42da},   {"gala", 0x57c533a3b2caead3},    {"hunt", 0x85fea6686b2adf84},
      {"kaok", 0x46af664f5259562a},   {"low1839", 0x1a12e99d888c2c0e}, {"makruk-sutra", 0x72101d5bf2a788b},
      {"makruk", 0x948ad815551d0d92}, {"makyek", 0xb5c7850f0370335a},  {"minrekchanh", 0x47c2ee87a687e5be},
      {"ok", 0xbddcf48377cf5200},     {"rek", 0x94d62b05efb02e9e},
  };
  for (const auto& [name, recorded] : table) {
    const game::GamePtr game = *game::make_game(name);
    const auto network = read_small_network(Zoo(MAKZERO_ZOO_SOURCE).small_entry(name).network());
    const mcts::SmallEvaluator evaluator(game->info(), network);
    std::uint64_t hash = 14695981039346656037u;
    for (int plies = 0; plies < 200; ++plies) {
      mcts::Rng rng(plies);
      game::GameState state(*game);
      state.random_playout(plies, &rng);
      mcts::SmallAccumulator sums;
      evaluator.refresh(state.position(), &sums);
      const int score = evaluator.evaluate(state.position(), sums);
      hash = (hash ^ static_cast<std::uint32_t>(score)) * 1099511628211u;
    }
    EXPECT_EQ(hash, recorded) << name;
  }
}

TEST_F(SmallNetworkFileTest, AnyFlippedByteAndAnyMissingEndIsRefused) {
  const std::string whole = read_text_file(path());
  for (std::size_t offset = 0; offset < whole.size(); offset += 1 + whole.size() / 50) {
    put_file(path(), flipped(whole, offset));
    EXPECT_THAT(error_of([&] { read_small_network(path()); }), HasSubstr(path().string())) << offset;
    put_file(path(), whole.substr(0, offset));
    EXPECT_THAT(error_of([&] { read_small_network(path()); }), HasSubstr(path().string())) << offset;
  }
}

TEST_F(SmallNetworkFileTest, DamageSaysHowToRepairIt) {
  const std::string whole = read_text_file(path());
  put_file(path(), flipped(whole, whole.size() / 2));
  EXPECT_THAT(error_of([&] { read_small_network(path()); }),
              AllOf(HasSubstr("bytes "), HasSubstr("distill")));
  FrameWriter(path(), FileKind::kSmallNetwork).commit();
  EXPECT_THAT(error_of([&] { read_small_network(path()); }), HasSubstr("holds no network"));
}

TEST_F(SmallNetworkFileTest, ForeignFilesAndOthersOfOursAreRefused) {
  put_file(path(), "PK\x03\x04 not one of ours");
  EXPECT_THAT(error_of([&] { read_small_network(path()); }), HasSubstr("is not a file of MakZero"));
  std::filesystem::remove(path());
  EXPECT_THAT(error_of([&] { read_small_network(path()); }), HasSubstr("No such file"));
  FrameAppender(path(), FileKind::kMatches).add("0123456789");
  EXPECT_THAT(error_of([&] { read_small_network(path()); }),
              HasSubstr("holds match records, not small network"));
  FrameWriter writer(path(), FileKind::kSmallNetwork);
  writer.add("0123456789");
  writer.commit();
  EXPECT_THAT(error_of([&] { read_small_network(path()); }), HasSubstr("is no small network"));
}

TEST_F(SmallNetworkFileTest, ANetworkOfAnotherGameIsRefused) {
  EXPECT_THAT(error_of([&] { load_small_network(path(), "makruk"); }),
              AllOf(HasSubstr(path().string()), HasSubstr("of 'makyek' and cannot play 'makruk'")));
}

TEST_F(SmallNetworkFileTest, IsToldByItsHeader) {
  const std::string without_extension = (folder_ / "network").string();
  std::filesystem::copy_file(path(), without_extension);
  put_file(folder_ / "foreign", "text");
  put_file(folder_ / "broken", flipped(read_text_file(path()), 9));
  EXPECT_TRUE(is_small_network(without_extension));
  for (const char* name : {"foreign", "broken", ""}) EXPECT_FALSE(is_small_network(folder_ / name)) << name;
}

TEST_F(SmallNetworkFileTest, TheZoosIsFoundByTheGameOfTheRuleset) {
  const std::filesystem::path own = Zoo(folder_).small_entry("makyek").network();
  write_small_network(own, network_);
  EXPECT_EQ(Zoo(folder_).small_network_for("makyek:jump=on"), own);
  EXPECT_THAT(error_of([&] { Zoo(folder_).small_network_for("rek"); }),
              HasSubstr("the zoo has no small network for 'rek'"));
}

}  // namespace
}  // namespace makzero::models
