// What a draw is worth to each side.
#include "mcts/draw_value.h"

#include <gtest/gtest.h>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::mcts {
namespace {

using game::Color;

// White's share of a draw, and that both shares are a whole.
double of_white(const char* ruleset, const char* text) {
  const game::GamePtr rules = *game::make_game(ruleset);
  const auto position = game::parse_position(*rules, text);
  EXPECT_TRUE(position) << position.why();
  const DrawValue value(*rules);
  EXPECT_DOUBLE_EQ(value.of(*position, Color::kWhite) + value.of(*position, Color::kBlack), 1);
  return value.of(*position, Color::kWhite);
}

TEST(DrawValueTest, WhoHasTakenMoreGetsTheGreaterPart) {
  EXPECT_EQ(of_white("makyek", "mm6/8/8/8/8/8/8/MM6 w"), 0.5);
  EXPECT_EQ(of_white("makyek", "m7/8/8/8/8/8/8/MM6 b"), DrawValue::kOfLeader);
  EXPECT_EQ(of_white("makyek", "mmm5/8/8/8/8/8/8/MM6 w"), 1 - DrawValue::kOfLeader);
}

TEST(DrawValueTest, MenFromTheStartAreNotTaken) {
  EXPECT_EQ(of_white("gala", "7/7/7/7/7/7/7 b W13 B10"), 0.5);
  EXPECT_EQ(of_white("gala", "mm5/7/7/7/7/7/MMMM3 w"), 1 - DrawValue::kOfLeader);  // 9 lost of 13, 8 of 10.
}

TEST(DrawValueTest, IsAHalfWhereMaterialDecidesNoDraw) {
  EXPECT_EQ(of_white("makruk", "k7/8/8/8/8/8/8/KR6 w - - 0 1"), 0.5);
  EXPECT_EQ(of_white("hunt", "4h3/8/8/8/8/MMMM4/8/MMMM4 w"), 0.5);
}

}  // namespace
}  // namespace makzero::mcts
