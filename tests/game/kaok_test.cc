// Ka Ok: the first check wins. "Fact N" is the number in the rules' list of facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::HasSubstr;

constexpr Outcome kOngoing = {};
constexpr Outcome kWhiteChecked = {Result::kWhiteWins, Reason::kCheck};
constexpr Outcome draw_by(Reason reason) { return {Result::kDraw, reason}; }

TEST(KaOkTest, ACheckWinsAtOnce) {
  const std::pair<const char*, const char*> facts[] = {
      {"4k3/8/8/8/8/8/3R4/3K4 w - - 0 1", "d2e2"},
      {"4k3/8/8/3N4/8/8/8/3K4 w - - 0 1", "d5c7"},
  };
  for (const auto& [position, check] : facts) {
    for (const char* ruleset : {"kaok", "karouk"}) {
      Playthrough game(ruleset, position);
      EXPECT_EQ(game.outcome(), kOngoing) << position;
      game.play(check);
      EXPECT_EQ(game.outcome(), kWhiteChecked) << position;
      EXPECT_EQ(game.moves(), "") << position;
      EXPECT_EQ(game.game().count_moves(game.position()), 0) << position;
    }
  }
}

TEST(KaOkTest, ACheckThatExposesTheOwnKingIsIllegal) {
  EXPECT_EQ(Playthrough("kaok", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1").moves(), "e1d1 e1d2 e1f1 e1f2");
}

TEST(KaOkTest, StalemateIsADraw) {
  EXPECT_EQ(Playthrough("kaok", "k7/2M5/1K6/8/8/8/8/8 b - - 0 1").outcome(), draw_by(Reason::kStalemate));
}

TEST(KaOkTest, NothingButBareKingsIsDead) {
  EXPECT_EQ(Playthrough("kaok", "8/8/8/3k4/8/8/8/KN6 w - - 0 1").outcome(), kOngoing);
  EXPECT_EQ(Playthrough("kaok", "8/8/8/3k4/8/8/8/KM6 w - - 0 1").outcome(), kOngoing);
  EXPECT_EQ(Playthrough("kaok", "8/8/8/3k4/8/8/8/K7 w - - 0 1").outcome(),
            draw_by(Reason::kInsufficientMaterial));
}

TEST(KaOkTest, APositionInCheckIsOver) {
  const Playthrough game("kaok", "8/8/8/2K1k3/3m4/3R1R2/8/8 w - 128 13 128");
  EXPECT_EQ(game.outcome(), (Outcome{Result::kBlackWins, Reason::kCheck}));
  EXPECT_EQ(game.moves(), "");
}

TEST(KaOkTest, ACheckBeatsTheCount) {
  EXPECT_EQ(Playthrough("kaok", "8/8/8/3k4/8/8/8/K2R4 b - 32 33 60").outcome(), kWhiteChecked);
  EXPECT_EQ(Playthrough("kaok", "8/8/8/4k3/8/8/8/K2R4 b - 32 33 60").outcome(),
            draw_by(Reason::kCountExceeded));
}

TEST(KaOkTest, ACounterWhoChecksWins) {
  Playthrough game("kaok:count.mode=manual,count.who=any", "6k1/8/5MK1/8/8/8/m7/2R5 w - - 0 60");
  EXPECT_EQ(game.declare(Declaration::kStartCount).play("c1c8").outcome(), kWhiteChecked);
}

TEST(KaOkTest, KaroukCountsAndKeepsItsRightsLikeCambodian) {
  EXPECT_EQ(Playthrough("karouk", "5k2/8/2p5/3p4/8/1PPP4/4R3/3K4 w - - 0 30").play("e2d2").fields(),
            "- 126 0 30");
  EXPECT_EQ(Playthrough("karouk").play("e3e4 d6d5 e4d5").fields(), "DEde - 0 2");
  EXPECT_EQ(Playthrough("kaok").play("e3e4 d6d5 e4d5").fields(), "- - 0 2");
}

TEST(KaOkTest, ALeapCanWin) {
  EXPECT_EQ(Playthrough("kaok", "8/8/8/3k4/8/8/8/3KM3 w E - 0 1").play("e1e3").outcome(), kOngoing);
  EXPECT_EQ(Playthrough("kaok", "8/8/8/8/3k4/8/8/1K2M3 w E - 0 1").play("e1e3").outcome(), kWhiteChecked);
  EXPECT_EQ(Playthrough("kaok:ok.met_leap_captures=on", "8/8/8/8/5k2/8/8/1K2M3 b E - 0 1").moves("f4e3"), "");
}

TEST(KaOkTextTest, ChecksLeftMayStandBehindTheLimit) {
  const char* with = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 1+1 0 1";
  EXPECT_EQ(Playthrough("karouk", with).text(), Playthrough("karouk").text());
  EXPECT_EQ(Playthrough("karouk", "4k3/8/8/8/8/8/8/R3K3 b - 32 1+1 7 40").fields(), "- 32 7 40");
  EXPECT_THAT(parse_position(**make_game("karouk"), "4k3/8/8/8/8/8/8/R3K3 b - 32 0+1 7 40").why(),
              HasSubstr("the count is '0+1'"));
  EXPECT_THAT(parse_position(**make_game("ok"), with).why(), HasSubstr("the halfmove clock is '1+1'"));
}

}  // namespace
}  // namespace makzero::game
