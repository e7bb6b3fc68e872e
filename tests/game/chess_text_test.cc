// What the texts of the chess family say beside their tables: names of sources, and where the rules differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "game/catalog.h"

namespace makzero::game {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A game's text in one line.
std::string text_of(const char* game) {
  return std::regex_replace(std::string(rules_text(game)), std::regex("\\s+"), " ");
}

TEST(ChessTextTest, NamesOfSourcesAreThere) {
  for (const char* game : {"makruk", "makruk-sutra"})
    EXPECT_THAT(text_of(game), HasSubstr("bia ngai")) << game;
  EXPECT_THAT(text_of("kaok"), HasSubstr("Ka Ouk, Kar Ouk, Kar Ok"));
}

TEST(ChessTextTest, TheBoardsCountMayGiveTheChaserAMoveMore) {
  for (const char* game : {"makruk", "makruk-sutra", "ok", "kaok"})
    EXPECT_THAT(text_of(game), HasSubstr("which so has 65 moves, even as the chaser")) << game;
}

TEST(ChessTextTest, ABareKingGainsNothingByStopping) {
  for (const char* game : {"makruk", "makruk-sutra", "ok", "kaok"})
    EXPECT_THAT(text_of(game), HasSubstr("A bare king may not stop its count: it would gain nothing"))
        << game;
}

TEST(ChessTextTest, TheKingsLeapIsNarrowerThanItsSource) {
  for (const char* game : {"ok", "kaok"})
    EXPECT_THAT(text_of(game), HasSubstr("says \"like a knight\"; ok.king_leap=any is that")) << game;
}

TEST(ChessTextTest, ACaptureAnswersTheCheckOfALeap) {
  EXPECT_THAT(text_of("ok"), HasSubstr("any capture answers its check unless ok.leaps_after_captures=on"));
}

TEST(ChessTextTest, LowsTextSaysWhatItsParaphraseLeavesOutAndWhatIsDead) {
  EXPECT_THAT(text_of("low1839"),
              AllOf(HasSubstr("Its king along rank and file alone is left out; low.khoon=orthogonal has it"),
                    HasSubstr("along rank and file alone; a knight alone can mate it and is not dead")));
}

}  // namespace
}  // namespace makzero::game
