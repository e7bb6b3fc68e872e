// The features by which networks tell rulesets apart: nothing is forgotten, and nothing moves.
#include "game/rule_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "game/catalog.h"

namespace makzero::game {
namespace {

const std::vector<std::string> kFamilies = {"custodial", "chess"};

// The options that no feature tells: start positions, which the board shows, and the length of a game, which
// a plane of its own shows.
const std::set<std::string> kWithoutFeature = {"setup", "kings", "takhaeng", "max_plies"};

std::vector<float> features_of(const GameInfo& info) {
  std::vector<float> values;
  for (const std::string_view name : rule_feature_names(info.family))
    values.push_back(rule_feature(info, name));
  return values;
}

// What the features of a ruleset are to tell: its game and options.
std::vector<std::string> told_rules(const std::string& ruleset) {
  std::vector<std::string> rules = {std::string(game_of(ruleset))};
  const GamePtr game = *make_game(ruleset);
  for (const OptionInfo& option : game->info().options) {
    if (!kWithoutFeature.contains(option.name)) rules.push_back(option.name + "=" + option.value);
  }
  return rules;
}

std::vector<std::string> values_of(const OptionInfo& option) {
  if (!option.values.empty()) return option.values;
  std::vector<std::string> values;
  for (const int number : {0, 1, 2, 3, 4, 5, 8, 16, 20, 50, 99, 100, 101, 200, 201, 1000, 10000}) {
    if (number >= option.minimum && number <= option.maximum) values.push_back(std::to_string(number));
  }
  return values;
}

class RuleFeaturesTest : public testing::TestWithParam<std::string> {};

TEST_P(RuleFeaturesTest, AreOfTheFamilyAndAtMostOne) {
  const GamePtr game = *make_game(GetParam());
  const GameInfo& info = game->info();
  const auto names = rule_feature_names(info.family);
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(rule_feature(info, "game=" + std::string(game_of(GetParam()))), 1);
  std::set<std::string_view> seen;
  for (const auto& [name, value] : info.rule_features) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    EXPECT_TRUE(value > 0 && value <= 1) << name << " is " << value;
    EXPECT_TRUE(seen.insert(name).second) << name << " is stated twice";
  }
}

// Options that make_game() refuses beside those of one ruleset are changed in another.
TEST_P(RuleFeaturesTest, ChangeWithEveryOption) {
  const GamePtr game = *make_game(GetParam());
  for (const OptionInfo& option : game->info().options) {
    if (kWithoutFeature.contains(option.name)) continue;
    std::map<std::vector<float>, std::string> values;
    values[features_of(game->info())] = option.value;
    for (const std::string& value : values_of(option)) {
      if (value == option.value) continue;
      const auto changed = make_game(GetParam() + ":" + option.name + "=" + value);
      if (!changed) continue;
      const auto [same, is_new] = values.emplace(features_of((*changed)->info()), value);
      EXPECT_TRUE(is_new) << option.name << " " << value << " and " << same->second << " look alike";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rulesets, RuleFeaturesTest, testing::ValuesIn(ruleset_names()));

TEST(RuleFeatureNamesTest, EveryOptionIsAllowedInSomeRulesetOfItsGame) {
  for (const std::string& ruleset : ruleset_names()) {
    const GamePtr game = *make_game(ruleset);
    for (const OptionInfo& option : game->info().options) {
      for (const std::string& value : option.values) {
        const std::vector<std::string> rulesets = rulesets_of(game_of(ruleset));
        EXPECT_TRUE(std::any_of(rulesets.begin(), rulesets.end(),
                                [&](const std::string& each) {
                                  return make_game(each + ":" + option.name + "=" + value).operator bool();
                                }))
            << option.name << "=" << value << " of " << ruleset << " has not been looked at";
      }
    }
  }
}

TEST(RuleFeatureNamesTest, RulesetsThatDifferLookDifferent) {
  for (const std::string& family : kFamilies) {
    std::map<std::vector<float>, std::string> rulesets;
    for (const std::string& name : ruleset_names()) {
      const GamePtr game = *make_game(name);
      if (game->info().family != family) continue;
      const auto [same, is_new] = rulesets.emplace(features_of(game->info()), name);
      EXPECT_TRUE(is_new || told_rules(name) == told_rules(same->second)) << name << " and " << same->second;
    }
  }
}

TEST(RuleFeatureNamesTest, EveryGameBelongsToAFamily) {
  EXPECT_THAT(family_games("custodial"),
              testing::ElementsAre("makyek", "apit", "rek", "minrekchanh", "gala", "hunt"));
  EXPECT_THAT(family_games("chess"), testing::ElementsAre("makruk", "makruk-sutra", "ok", "kaok", "low1839"));
  EXPECT_TRUE(family_games("cards").empty());
  EXPECT_TRUE(rule_feature_names("cards").empty());
  EXPECT_THAT(rulesets_of("ok"), testing::ElementsAre("ok", "cambodian", "ok-cutechess"));
}

TEST(RuleFeatureNamesTest, EveryNameIsOfSomeRuleset) {
  for (const std::string& family : kFamilies) {
    std::set<std::string_view> stated;
    for (const std::string& name : ruleset_names()) {
      const GamePtr game = *make_game(name);
      if (game->info().family != family) continue;
      const auto state = [&](const std::string& spec) {
        const auto made = make_game(spec);
        if (!made) return;
        for (const RuleFeature& feature : (*made)->info().rule_features) stated.insert(feature.name);
      };
      state(name);
      for (const OptionInfo& option : game->info().options) {
        for (const std::string& value : option.values) state(name + ":" + option.name + "=" + value);
      }
    }
    for (const std::string_view name : rule_feature_names(family)) EXPECT_TRUE(stated.contains(name)) << name;
  }
}

TEST(RuleFeatureNamesTest, FixedRulesAreStatedLikeOptions) {
  const auto value = [](const char* ruleset, const char* name) {
    return rule_feature((*make_game(ruleset))->info(), name);
  };
  EXPECT_EQ(value("gala", "custodian=single"), 1);
  EXPECT_EQ(value("gala", "intervention=none"), 1);
  EXPECT_EQ(value("rek", "intervention=pair"), 1);
  EXPECT_EQ(value("rek", "surround"), 1);
  EXPECT_EQ(value("hunt", "no_move=loss"), 1);
  EXPECT_EQ(value("hunt", "min_men"), 0.25f);
  EXPECT_EQ(value("makyek", "no_progress"), 0.5f);
  EXPECT_EQ(value("makyek:no_progress=0,repetition=0", "no_progress"), 0);
  EXPECT_EQ(value("makyek:repetition=2", "repetition"), 1);
  EXPECT_EQ(value("makruk:repetition=off", "repetition"), 0);
  EXPECT_EQ(value("makruk-sutra", "king_leap"), 1);
  EXPECT_EQ(value("karouk", "first_check_wins"), 1);
  EXPECT_EQ(value("low1839", "counting=makruk"), 0);
}

// Names of published networks: add new ones at the end, here and in rule_features.cc, and change nothing.
TEST(RuleFeatureNamesTest, KeepTheirOrder) {
  const std::map<std::string, std::vector<std::string>> golden = {
      {"custodial",
       {"game=makyek",
        "game=apit",
        "game=rek",
        "game=minrekchanh",
        "game=gala",
        "game=hunt",
        "men_move=rook",
        "men_move=step",
        "men_move=step_forward_sideways",
        "jump",
        "custodian=single",
        "custodian=line",
        "custodian=none",
        "custodian_total=one",
        "intervention=pair",
        "intervention=line",
        "intervention=none",
        "same_axis=union",
        "same_axis=intervention_only",
        "same_axis=custodian_only",
        "corner_capture",
        "surround",
        "surround=single",
        "order=intervention_first",
        "order=simultaneous",
        "order=surround_first",
        "obligation=global",
        "obligation=transition",
        "king_move=immobile",
        "king_move=rook",
        "king_move=step",
        "middle_row=neutral",
        "cross=closed",
        "rest=pass",
        "rest=triple",
        "rest=black_moves",
        "early_moves",
        "sides=white10_black13",
        "objective=ludii",
        "hunter_move=rook",
        "hunter_move=step",
        "chain",
        "flying",
        "min_men",
        "no_move=loss",
        "no_move=draw",
        "no_move=pass",
        "repetition",
        "no_progress",
        "limit_result=material",
        "limit_result=hunter_wins",
        "cap_result=material"}},
      {"chess",
       {"game=makruk",
        "game=makruk-sutra",
        "game=ok",
        "game=kaok",
        "game=low1839",
        "counting=makruk",
        "counting=seagames",
        "counting=low1839",
        "count.mode=manual",
        "count.snn=44",
        "count.keep_shorter",
        "repetition",
        "king_leap",
        "king_leap=any",
        "king_leap_in_check",
        "rook_aim",
        "met_leap",
        "met_leap_captures",
        "sut_met",
        "sut_ma",
        "captures_end_first_moves",
        "first_check_wins",
        "khoon=orthogonal",
        "met=forward",
        "khon=noback",
        "khon=first",
        "promotion=8",
        "count.who=any",
        "count.board=64"}},
  };
  for (const auto& [family, names] : golden) {
    const auto listed = rule_feature_names(family);
    ASSERT_GE(listed.size(), names.size());
    EXPECT_EQ(std::vector<std::string>(listed.begin(), listed.begin() + names.size()), names);
    EXPECT_EQ(std::set<std::string_view>(listed.begin(), listed.end()).size(), listed.size());
  }
}

}  // namespace
}  // namespace makzero::game
