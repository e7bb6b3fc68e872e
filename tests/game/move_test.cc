// Moves as 16 bits and as policy indices, lists of them, and outcomes as text.
#include "game/move.h"

#include <gtest/gtest.h>

#include <set>

#include "game/move_list.h"
#include "game/outcome.h"

namespace makzero::game {
namespace {

TEST(MoveTest, PolicyIndicesCoverStepsDropsAndThePassWithoutGaps) {
  std::set<int> indices;
  for (Square origin = 0; origin < kSquares; ++origin) {
    for (Square destination = 0; destination < kSquares; ++destination) {
      indices.insert(Move::step(origin, destination).index());
    }
    indices.insert(Move::drop(origin).index());
  }
  indices.insert(Move::pass().index());
  EXPECT_EQ(static_cast<int>(indices.size()), kPolicySize);
  EXPECT_EQ(*indices.begin(), 0);
  EXPECT_EQ(*indices.rbegin(), kPolicySize - 1);
}

TEST(MoveTest, AStepKnowsItsSquaresAndAlternative) {
  const Move move = Move::step(17, 42, 5);
  EXPECT_TRUE(move.is_step() && !move.is_drop() && !move.is_pass());
  EXPECT_EQ(move.origin(), 17);
  EXPECT_EQ(move.destination(), 42);
  EXPECT_EQ(move.alternative(), 5);
  EXPECT_EQ(move.index(), 17 * 64 + 42);
}

TEST(MoveTest, AlternativesDifferButShareTheIndex) {
  EXPECT_NE(Move::step(1, 2, 0), Move::step(1, 2, 1));
  EXPECT_EQ(Move::step(1, 2, 0).index(), Move::step(1, 2, 7).index());
}

TEST(MoveTest, DropsAndThePassAreNoSteps) {
  EXPECT_TRUE(Move::drop(63).is_drop() && !Move::drop(63).is_step() && !Move::drop(63).is_pass());
  EXPECT_EQ(Move::drop(63).destination(), 63);
  EXPECT_EQ(Move::drop(63).index(), 4096 + 63);
  EXPECT_TRUE(Move::pass().is_pass() && !Move::pass().is_step() && !Move::pass().is_drop());
  EXPECT_EQ(Move(), Move::pass());
}

TEST(MoveTest, BitsReadBack) {
  for (const Move move : {Move::step(3, 60, 7), Move::drop(9), Move::pass()}) {
    EXPECT_EQ(Move::from_bits(move.bits()), move);
  }
}

TEST(MoveListTest, KeepsTheOrderOfAddingAndEmptiesOnClear) {
  MoveList moves;
  EXPECT_TRUE(moves.empty());
  for (Square square = 0; square < kSquares; ++square) moves.add(Move::drop(63 - square));
  ASSERT_EQ(moves.size(), 64);
  EXPECT_EQ(moves[0], Move::drop(63));
  EXPECT_EQ(moves.data()[63], Move::drop(0));
  const MoveList copy = moves;
  moves.clear();
  EXPECT_TRUE(moves.begin() == moves.end());
  EXPECT_EQ(copy.size(), 64);
  EXPECT_EQ(copy[5], Move::drop(58));
}

TEST(OutcomeTest, EveryReasonHasItsOwnWords) {
  std::set<std::string_view> words;
  const int reasons = static_cast<int>(Reason::kResignation) + 1;
  for (int i = 0; i < reasons; ++i) words.insert(reason_text(static_cast<Reason>(i)));
  EXPECT_EQ(static_cast<int>(words.size()), reasons);
  EXPECT_FALSE(words.contains("?"));
}

TEST(OutcomeTest, ResultsAreWrittenAsInGameRecords) {
  EXPECT_EQ(result_text(Result::kOngoing), "*");
  EXPECT_EQ(result_text(win_of(Color::kWhite)), "1-0");
  EXPECT_EQ(result_text(win_of(Color::kBlack)), "0-1");
  EXPECT_EQ(result_text(Result::kDraw), "1/2-1/2");
}

}  // namespace
}  // namespace makzero::game
