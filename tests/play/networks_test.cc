// The networks that the server lets play, of runs whose checkpoints hold a tower, small networks or both.
#include "play/server/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/store.h"
#include "tests/support/file_tools.h"
#include "tests/support/two_networks.h"

namespace makzero::play {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NetworkFolderTest : public models::FolderTest {
 protected:
  void add_run(const std::string& name, const models::Model& model) {
    std::filesystem::create_directories(folder_ / "runs" / name / "checkpoints");
    models::CheckpointStore(folder_ / "runs" / name / "checkpoints").add(model);
  }

  NetworkFolder networks(const std::string& device) const {
    return NetworkFolder(folder_ / "runs", models::Zoo(folder_ / "zoo"), device);
  }

  // Those of the runs as "PLAYER KIND".
  std::vector<std::string> players(const std::string& device, const std::string& ruleset) const {
    std::vector<std::string> texts;
    for (const auto& player : networks(device).players(ruleset))
      if (player["kind"] != "alphabeta")
        texts.push_back(player["player"].get<std::string>() + " " + player["kind"].get<std::string>());
    return texts;
  }

  const models::Model both_ = models::both_networks("makyek");
  const std::string tower_ = both_.tower_id(),
                    small_ = "small-" + models::small_network_id(both_.small_networks.front());
};

TEST_F(NetworkFolderTest, BothNetworksOfARunAreListedTheOneOfTheDeviceFirst) {
  add_run("one", both_);
  EXPECT_THAT(players("cpu", "makyek"), ElementsAre("one small", "one?network=tower network"));
  EXPECT_THAT(players("cuda", "makyek"), ElementsAre("one network", "one?network=small small"));
  EXPECT_THAT(players("cpu", "rek"), ElementsAre());
  const auto listed = networks("cpu").players("makyek");
  EXPECT_EQ(listed[0]["label"], "your training \"one\" (newest)");
  EXPECT_EQ(listed[1]["label"], "your training \"one\", large network");
}

TEST_F(NetworkFolderTest, ARunWithOneNetworkHasOnePlayer) {
  add_run("tower", models::stub_tower("makyek"));
  EXPECT_THAT(players("cpu", "makyek"), ElementsAre("tower network"));
  std::filesystem::remove_all(folder_ / "runs/tower");
  add_run("small", models::make_model(both_.small_networks.front()));
  EXPECT_THAT(players("cuda", "makyek"), ElementsAre("small small"));
}

TEST_F(NetworkFolderTest, AClientNamesOneOfBoth) {
  add_run("one", both_);
  for (const std::string run : {"one", "one/000000"}) {
    EXPECT_EQ(networks("cpu").player(run, "makyek").name(), small_);
    EXPECT_EQ(networks("cuda").player(run, "makyek").name(), tower_);
    EXPECT_EQ(networks("cuda").player(run + "?network=small", "makyek").name(), small_);
    EXPECT_EQ(networks("cpu").player(run + "?network=tower", "makyek").name(), tower_);
    for (const char* wrong : {"?network=large", "?network=", "?nodes=9"})
      EXPECT_THAT(models::error_of([&] { networks("cpu").player(run + wrong, "makyek"); }), HasSubstr(wrong));
  }
  EXPECT_THAT(models::error_of([&] { networks("cpu").player("one", "rek"); }),
              HasSubstr("has no network that was trained for this game"));
}

}  // namespace
}  // namespace makzero::play
