// When a sensible player counts.
#include "play/declaration.h"

#include <gtest/gtest.h>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::play {
namespace {

using game::Declaration;

std::optional<Declaration> declaration_in(const std::string& position,
                                          const std::string& ruleset = "makruk:count.mode=manual") {
  const game::GamePtr rules = *game::make_game(ruleset);
  return sensible_declaration(PlayedGame(rules, *game::parse_position(*rules, position)));
}

TEST(DeclarationTest, TheWeakerSideCounts) {
  EXPECT_EQ(declaration_in("4k2n/8/8/8/8/8/R7/4K3 b - - 0 1"), Declaration::kStartCount);
  EXPECT_EQ(declaration_in("4k2n/8/8/8/8/8/R7/4K3 w - - 0 1"), std::nullopt);
}

TEST(DeclarationTest, ItGoesOnAsLongAsItIsWeaker) {
  EXPECT_EQ(declaration_in("4k2n/8/8/8/8/8/R7/4K3 b - 128 36 30"), std::nullopt);
  EXPECT_EQ(declaration_in("4k2r/8/8/8/8/8/N7/4K3 b - 128 36 30"), Declaration::kStopCount);
}

TEST(DeclarationTest, NobodyCountsWhoCanMate) {
  EXPECT_EQ(declaration_in("1r6/8/8/R7/R7/6k1/8/7K b - - 0 30"), std::nullopt);
  EXPECT_EQ(declaration_in("1r6/8/8/R7/R7/6k1/8/7K b - 128 36 30"), Declaration::kStopCount);
}

TEST(DeclarationTest, NothingIsDeclaredWhereCountsStartByThemselves) {
  EXPECT_EQ(declaration_in("4k2n/8/8/8/8/8/R7/4K3 b - - 0 1", "makruk"), std::nullopt);
  EXPECT_EQ(declaration_in("mmmmmmmm/8/8/8/8/8/8/M7 w", "makyek"), std::nullopt);
}

}  // namespace
}  // namespace makzero::play
