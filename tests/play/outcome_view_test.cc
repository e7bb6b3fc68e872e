// Why games end, in sentences.
#include "play/terminal/outcome_sentence.h"

#include <gtest/gtest.h>

#include <string>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::play {
namespace {

using game::Color;

// How a game ends that begins so and has this move.
std::string told(const std::string& ruleset, const std::string& position, const std::string& move,
                 std::optional<Color> person = std::nullopt) {
  const game::GamePtr rules = *game::make_game(ruleset);
  PlayedGame game(rules, *game::parse_position(*rules, position));
  EXPECT_EQ(play_word(move, &game), std::nullopt);
  EXPECT_TRUE(game.outcome().over());
  return outcome_sentence(game, game.outcome(), person);
}

TEST(OutcomeViewTest, ItIsToldToThePersonOrOfBothSides) {
  const char* last = "8/8/8/2Mm4/8/8/8/4M3 w";
  EXPECT_EQ(told("makyek", last, "e1e5"), "White wins: Black has no men left.");
  EXPECT_EQ(told("makyek", last, "e1e5", Color::kWhite), "You win: Black has no men left.");
  EXPECT_EQ(told("makyek", last, "e1e5", Color::kBlack), "You lose: Black has no men left.");
}

TEST(OutcomeViewTest, EveryWayHasItsSentence) {
  EXPECT_EQ(told("rek", "mmmMmM2/mmM5/mM4k1/4M3/6m1/8/K2MmM2/4M3 w", "e5g5"),
            "White wins: Black's king is captured.");
  EXPECT_EQ(told("makruk", "7k/8/6K1/8/8/4P3/8/R7 w - - 0 1", "a1a8"), "White wins: Black is checkmated.");
  EXPECT_EQ(told("makruk", "7k/8/4M1K1/8/8/8/8/R7 w - - 0 1", "e6f7"),
            "Draw: stalemate, Black cannot move and is not in check.");
}

TEST(OutcomeViewTest, AResignationNamesWhoGaveUp) {
  const PlayedGame game(*game::make_game("makruk"));
  const game::Outcome resigned{game::Result::kBlackWins, game::Reason::kResignation};
  EXPECT_EQ(outcome_sentence(game, resigned, Color::kWhite), "You lose: White resigned.");
}

TEST(OutcomeViewTest, ARepetitionIsCounted) {
  PlayedGame game(*game::make_game("makruk"));
  for (const char* move : {"a1a2", "a8a7", "a2a1", "a7a8", "a1a2", "a8a7", "a2a1", "a7a8"})
    EXPECT_EQ(play_word(move, &game), std::nullopt);
  EXPECT_EQ(outcome_sentence(game, game.outcome(), std::nullopt), "Draw: the same position came 3 times.");
}

}  // namespace
}  // namespace makzero::play
