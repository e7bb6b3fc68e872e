// Makruk with sutras and Takhaeng Ruea. "Fact N" is the number in the rules' list of facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::HasSubstr;

const char* const kMetAlone = "makruk-sutra:sut_khun=off,sut_ma=off";
const char* const kMaAlone = "makruk-sutra:sut_khun=off,sut_met=off";
const char* const kKhunAlone = "makruk-sutra:sut_met=off,sut_ma=off";

TEST(SutraTest, StartHasItsNumberOfMoves) {
  const std::tuple<const char*, const char*, int> facts[] = {
      {kMetAlone, "Ed - 0 1", 24},
      {kMaAlone, "BGbg - 0 1", 27},
      {kKhunAlone, "De - 0 1", 25},
      {"makruk-sutra", "BDEGbdeg - 0 1", 30},
      {"makruk-sutra:sut_khun=off,sut_met=off,sut_ma=off", "- - 0 1", 23},
  };
  for (const auto& [ruleset, fields, moves] : facts) {
    const Playthrough game(ruleset);
    EXPECT_EQ(game.fields(), fields) << ruleset;
    EXPECT_EQ(game.legal().size(), moves) << ruleset;
  }
}

TEST(SutraTest, MetChangesPlacesWithItsPawn) {
  Playthrough game(kMetAlone);
  EXPECT_EQ(game.moves("e1"), "e1d2 e1e3 e1f2");
  EXPECT_EQ(game.play("e1e3").text(), "rnsmksnr/8/pppppppp/8/4P3/PPPPMPPP/8/RNSK1SNR b d - 1 1");
  EXPECT_EQ(game.play("d8d6").text(), "rns1ksnr/8/pppmpppp/3p4/4P3/PPPPMPPP/8/RNSK1SNR w - - 2 2");
}

// What the piece on a square may do.
struct Steps {
  const char* why;
  const char* ruleset;
  const char* position;
  const char* from;
  const char* moves;
};

TEST(SutraTest, SutrasNeedTheirPieceTheirPawnAndRoom) {
  const Steps facts[] = {
      {"no room", kMetAlone, "rnsmksnr/8/pppp1ppp/8/4p3/PPPPPPPP/8/RNSKMSNR w Ed - 0 1", "e1", "e1d2 e1f2"},
      {"no pawn", kMetAlone, "rnsmksnr/8/ppppppp1/7p/4P3/PPPP1PPP/8/RNSKMSNR w Ed - 0 1", "e1", "e1d2 e1f2"},
      {"a piece between does not matter", kMetAlone,
       "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/4N3/RNSKMS1R w Ed - 0 1", "e1", "e1d2 e1e3 e1f2"},
      {"no right", kMetAlone, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w d - 0 1", "e1", "e1d2 e1f2"},
      {"two pawns", kMaAlone, "", "b1", "b1a3 b1c3 b1d2"},
      {"two pawns", kMaAlone, "", "g1", "g1e2 g1f3 g1h3"},
      {"no room before one", kMaAlone, "rnsmksnr/8/1ppppppp/8/p7/PPPPPPPP/8/RNSKMSNR w BGbg - 0 1", "b1",
       "b1c3 b1d2"},
      {"room before the other", kMaAlone, "rnsmksnr/8/1ppppppp/8/p7/PPPPPPPP/8/RNSKMSNR w BGbg - 0 1", "g1",
       "g1e2 g1f3 g1h3"},
      {"Black's knights", kMaAlone, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b BGbg - 0 1", "b8",
       "b8a6 b8c6 b8d7"},
      {"another piece before the knight is no pawn", kMaAlone, "4k3/8/8/8/8/S1P5/8/1N2K3 w B - 0 1", "b1",
       "b1c3 b1d2"},
      {"king to the row before it", kKhunAlone, "", "d1", "d1b2 d1c2 d1d2 d1e2 d1f2"},
      {"a pinned met stays", kMetAlone, "4k3/8/8/8/8/4P3/8/2K1M2r w E - 0 1", "e1", ""},
      {"a pinned pawn steps on, the met stands in its place", kMetAlone, "4k3/8/8/8/8/K3P2r/8/4M3 w E - 0 1",
       "e1", "e1d2 e1e3 e1f2"},
      {"it may block a check", kMetAlone, "4k3/8/8/8/K6r/4P3/8/4M3 w E - 0 1", "e1", "e1e3"},
      {"not any check", kMetAlone, "4k3/8/K6r/8/8/4P3/8/4M3 w E - 0 1", "e1", ""},
      {"knights block, too", kMaAlone, "4k3/8/8/8/r6K/2P5/8/1N6 w B - 0 1", "b1", "b1c3"},
      {"no leap out of check", kKhunAlone, "4k3/8/8/8/8/3r4/8/3K4 w D - 0 1", "d1", "d1c1 d1c2 d1e1 d1e2"},
      {"unless it may", "makruk-sutra:sut_khun_in_check=on", "4k3/8/8/8/8/3r4/8/3K4 w D - 0 1", "d1",
       "d1b2 d1c1 d1c2 d1e1 d1e2 d1f2"},
      {"but never into check", "makruk-sutra:sut_khun_in_check=on", "4k3/8/8/8/8/3r4/7r/3K4 w D - 0 1", "d1",
       "d1c1 d1e1"},
  };
  for (const Steps& fact : facts) {
    EXPECT_EQ(Playthrough(fact.ruleset, fact.position).moves(fact.from), fact.moves) << fact.why;
  }
}

TEST(SutraTest, KnightsChangePlacesWithAPawn) {
  EXPECT_EQ(Playthrough(kMaAlone).play("b1c3").text(),
            "rnsmksnr/8/pppppppp/8/2P5/PPNPPPPP/8/R1SKMSNR b Gbg - 1 1");
  EXPECT_EQ(Playthrough(kMaAlone, "rnsmksnr/8/1ppppppp/8/p7/PPPPPPPP/8/RNSKMSNR w BGbg - 0 1").legal().size(),
            26);
  EXPECT_EQ(Playthrough(kMaAlone).play("a3a4 g8h6").text(),
            "rnsmks1r/8/pppppppn/7p/P7/1PPPPPPP/8/RNSKMSNR w BGb - 1 2");
}

TEST(SutraTest, CapturesElsewhereEndNoRightUnlessTheyShall) {
  const char* line = "e3e4 d6d5 e4d5";
  EXPECT_EQ(Playthrough("makruk-sutra").play(line).fields(), "BDEGbdeg - 0 2");
  EXPECT_EQ(Playthrough("makruk-sutra:sutra_requires_no_captures=on").play(line).fields(), "- - 0 2");
  EXPECT_EQ(Playthrough("makruk-sutra", "4k3/8/8/8/8/8/4r3/3KM1N1 b DEG - 0 9").play("e2e1").fields(),
            "DG 128 0 10")
      << "a piece that is taken at home";
}

TEST(SutraTest, CountsAreThoseOfMakruk) {
  EXPECT_EQ(Playthrough("makruk-sutra", "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1").play("g5g6m").fields(),
            "- 88 8 1");
  EXPECT_EQ(
      Playthrough("makruk-sutra:count.snn=44", "7k/8/8/8/8/SNN5/5m2/4K3 w - - 0 1").play("e1f2").fields(),
      "- 88 10 1");
}

TEST(TakhaengTest, MetsStandForTheTiltedRooks) {
  EXPECT_EQ(Playthrough("makruk-sutra:takhaeng=a1h1").text(),
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/MNSKMSNM w BDEGbdeg - 0 1");
  EXPECT_EQ(Playthrough("makruk-sutra:takhaeng=h1a8").text(),
            "mnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNM w BDEGbdeg - 0 1");
  EXPECT_EQ(Playthrough("makruk-sutra:takhaeng=none").game().info().ruleset, "makruk-sutra");
  EXPECT_EQ(Playthrough("makruk-sutra:takhaeng=a1h1a8h8").game().info().ruleset,
            "makruk-sutra:takhaeng=a1h1a8h8");
  for (const char* any_order : {"h8a8h1a1", "a1h8h1a8"}) {
    EXPECT_EQ(Playthrough(std::string("makruk-sutra:takhaeng=") + any_order).game().info().ruleset,
              "makruk-sutra:takhaeng=a1h1a8h8");
  }
  EXPECT_EQ(Playthrough("makruk-sutra:takhaeng=h1a1").game().info().ruleset, "makruk-sutra:takhaeng=a1h1");
  for (const char* wrong : {"a1a1", "a1b1", "a1h", ""}) {
    EXPECT_THAT(make_game(std::string("makruk-sutra:takhaeng=") + wrong).why(),
                HasSubstr("option 'takhaeng' is '" + std::string(wrong) + "'"));
  }
  EXPECT_THAT(make_game("makruk-sutra:takhaeng=b1").why(), HasSubstr("give one of none, a1, h1, a1h1, a8,"));
}

TEST(SutraTextTest, OnlyTheSutrasInUseHaveLetters) {
  EXPECT_THAT(
      parse_position(**make_game(kMetAlone), "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde").why(),
      HasSubstr("first-move right 'D' is unknown: write '-' or some of Ed"));
  EXPECT_EQ(Playthrough("makruk-sutra", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w gGeE - 0 1").fields(),
            "EGeg - 0 1");
}

TEST(SutraOptionsTest, RulesetNamesTheOptionsThatDiffer) {
  for (const char* spec : {"makruk-sutra", "makruk-sutra:sut_khun=off", "makruk-sutra:sut_met=off,sut_ma=off",
                           "makruk-sutra:count.mode=manual,repetition=off,sut_khun_in_check=on"}) {
    EXPECT_EQ(Playthrough(spec).game().info().ruleset, spec);
  }
  EXPECT_THAT(make_game("makruk-sutra:sut_khun=maybe").why(), HasSubstr("give one of on, off"));
}

}  // namespace
}  // namespace makzero::game
