// Tests of the end of games that both players agree on.
#include "train/adjudication.h"

#include <gtest/gtest.h>

namespace makzero::train {
namespace {

using game::Color;
using game::Outcome;
using game::Reason;
using game::Result;

// The plies until an outcome where each side sees the game as `white` says, at most so many; then it.
struct Adjudicated {
  int plies = 0;
  std::optional<Outcome> outcome;
};
Adjudicated play(float white, int first_ply, int most) {
  Adjudicator adjudicator;
  Adjudicated end;
  for (; end.plies < most && !end.outcome; ++end.plies) {
    const Color mover = end.plies % 2 == 0 ? Color::kWhite : Color::kBlack;
    end.outcome = adjudicator.add(mover, mover == Color::kWhite ? white : -white, first_ply + end.plies);
  }
  return end;
}

TEST(AdjudicatorTest, ADecidedGameIsResignedAfterSixPlies) {
  EXPECT_EQ(play(0.97f, 0, 100).plies, 6);
  EXPECT_EQ(play(0.97f, 0, 100).outcome, (Outcome{Result::kWhiteWins, Reason::kResignation}));
  EXPECT_EQ(play(-0.97f, 0, 100).outcome, (Outcome{Result::kBlackWins, Reason::kResignation}));
  EXPECT_FALSE(play(0.95f, 0, 1000).outcome);
}

TEST(AdjudicatorTest, ALevelGameIsDrawnOnceItHasBeenLong) {
  EXPECT_EQ(play(0.05f, 100, 100).plies, 24);
  EXPECT_EQ(play(-0.05f, 90, 100).plies, 34);
  EXPECT_EQ(play(0.05f, 100, 100).outcome, (Outcome{Result::kDraw, Reason::kAgreement}));
  EXPECT_FALSE(play(0.2f, 100, 1000).outcome);
}

TEST(AdjudicatorTest, PlayersHaveToAgree) {
  Adjudicator both_winning;
  for (int ply = 0; ply < 200; ++ply)
    EXPECT_FALSE(both_winning.add(ply % 2 == 0 ? Color::kWhite : Color::kBlack, 0.99f, ply)) << ply;
  Adjudicator doubted;
  for (int ply = 0; ply < 5; ++ply) EXPECT_FALSE(doubted.add(Color::kWhite, 0.99f, ply));
  EXPECT_FALSE(doubted.add(Color::kWhite, 0, 5));
  for (int ply = 6; ply < 11; ++ply) EXPECT_FALSE(doubted.add(Color::kWhite, 0.99f, ply));
  EXPECT_TRUE(doubted.add(Color::kWhite, 0.99f, 11));
  Adjudicator turned;
  for (int ply = 0; ply < 5; ++ply) EXPECT_FALSE(turned.add(Color::kWhite, 0.99f, ply));
  for (int ply = 5; ply < 10; ++ply) EXPECT_FALSE(turned.add(Color::kWhite, -0.99f, ply));
  EXPECT_EQ(turned.add(Color::kWhite, -0.99f, 10), (Outcome{Result::kBlackWins, Reason::kResignation}));
}

}  // namespace
}  // namespace makzero::train
