// Position texts of Makruk: what is written, what is accepted, and the reasons for what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> reasons_against(std::string_view text) {
  const auto game = make_game("makruk");
  return parse_position(**game, text).reasons();
}

TEST(MakrukTextTest, TextsAreWrittenAsTheyWereRead) {
  for (const char* text : {"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
                           "8/5M2/2rM1K1k/5M2/4N1R1/8/8/8 b - 128 33 110",
                           "4k3/8/8/8/8/3r4/8/R3K3 b - - 17 40", "8/8/8/3k4/8/8/RR6/K7 w - 16 17 60"}) {
    EXPECT_EQ(Playthrough("makruk", text).text(), text);
  }
}

TEST(MakrukTextTest, ShortAndForeignTextsAreAccepted) {
  const std::string board = "4k3/8/2m5/8/8/8/R7/4K3 b";
  for (const char* fields :
       {"", " -", " - -", " - 0", " - - -", " - - 0", " - 0 0", " - - 0 1", " - 0 0 1", " - - 0 0"}) {
    EXPECT_EQ(Playthrough("makruk", board + fields).text(), board + " - - 0 1") << fields;
  }
}

TEST(MakrukTextTest, TheMoveNumberGoesOnAndIsNoPlyOfTheGame) {
  Playthrough white("makruk", "4k3/8/2m5/8/8/8/R7/4K3 w - - 0 30");
  EXPECT_EQ(white.position().ply, 0);
  EXPECT_EQ(white.play("a2a3").text(), "4k3/8/2m5/8/8/R7/8/4K3 b - 128 0 30");
  EXPECT_EQ(white.play("e8e7").text(), "8/4k3/2m5/8/8/R7/8/4K3 w - 128 1 31");
  Playthrough black("makruk", "4k3/8/2m5/8/8/8/R7/4K3 b - - 0 30");
  EXPECT_EQ(black.position().ply, 0);
  EXPECT_EQ(black.play("e8e7").text(), "8/4k3/2m5/8/8/8/R7/4K3 w - 128 0 31");
}

TEST(MakrukTextTest, TheHighestNumbersReadBackAfterAMove) {
  Playthrough game("makruk", "4k3/8/8/4p3/4P3/8/8/R3K3 b - - 10000 5000");
  const std::string text = game.play("e8d8").text();
  EXPECT_EQ(text, "3k4/8/8/4p3/4P3/8/8/R3K3 w - - 10000 5000");
  EXPECT_EQ(reasons_against(text), std::vector<std::string>());
}

TEST(MakrukTextTest, PromotionMayBeWrittenWithoutItsSuffix) {
  EXPECT_EQ(Playthrough("makruk", "4k3/8/8/4P3/8/8/R7/K7 w").play("e5e6").text(),
            "4k3/8/4M3/8/8/8/R7/K7 b - 32 8 1");
}

struct Refused {
  const char* text;
  const char* reason;
};

TEST(MakrukTextTest, ImpossiblePositionsAreRefusedWithTheirReason) {
  const Refused cases[] = {
      {"8/8/8/8/8/8/R7/4K3 w", "Black has 0 kings: place exactly one k"},
      {"4k3/8/8/8/8/8/8/8 w", "White has 0 kings: place exactly one K"},
      {"4k2k/8/8/8/8/8/R7/4K3 w", "Black has 2 kings: place exactly one k"},
      {"4k3/8/8/8/8/8/8/4R1K1 w", "Black is in check but White is to move"},
      {"4k3/8/8/8/8/8/8/4R1Kr b", "White is in check but Black is to move"},
      {"4k3/4K3/8/8/8/8/8/R7 w", "Black is in check but White is to move"},
      {"4k3/8/P7/8/8/8/8/4K3 w", "White's pawn on a6 has passed its promotion rank: write it as a met, M"},
      {"4k2P/8/8/8/8/8/8/4K3 w", "White's pawn on h8 has passed its promotion rank"},
      {"4k3/8/8/8/8/7p/8/4K3 w", "Black's pawn on h3 has passed its promotion rank: write it as a met, m"},
      {"4k3/8/8/8/8/8/p7/4K3 w", "Black's pawn on a2 has passed its promotion rank"},
      {"4k3/8/8/8/8/8/X7/4K3 w", "unknown piece 'X' on a2"},
      {"4k3/8/8/8/8/8/NNN5/4K3 w", "White has 3 knights: at most 2 are possible"},
      {"rrr1k3/8/8/8/8/8/8/4K3 b", "Black has 3 rooks: at most 2 are possible"},
      {"4k3/8/8/SSS5/8/8/8/4K3 w", "White has 3 khons: at most 2 are possible"},
      {"4k3/8/pppppppp/p7/8/8/8/4K3 w", "Black has 9 pawns: at most 8 are possible"},
      {"4k3/8/MMMMM3/MMMMM3/8/8/8/4K3 w", "White has 10 mets: at most 9 are possible"},
      {"4k3/8/8/8/8/8/R7/4K3 w DEde", "first-move right 'D' is unknown: this game has none, write '-'"},
      {"4k3/8/8/8/8/8/R7/4K3 w - x", "the count's limit is 'x': write a number from 0 to 10000, or '-'"},
      {"4k3/8/8/8/8/8/R7/4K3 w - 128 -3", "the count is '-3'"},
      {"4k3/8/8/8/8/8/R7/4K3 w - - 10001", "the halfmove clock is '10001'"},
      {"4k3/8/8/8/8/8/R7/4K3 w - - 0 one", "the move number is 'one': write a number from 0 to 5000, or '-'"},
      {"4k3/8/8/8/8/8/R7/4K3 w - - 0 1 moves", "unexpected 'moves' behind the move number: leave it out"},
  };
  for (const Refused& refused : cases) {
    const std::vector<std::string> reasons = reasons_against(refused.text);
    ASSERT_FALSE(reasons.empty()) << refused.text;
    EXPECT_THAT(reasons.front(), HasSubstr(refused.reason)) << refused.text;
  }
}

TEST(MakrukTextTest, TwentyKnightsASideAreOneReasonASide) {
  EXPECT_THAT(reasons_against("nnnnnnnn/nnnnnnnn/nnnn3k/8/8/K3NNNN/NNNNNNNN/NNNNNNNN w"),
              ElementsAre("White has 20 knights: at most 2 are possible",
                          "Black has 20 knights: at most 2 are possible"));
}

TEST(MakrukTextTest, AsManyPiecesAsTheSetUpAndPromotionsGiveAreAccepted) {
  EXPECT_THAT(reasons_against("4k3/8/MMMM4/MMMMM3/8/SS6/NN6/RR2K3 w"), ElementsAre());
}

TEST(MakrukTextTest, APositionOfChessIsRefusedInOneSentence) {
  for (const char* text : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                           "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
                           "4k3/8/8/8/8/8/Q7/4K3 w - - 0 1"}) {
    EXPECT_THAT(reasons_against(text),
                ElementsAre("this is a position of chess: Makruk has no bishops (B) and queens (Q), write it "
                            "like 'rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1'"))
        << text;
  }
}

TEST(MakrukTextTest, EveryReasonIsNamedNotOnlyTheFirst) {
  EXPECT_THAT(reasons_against("4k3/8/2P5/8/8/2p5/8/8 w"),
              ElementsAre(HasSubstr("White has 0 kings"), HasSubstr("pawn on c6"), HasSubstr("pawn on c3")));
  EXPECT_THAT(reasons_against("4k3/8/8/8/8/8/8/4K3 w ab - x"),
              ElementsAre(HasSubstr("right 'a'"), HasSubstr("right 'b'"), HasSubstr("clock is 'x'")));
}

}  // namespace
}  // namespace makzero::game
