// What a draw is worth to each side.
#include "mcts/draw_value.h"

#include <gtest/gtest.h>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::mcts {
namespace {

using game::Color;
using game::Reason;

// White's share of a draw by a limit. Both shares are a whole, and a repetition is shared evenly.
double of_white(const char* ruleset, const char* text) {
  const game::GamePtr rules = *game::make_game(ruleset);
  const auto position = game::parse_position(*rules, text);
  EXPECT_TRUE(position) << position.why();
  const DrawValue value(*rules);
  const double white = value.of(Reason::kNoProgress, *position, Color::kWhite);
  EXPECT_DOUBLE_EQ(white + value.of(Reason::kNoProgress, *position, Color::kBlack), 1);
  EXPECT_EQ(value.expected(*position, Color::kWhite), white);
  EXPECT_EQ(value.of(Reason::kRepetition, *position, Color::kWhite), 0.5);
  return white;
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
