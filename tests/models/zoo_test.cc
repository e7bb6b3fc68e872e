// Where the zoo lies, and which network it has for a ruleset.
#include "models/zoo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/file_tools.h"
#include "tests/support/tiny_network.h"

namespace makzero::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ZooTest : public FolderTest {
 protected:
  // A network of the ruleset as ZOO/GAME.
  void add(const std::string& game, const std::string& ruleset) {
    std::filesystem::create_directories(folder_ / game);
    write_model(folder_ / game / "network.mzc", tiny_network(ruleset));
  }

  // A network that sees the rules of these games as ZOO/FAMILY.
  void add_family(const std::string& family, const std::vector<std::string>& games) {
    Model checkpoint = tiny_network(games.front());
    for (const std::string& game : games) checkpoint.manifest.add_games_trained(game);
    checkpoint.tower.architecture.rule_features = {"game=" + games.front()};
    std::filesystem::create_directories(folder_ / family);
    write_model(folder_ / family / "network.mzc", checkpoint);
  }

  std::vector<std::string> games() const {
    std::vector<std::string> games;
    for (const ZooEntry& entry : zoo_.entries()) games.push_back(entry.game());
    return games;
  }

  const Zoo zoo_{folder_};
};

TEST_F(ZooTest, AMissingFolderIsAnEmptyZoo) {
  const Zoo zoo(folder_ / "none");
  EXPECT_THAT(zoo.entries(), IsEmpty());
  EXPECT_FALSE(zoo.find("makyek"));
}

TEST_F(ZooTest, GamesWithANetworkAreListedInTheCatalogsOrder) {
  for (const char* game : {"ok", "gala", "makyek"}) add(game, game);
  std::filesystem::create_directories(folder_ / "rek");
  add("makyek-line", "makyek-line");
  EXPECT_THAT(games(), ElementsAre("makyek", "gala", "ok"));
}

TEST_F(ZooTest, ANetworkIsFoundForItsRulesetWithItsOptionsAlone) {
  add("makyek", "makyek");
  EXPECT_EQ(zoo_.find("makyek"), folder_ / "makyek" / "network.mzc");
  EXPECT_EQ(zoo_.find("makyek:custodian=single"), folder_ / "makyek" / "network.mzc")
      << "a default, written out";
  for (const char* other : {"makyek:jump=on", "makyek-line", "rek", "no game", "makyek:jump=maybe"})
    EXPECT_FALSE(zoo_.find(other)) << other;
}

TEST_F(ZooTest, ANetworkOfOtherOptionsIsNotTakenForTheDefault) {
  add("makyek", "makyek:jump=on");
  EXPECT_FALSE(zoo_.find("makyek"));
  EXPECT_TRUE(zoo_.find("makyek:jump=on"));
}

TEST_F(ZooTest, AFamilysNetworkAnswersWhereNoOtherWasTrainedForTheRules) {
  add("makyek", "makyek");
  add_family("custodial", {"makyek", "apit"});
  std::vector<std::string> families;
  for (const ZooEntry& entry : zoo_.families()) families.push_back(entry.game());
  EXPECT_THAT(families, ElementsAre("custodial"));
  EXPECT_THAT(games(), ElementsAre("makyek"));
  EXPECT_EQ(zoo_.find("makyek"), folder_ / "makyek" / "network.mzc");
  for (const char* ruleset : {"makyek-line", "makyek:jump=on", "apit", "apit:limit_result=material"})
    EXPECT_EQ(zoo_.find(ruleset), folder_ / "custodial" / "network.mzc") << ruleset;
  for (const char* ruleset : {"rek", "makruk"}) EXPECT_FALSE(zoo_.find(ruleset)) << ruleset;
}

TEST_F(ZooTest, AFamilysNetworkPlaysAtTheLevelsOfItsGames) {
  add("makyek", "makyek");
  add_family("custodial", {"makyek", "apit"});
  const auto network = [&](const std::string& entry) { return folder_ / entry / "network.mzc"; };
  EXPECT_EQ(zoo_.levels_of(network("custodial"), "makyek-line"), network("makyek"));
  EXPECT_EQ(zoo_.levels_of(network("custodial"), "apit"), network("custodial")) << "apit has no network";
  EXPECT_EQ(zoo_.levels_of(network("makyek"), "makyek"), network("makyek"));
  write_model(folder_ / "run.mzc", tiny_network("makyek"));
  EXPECT_EQ(zoo_.levels_of(folder_ / "run.mzc", "makyek"), folder_ / "run.mzc") << "not of the zoo";
  Model measured = read_model(network("custodial"));
  measured.manifest.add_levels()->set_level(1);
  write_model(network("custodial"), measured);
  EXPECT_EQ(zoo_.levels_of(network("custodial"), "makyek-line"), network("custodial")) << "its own";
}

TEST_F(ZooTest, WhereAnEntryHasNoTowerThatOfTheFamilyPlays) {
  add_family("custodial", {"makyek", "rek"});
  const std::filesystem::path small = folder_ / "rek" / "network.mzc";
  write_model(small, make_model(mcts::material_small_network((*game::make_game("rek"))->info())));
  EXPECT_THAT(games(), ElementsAre("rek"));
  EXPECT_EQ(zoo_.summary(), "the zoo plays all custodial games");
  EXPECT_EQ(zoo_.find("rek"), folder_ / "custodial" / "network.mzc");
  EXPECT_EQ(zoo_.levels_of(*zoo_.find("rek"), "rek"), zoo_.find("rek"));
  EXPECT_EQ(zoo_.small_network_for("rek:no_progress=60"), small);
  EXPECT_THAT(error_of([&] { zoo_.small_network_for("makyek"); }),
              HasSubstr("no small network for 'makyek'"));
}

TEST_F(ZooTest, ADamagedNetworkIsToldByItsPath) {
  add("rek", "rek");
  put_file(folder_ / "rek" / "network.mzc", "nonsense");
  EXPECT_THAT(error_of([&] { return zoo_.find("rek"); }), HasSubstr("rek/network.mzc: "));
}

TEST_F(ZooTest, TheEnvironmentNamesAnotherZooOrNone) {
  add("makyek", "makyek");
  setenv("MAKZERO_ZOO", folder_.c_str(), 1);
  EXPECT_TRUE(Zoo::standard().find("makyek"));
  setenv("MAKZERO_ZOO", "", 1);
  EXPECT_FALSE(Zoo::standard().find("makyek"));
  unsetenv("MAKZERO_ZOO");
  EXPECT_THAT(Zoo::standard().folder().string(), testing::EndsWith("models/zoo")) << "that of the sources";
}

}  // namespace
}  // namespace makzero::models
