// Rule features in a network's order.
#include "nn/rule_encoder.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/featured_game.h"

namespace makzero::nn {
namespace {

TEST(RuleEncoderTest, FeaturesStandInTheOrderOfTheNetwork) {
  const game::FeaturedGame game("makyek", {{"game=makyek", 1}, {"jump", 1}, {"repetition", 0.5f}});
  const std::vector<std::string> names = {"repetition", "game=rek", "game=makyek"};
  const RuleEncoder encoder(names);
  std::vector<float> values(encoder.count(), -1.0f);
  encoder.encode(game.info(), values.data());
  EXPECT_EQ(values, (std::vector<float>{0.5f, 0, 1}));
}

TEST(RuleEncoderTest, NamesOfNoRuleOfTheFamilyAreUnknown) {
  const std::vector<std::string> known = {"jump", "repetition"}, unknown = {"jump", "lift", "repetition"};
  EXPECT_EQ(unknown_rule_feature(known), "");
  EXPECT_EQ(unknown_rule_feature(unknown), "lift");
  EXPECT_EQ(unknown_rule_feature({}), "");
}

}  // namespace
}  // namespace makzero::nn
