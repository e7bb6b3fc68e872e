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
    write_checkpoint(folder_ / game / "network.mzc", tiny_network(ruleset));
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
  add("chess", "makyek");
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
