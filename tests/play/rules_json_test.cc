// The rules as JSON: what the ruleset in play makes of the texts' examples.
#include "play/json/rules_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "game/catalog.h"
#include "play/json/game_json.h"

namespace makzero::play {
namespace {

using nlohmann::json;

json rules_of(const std::string& ruleset) { return rules_json(**game::make_game(ruleset)); }

// The example with this move; null where it is left out.
json example(const json& rules, const std::string& move) {
  for (const json& section : rules["sections"]) {
    for (const json& block : section["blocks"]) {
      if (!block.contains("examples")) continue;
      for (const json& each : block["examples"]) {
        if (each["move"] == move) return each;
      }
    }
  }
  return nullptr;
}

class RulesJsonTest : public testing::TestWithParam<std::string> {};

TEST_P(RulesJsonTest, EveryExampleCanBeStepped) {
  const json rules = rules_of(GetParam());
  int boards = 0;
  for (const json& section : rules["sections"]) {
    for (const json& block : section["blocks"]) {
      if (!block.contains("position")) continue;
      ++boards;
      std::string field;
      const json query = {{"game", rules["game"]}, {"start", block["position"]}};
      EXPECT_TRUE(played_game_from_json(query, &field)) << block["position"];
      for (const json& each : block["examples"]) {
        const json stepped = {{"game", rules["game"]}, {"start", each["start"]}, {"moves", {each["move"]}}};
        EXPECT_EQ(bool{played_game_from_json(stepped, &field)}, each["legal"].get<bool>()) << each;
      }
    }
  }
  EXPECT_GE(boards, 1);
}

INSTANTIATE_TEST_SUITE_P(All, RulesJsonTest, testing::ValuesIn(game::ruleset_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(RulesJsonTest, AnExampleIsJudgedByTheRulesetInPlay) {
  EXPECT_EQ(example(rules_of("makyek"), "f5h5"),
            json::parse(R"({"start": "8/4m1m1/2m5/Mm3M2/2m4m/3Mm2M/5m2/5M2 w", "move": "f5h5", "legal": true,
                            "captures": ["h4"], "remark": "caught against h3"})"));
  const json without = example(rules_of("makyek:custodian=none"), "f5h5");
  EXPECT_EQ(without["captures"], json::array());
  EXPECT_EQ(without["remark"], "");  // It would be wrong here.
  EXPECT_EQ(example(rules_of("minrekchanh"), "c1c2")["legal"], false);
  EXPECT_EQ(example(rules_of("minrekchanh:obligation=none"), "c1c2")["legal"], true);
}

TEST(RulesJsonTest, PiecesBelongToTheSidesThatHaveThem) {
  const json hunt = rules_of("hunt")["pieces"], gala = rules_of("gala")["pieces"];
  ASSERT_EQ(hunt.size(), 2u);
  EXPECT_EQ(hunt[0]["colors"], json({"white"}));
  EXPECT_EQ(hunt[1]["colors"], json({"black"}));
  EXPECT_EQ(gala[0]["colors"], json({"white", "black"}));
}

// "f5f3" needs the man that is taken where the player chooses.
TEST(RulesJsonTest, AMoveThatIsWrittenOtherwiseHereIsLeftOut) {
  EXPECT_TRUE(example(rules_of("makyek:custodian_total=one"), "f5f3").is_null());
  EXPECT_FALSE(example(rules_of("makyek:custodian_total=one"), "f5h5").is_null());
}

TEST(RulesJsonTest, TheStartIsThatOfTheRuleset) {
  const auto start = [](const std::string& ruleset) {
    const json rules = rules_of(ruleset);
    for (const json& section : rules["sections"]) {
      if (section["heading"] == "Board and set-up") return section["blocks"].back()["position"];
    }
    return json();
  };
  EXPECT_EQ(start("makyek"), "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w");
  EXPECT_EQ(start("makyek:setup=rows12"), "mmmmmmmm/mmmmmmmm/8/8/8/8/MMMMMMMM/MMMMMMMM w");
  EXPECT_EQ(rules_of("makyek:setup=rows12")["changes"],
            json::parse(R"([{"title": "Set-up", "words": "1 and 2"}])"));
}

TEST(RulesJsonTest, GamesListTheirRulesetsByDifferenceAndOptionsInWords) {
  const json games = games_json();
  const auto makyek_jump = std::find_if(games.begin(), games.end(),
                                        [](const json& game) { return game["game"] == "makyek-jump"; });
  ASSERT_NE(makyek_jump, games.end());
  EXPECT_EQ((*makyek_jump)["of"], "makyek");
  EXPECT_EQ((*makyek_jump)["difference"],
            "A man may also jump over a neighbour of either side, without taking it.");
  for (const json& option : (*makyek_jump)["options"]) {
    if (option["name"] != "intervention") continue;
    EXPECT_EQ(option["title"], "Intervention");
    EXPECT_EQ(option["words"]["pair"], "the two neighbours fall");
  }
  for (const json& game : games)
    EXPECT_EQ(game["difference"] == "", game["of"] == game["game"]) << game["game"];
}

}  // namespace
}  // namespace makzero::play
