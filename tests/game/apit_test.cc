// Apit-sodok: its start, its own defaults, and the three readings of diagram 4.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;

constexpr const char* kDiagram4 = "6mM/6m1/1M3M2/7m/1M1M1MM1/1M1M2m1/1m1Mm3/3m2M1 b";

std::vector<std::string> captures(const char* spec, const char* position) {
  return Playthrough(spec, position).captures();
}

TEST(ApitTest, StartHasThirtyTwoMovesOfTheSecondRank) {
  const Playthrough start("apit");
  EXPECT_EQ(start.text(), "mmmmmmmm/mmmmmmmm/8/8/8/8/MMMMMMMM/MMMMMMMM w");
  EXPECT_EQ(start.legal().size(), 32);
  for (const Move move : start.legal()) EXPECT_EQ(rank_of(move.origin()), 1);
}

TEST(ApitTest, Diagram2HasTheCapturesOfMakyek) {
  const char* diagram = "8/4m1m1/2m5/Mm3M2/2m4m/3Mm2M/5m2/5M2 w";
  EXPECT_THAT(captures("apit", diagram),
              ElementsAre("f5c5 c4 b5 c6", "f5f3 f2 e3", "f5f7 e7 g7", "f5h5 h4", "h3f3 f2 e3"));
  EXPECT_EQ(captures("apit", diagram), captures("makyek", diagram));
}

TEST(ApitTest, Diagram4HasSevenCaptures) {
  EXPECT_THAT(captures("apit", kDiagram4), ElementsAre("b2c2 d2", "e2e4 d4 f4", "g7g5 g4", "h5b5 b3 b4 b6",
                                                       "h5d5 d2 d3 d4", "h5f5 f4 f6", "h5g5 g4"));
}

TEST(ApitTest, TheCaseThatTheSourceLeavesOpenHasThreeReadings) {
  const auto h5b5 = [](const char* spec) { return captures(spec, kDiagram4)[3]; };
  EXPECT_EQ(h5b5("apit"), "h5b5 b3 b4 b6");
  EXPECT_EQ(h5b5("apit-intfirst"), "h5b5 b4 b6");
  EXPECT_EQ(h5b5("apit-custfirst"), "h5b5 b3 b4");
  EXPECT_THAT(captures("apit-single", kDiagram4),
              ElementsAre("b2c2 d2", "e2e4 d4 f4", "g7g5 g4", "h5b5 b4 b6", "h5f5 f4 f6", "h5g5 g4"));
}

TEST(ApitTest, AManInACornerIsSafeExceptAsOneOfAPair) {
  EXPECT_THAT(captures("apit", "m7/M7/8/8/8/8/8/1M6 w"), ElementsAre());
  EXPECT_THAT(captures("apit", "m7/7M/m7/8/8/8/8/8 w"), ElementsAre("h7a7 a6 a8"));
}

TEST(ApitTest, ItsOwnDefaultsComeFirst) {
  const auto values = [](const char* spec, const char* name) -> std::vector<std::string> {
    const GamePtr game = *make_game(spec);
    for (const OptionInfo& option : game->info().options) {
      if (option.name == name) return option.values;
    }
    return {};
  };
  EXPECT_THAT(values("apit", "setup"), ElementsAre("rows12", "rows13", "5x5"));
  EXPECT_THAT(values("apit-single", "custodian"), ElementsAre("line", "single", "none"));
  EXPECT_THAT(values("apit", "same_axis"), ElementsAre("union", "intervention_only", "custodian_only"));
  EXPECT_THAT(values("makyek-line", "custodian"), ElementsAre("single", "line", "none"));
}

TEST(ApitTest, RulesetsAreNamedByWhatDiffersFromThem) {
  const auto canonical = [](const char* spec) { return (*make_game(spec))->info().ruleset; };
  EXPECT_EQ(canonical("apit:setup=rows12,custodian=line"), "apit");
  EXPECT_EQ(canonical("apit:setup=rows13"), "apit:setup=rows13");
  EXPECT_EQ(canonical("apit-single:custodian=line"), "apit-single:custodian=line");
  EXPECT_EQ(Playthrough("apit:setup=rows13").text(), "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w");
  EXPECT_EQ(make_game("apit:custodian=both").why(),
            "option 'custodian' is 'both': give one of single, line, none");
}

}  // namespace
}  // namespace makzero::game
