// Tests of who a run's networks meet.
#include "train/rating/rater.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "game/catalog.h"
#include "models/model.h"
#include "tests/support/file_tools.h"
#include "train/config.h"

namespace makzero::train {
namespace {

// A zoo with a small network of Gala, and a run that has played nothing yet.
class RaterTest : public models::FolderTest {
 protected:
  RaterTest() {
    std::filesystem::create_directories(folder_ / "zoo/gala");
    models::write_model(folder_ / "zoo/gala/network.mzc",
                        models::read_model(MAKZERO_TEST_DATA "/models/gala_version_1.mzs"));
    setenv("MAKZERO_ZOO", (folder_ / "zoo").c_str(), 1);
  }
  ~RaterTest() override { setenv("MAKZERO_ZOO", "", 1); }

  Rater rater() const { return Rater(*game_, config_, folder_, folder_, 1); }

  // A win of the newest network.
  void beat(const std::string& opponent) {
    MatchRecord record;
    record.set_ruleset("gala");
    record.set_player_a("network");
    record.set_player_b(opponent);
    record.set_generation_a(3);
    record.set_generation_b(-1);
    record.set_a_is_white(true);
    record.set_result(static_cast<std::uint32_t>(game::Result::kWhiteWins));
    RatingStore(folder_).add({record});
  }

  game::GamePtr game_ = *game::make_game("gala");
  Config config_ = *preset_config("quick", "gala");
};

TEST_F(RaterTest, ANetworkBeginsAtTheWeakestRung) {
  EXPECT_EQ(rater().next_opponent(0).name(), ladder().front());
}

TEST_F(RaterTest, BehindTheFixedOpponentsStandsTheSmallNetworkOfTheZoo) {
  for (const std::string& rung : ladder()) beat(rung);
  const models::PlayerSpec next = rater().next_opponent(3);
  EXPECT_THAT(next.name(), testing::MatchesRegex("small-[0-9a-f]{12}\\?nodes=100"));
  beat(next.name());
  EXPECT_THAT(rater().next_opponent(3).name(), testing::EndsWith("?nodes=1000"));
  EXPECT_TRUE(rater().has_passed("alphabeta:6"));
  EXPECT_TRUE(rater().has_passed(next.name()));
  EXPECT_FALSE(rater().has_passed(rater().next_opponent(3).name()));
}

TEST_F(RaterTest, AGameWithoutASmallNetworkStaysAtTheLastRung) {
  setenv("MAKZERO_ZOO", "", 1);
  for (const std::string& rung : ladder()) beat(rung);
  EXPECT_EQ(rater().next_opponent(3).name(), ladder().back());
}

}  // namespace
}  // namespace makzero::train
