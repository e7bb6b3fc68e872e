// Goals of runs: when one is reached, and what is said of it.
#include "train/run/goal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/catalog.h"
#include "tests/support/file_tools.h"
#include "train/config.h"

namespace makzero::train {
namespace {

using testing::MatchesRegex;

models::PlayerSpec player(const std::string& text) { return *models::parse_player(text, {}); }

class GoalTest : public models::FolderTest {
 protected:
  Goal goal(const std::string& opponent) const { return Goal(*game_, config_, player(opponent), folder_, 1); }

  // A network of generation 3 meets it.
  static void play(Goal* goal, std::int64_t nodes) {
    models::PlayerSpec network =
        models::small_player(MAKZERO_TEST_DATA "/models/gala_version_1.mzs", "gala", {.nodes = nodes});
    std::get<models::PlayerSpec::Small>(network.kind).generation = 3;
    goal->play(network, 1, {}, [](int, int) {});
  }

  game::GamePtr game_ = *game::make_game("gala");
  Config config_ = *preset_config("quick", "gala");
};

TEST_F(GoalTest, IsReachedByAPlayerThatIsSurelyBetterAndRemembersIt) {
  Goal random = goal("random");
  EXPECT_FALSE(random.is_reached());
  EXPECT_EQ(random.verdict(), "random was not met yet");
  play(&random, 200);
  EXPECT_TRUE(random.is_reached());
  EXPECT_TRUE(goal("random").is_reached()) << "by the records of the session before";
  EXPECT_THAT(
      random.verdict(),
      MatchesRegex("random is beaten: [0-9.]+ % by material, \\+[0-9]+ Elo \\(.* to .*\\), [0-9]+ games"));
}

TEST_F(GoalTest, IsNotReachedByAPlayerThatIsWorse) {
  Goal search = goal("alphabeta:3");
  play(&search, 2);
  EXPECT_FALSE(search.is_reached());
  EXPECT_THAT(search.verdict(), MatchesRegex("alphabeta:3 is not beaten yet: .* Elo .*"));
}

TEST_F(GoalTest, AnOpponentThatSearchesWithoutALimitHasTime) {
  EXPECT_EQ(goal("control").opponent().name(), "control?ms=10");
  EXPECT_EQ(goal("control?nodes=50").opponent().name(), "control?nodes=50");
  EXPECT_EQ(goal("random").opponent().name(), "random");
}

TEST_F(GoalTest, TheNetworkHasTheOpponentsNodes) {
  Goal search = goal("control?nodes=20");
  play(&search, 1);
  const auto generations = RatingStore(folder_).generations();
  ASSERT_EQ(generations.size(), 1u);
  EXPECT_THAT(generations.begin()->first, MatchesRegex("small-[0-9a-f]+\\?nodes=20"));
}

TEST_F(GoalTest, MatchesWaitForTheirShareOfTheTime) {
  Goal random = goal("random");
  EXPECT_TRUE(random.is_due(1));
  play(&random, 1);
  EXPECT_FALSE(random.is_due(1e-6));
  EXPECT_TRUE(random.is_due(1e6));
}

}  // namespace
}  // namespace makzero::train
