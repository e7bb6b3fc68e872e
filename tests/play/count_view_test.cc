// Counts in moves, as people follow them.
#include "play/views.h"

#include <gtest/gtest.h>

#include <string>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::play {
namespace {

std::string told(const std::string& ruleset, const std::string& position) {
  const game::GamePtr rules = *game::make_game(ruleset);
  const std::optional<CountView> view = count_view(rules->info(), *game::parse_position(*rules, position));
  return view ? view->text.english() : "";
}

TEST(CountViewTest, NoCountIsNone) { EXPECT_EQ(told("makruk", "4k3/8/8/3p4/8/8/R7/4K3 w - - 0 1"), ""); }

TEST(CountViewTest, BoardsHonourBindsBothSides) {
  EXPECT_EQ(told("makruk", "4k2n/8/8/8/8/8/R7/4K3 w - 128 60 40"),
            "Board's honour: 30 of 64 moves, 34 left, then a draw. It binds both sides.");
}

TEST(CountViewTest, BoardsHonourOf64HasAsManyMoves) {
  EXPECT_EQ(told("makruk:count.board=64", "4k2n/8/8/8/8/8/R7/4K3 w - 127 60 40"),
            "Board's honour: 30 of 64 moves, 34 left, then a draw. It binds both sides.");
}

TEST(CountViewTest, ADeclaredCountNamesWhoCounts) {
  EXPECT_EQ(told("makruk:count.mode=manual", "4k2n/8/8/8/8/8/R7/4K3 b - 128 1 40"),
            "Board's honour: 1 of 64 moves, 63 left, then a draw. White counts.");
}

// The rules' own example: with two rooks and a knight the limit 8 less 5 pieces leaves 3 moves.
TEST(CountViewTest, PiecesHonourCountsTheMovesOfTheChaser) {
  EXPECT_EQ(told("makruk", "4k3/8/8/8/8/8/RR5N/4K3 b - 16 10 1"),
            "Pieces' honour: 5 of 8 moves, 3 left for White to win, then a draw. Black counts.");
  EXPECT_EQ(told("makruk", "4k3/8/8/8/8/8/RR5N/4K3 w - 16 11 1"),
            "Pieces' honour: 5 of 8 moves, 3 left for White to win, then a draw. Black counts.");
  EXPECT_EQ(told("makruk", "4k3/8/8/8/8/8/RR5N/4K3 b - 16 16 1"),
            "Pieces' honour: 8 of 8 moves, a draw unless the next move wins. Black counts.");
}

TEST(CountViewTest, LowCountsABareKingWithoutThatName) {
  EXPECT_EQ(told("low1839", "7k/8/8/8/RR6/8/5K2/8 b - 16 8 1"),
            "Count of the bare king: 4 of 8 moves, 4 left for White to win, then a draw. Black counts.");
}

// As many moves as are said to be left can be made before the count draws.
TEST(CountViewTest, TheMovesLeftCanBeMade) {
  const game::GamePtr rules = *game::make_game("makruk");
  game::Position position = *game::parse_position(*rules, "4k3/8/8/8/8/8/R7/4K3 b - 32 6 1");
  const int left = count_view(rules->info(), position)->left;
  EXPECT_EQ(left, 13);
  int moves = 0;  // Of White, the chaser.
  for (game::MoveList legal;; moves += position.to_move == game::Color::kBlack) {
    rules->legal_moves(position, &legal);
    if (rules->outcome(position, true, 1).over()) break;
    // Both kings step to and fro.
    const char* there = position.to_move == game::Color::kWhite ? "e1d1" : "e8d8";
    const char* back = position.to_move == game::Color::kWhite ? "d1e1" : "d8e8";
    game::Parsed<game::Move> move = game::parse_move(*rules, position, there);
    if (!move) move = game::parse_move(*rules, position, back);
    ASSERT_TRUE(move) << game::position_text(*rules, position);
    rules->apply(*move, &position);
  }
  EXPECT_EQ(moves, left);
}

}  // namespace
}  // namespace makzero::play
