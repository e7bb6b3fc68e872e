// Every option of Mak-yek and every value: what it changes, and how a ruleset is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/perft.h"
#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

constexpr Outcome draw_by(Reason reason) { return {Result::kDraw, reason}; }

// The position behind moves, "w" or "b" included.
std::string after(const std::string& spec, const std::string& position, const std::string& moves) {
  return Playthrough(spec, position).play(moves).text();
}

std::string canonical(const std::string& spec) {
  const auto game = make_game(spec);
  return game ? (*game)->info().ruleset : game.why();
}

TEST(MakyekOptionsTest, SetupIsTwoRowsApartOrSideBySide) {
  EXPECT_EQ(Playthrough("makyek:setup=rows13").text(), "mmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w");
  const Playthrough rows12("makyek:setup=rows12");
  EXPECT_EQ(rows12.text(), "mmmmmmmm/mmmmmmmm/8/8/8/8/MMMMMMMM/MMMMMMMM w");
  EXPECT_EQ(perft(rows12.game(), rows12.position(), 3), 37796u);
}

// Counts of a program of its own, which keeps squares in sets.
TEST(MakyekOptionsTest, FiveMenStandOnABoardOf5x5) {
  const Playthrough small("makyek:setup=5x5");
  EXPECT_EQ(small.text(), "mmmmm/5/5/5/MMMMM w");
  EXPECT_EQ(perft(small.game(), small.position(), 3), 3517u);
  EXPECT_EQ(perft(small.game(), small.position(), 5), 1'072'662u);
  EXPECT_EQ(after("makyek:setup=5x5,corner_capture=on", "3Mm/5/M4/5/4M w", "e1e4"), "3M1/4M/M4/5/5 b");
  EXPECT_EQ(after("makyek:setup=5x5,jump=on", "m4/5/4m/4M/5 w", "e2e4"), "m4/4M/4m/5/5 b");
}

TEST(MakyekOptionsTest, CustodianTakesOneALineOrNothing) {
  const std::string one = "7m/8/8/8/8/1mM5/8/M7 w", two = "7m/8/8/8/8/1mmM4/8/M7 w";
  EXPECT_EQ(after("makyek:custodian=single", one, "a1a3"), "7m/8/8/8/8/M1M5/8/8 b");
  EXPECT_EQ(after("makyek:custodian=single", two, "a1a3"), "7m/8/8/8/8/MmmM4/8/8 b");
  EXPECT_EQ(after("makyek:custodian=line", one, "a1a3"), "7m/8/8/8/8/M1M5/8/8 b");
  EXPECT_EQ(after("makyek:custodian=line", two, "a1a3"), "7m/8/8/8/8/M2M4/8/8 b");
  EXPECT_EQ(after("makyek:custodian=none", one, "a1a3"), "7m/8/8/8/8/MmM5/8/8 b");
}

TEST(MakyekOptionsTest, InterventionTakesAPairALineOrNothing) {
  const std::string text = "7m/8/8/2m5/2m5/M7/2m5/8 w";
  EXPECT_EQ(after("makyek:intervention=pair", text, "a3c3"), "7m/8/8/2m5/8/2M5/8/8 b");
  EXPECT_EQ(after("makyek:intervention=line", text, "a3c3"), "7m/8/8/8/8/2M5/8/8 b");
  EXPECT_EQ(after("makyek:intervention=none", text, "a3c3"), "7m/8/8/2m5/2m5/2M5/2m5/8 b");
}

TEST(MakyekOptionsTest, SameAxisChoosesBetweenBothWays) {
  const std::string text = "6mM/6m1/1M3M2/7m/1M1M1MM1/1M1M2m1/1m1Mm3/3m2M1 b";
  EXPECT_EQ(after("makyek:custodian=line,same_axis=union", text, "h5b5"),
            "6mM/6m1/5M2/1m6/3M1MM1/3M2m1/1m1Mm3/3m2M1 w");
  EXPECT_EQ(after("makyek:custodian=line,same_axis=intervention_only", text, "h5b5"),
            "6mM/6m1/5M2/1m6/3M1MM1/1M1M2m1/1m1Mm3/3m2M1 w");
  EXPECT_EQ(after("makyek:custodian=line,same_axis=custodian_only", text, "h5b5"),
            "6mM/6m1/1M3M2/1m6/3M1MM1/3M2m1/1m1Mm3/3m2M1 w");
}

TEST(MakyekOptionsTest, CornerCaptureNeedsBothNeighbours) {
  const std::string text = "m6m/M7/8/8/8/8/8/1M6 w";
  EXPECT_EQ(after("makyek:corner_capture=off", text, "b1b8"), "mM5m/M7/8/8/8/8/8/8 b");
  EXPECT_EQ(after("makyek:corner_capture=on", text, "b1b8"), "1M5m/M7/8/8/8/8/8/8 b");
}

TEST(MakyekOptionsTest, JumpsGoOverOneMan) {
  EXPECT_EQ(Playthrough("makyek:jump=off", "7m/8/8/8/8/8/m7/MM6 w").moves("a1"), "");
  const Playthrough game("makyek:jump=on", "7m/8/8/8/8/8/m7/MM6 w");
  EXPECT_EQ(game.moves("a1"), "a1a3 a1c1");
  EXPECT_EQ(Playthrough("makyek:jump=on", "7m/8/8/8/8/m7/m7/Mm1m4 w").moves("a1"), "a1c1");
  EXPECT_EQ(Playthrough("makyek:jump=on", "7m/8/8/8/8/8/8/MmM5 w").moves("a1"),
            "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8");
  EXPECT_EQ(after("makyek:jump=on", "7m/8/8/8/8/8/m7/MM6 w", "a1a3"), "7m/8/8/8/8/M7/m7/1M6 b");
}

TEST(MakyekOptionsTest, OneCustodianIsChosenByTheSquareTaken) {
  const std::string text = "8/4m1m1/2m5/Mm3M2/2m4m/3Mm2M/5m2/5M2 w";
  const Playthrough game("makyek:custodian_total=one", text);
  EXPECT_EQ(game.moves("f5f3"), "f5f3:e3 f5f3:f2");
  EXPECT_EQ(game.moves("h3f3"), "h3f3:e3 h3f3:f2");
  EXPECT_EQ(game.game().count_moves(game.position()), game.legal().size());
  EXPECT_EQ(after("makyek:custodian_total=one", text, "f5f3:e3"), "8/4m1m1/2m5/Mm6/2m4m/3M1M1M/5m2/5M2 b");
  EXPECT_EQ(after("makyek:custodian_total=one", text, "f5f3:f2"), "8/4m1m1/2m5/Mm6/2m4m/3MmM1M/8/5M2 b");
  EXPECT_EQ(after("makyek:custodian_total=any", text, "f5f3"), "8/4m1m1/2m5/Mm6/2m4m/3M1M1M/8/5M2 b");
}

TEST(MakyekOptionsTest, AChoiceMustBeNamed) {
  const Playthrough game("makyek:custodian_total=one", "8/4m1m1/2m5/Mm3M2/2m4m/3Mm2M/5m2/5M2 w");
  EXPECT_EQ(parse_move(game.game(), game.position(), "f5f3").why(),
            "move 'f5f3' is ambiguous: write one of f5f3:f2 f5f3:e3");
  const auto first = parse_move(game.game(), game.position(), "f5f3:e3");
  const auto second = parse_move(game.game(), game.position(), "f5f3:f2");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->index(), second->index());
  EXPECT_NE(*first, *second);
}

TEST(MakyekOptionsTest, MenOfThePairDoNotCompeteForTheCustodian) {
  const std::string pair_and_one = "8/8/2M5/2m5/1M1mM3/2m5/2M5/8 w";
  EXPECT_EQ(Playthrough("makyek:custodian_total=one", pair_and_one).moves("b4c4"), "b4c4");
  EXPECT_EQ(after("makyek:custodian_total=one", pair_and_one, "b4c4"), "8/8/2M5/8/2M1M3/8/2M5/8 b");
}

TEST(MakyekOptionsTest, OneCustodianOfALineIsOneDirection) {
  const std::string cross = "7m/8/2M5/2m5/2m5/M2mmM2/8/8 w";
  const Playthrough game("makyek-line:custodian_total=one", cross);
  EXPECT_EQ(game.moves("a3c3"), "a3c3:c4 a3c3:d3");
  EXPECT_EQ(after("makyek-line:custodian_total=one", cross, "a3c3:c4"), "7m/8/2M5/8/8/2MmmM2/8/8 b");
  EXPECT_EQ(after("makyek-line:custodian_total=one", cross, "a3c3:d3"), "7m/8/2M5/2m5/2m5/2M2M2/8/8 b");
}

TEST(MakyekOptionsTest, ABlockedSideLosesDrawsOrPasses) {
  const std::string blocked = "8/8/8/8/8/7M/M7/mM6 b";
  EXPECT_EQ(Playthrough("makyek:no_move=loss", blocked).outcome(),
            (Outcome{Result::kWhiteWins, Reason::kNoLegalMove}));
  EXPECT_EQ(Playthrough("makyek:no_move=draw", blocked).outcome(), draw_by(Reason::kNoLegalMove));
  Playthrough passing("makyek:no_move=pass", blocked);
  EXPECT_EQ(passing.moves(), "--");
  EXPECT_EQ(passing.game().count_moves(passing.position()), 1);
  EXPECT_FALSE(passing.outcome().over());
  passing.play("--");
  EXPECT_EQ(passing.text(), "8/8/8/8/8/7M/M7/mM6 w");
  EXPECT_EQ(passing.position().no_progress_plies, 1);
}

TEST(MakyekOptionsTest, RepetitionHasANumberOrNoEnd) {
  const std::string once = "a3a4 a6a5 a4a3 a5a6 ";
  EXPECT_EQ(Playthrough("makyek:repetition=2").play(once).outcome(), draw_by(Reason::kRepetition));
  EXPECT_FALSE(Playthrough("makyek:repetition=0").play(once + once + once).outcome().over());
  EXPECT_FALSE(Playthrough("makyek:repetition=4").play(once + once).outcome().over());
  EXPECT_EQ(make_game("makyek:repetition=1").why(),
            "option 'repetition' is '1', which ends every game at once: give 0 (never) or 2 and more");
}

TEST(MakyekOptionsTest, NoProgressPliesHaveALimitOrNone) {
  EXPECT_EQ(Playthrough("makyek:no_progress=2").play("a3a4 a6a5").outcome(), draw_by(Reason::kNoProgress));
  EXPECT_FALSE(Playthrough("makyek:no_progress=3").play("a3a4 a6a5").outcome().over());
  Playthrough endless("makyek:no_progress=0,repetition=0");
  for (int i = 0; i < 30; ++i) endless.play("a3a4 a6a5 a4a3 a5a6");
  EXPECT_FALSE(endless.outcome().over());
}

TEST(MakyekOptionsTest, PliesHaveALimitOrNone) {
  EXPECT_EQ(Playthrough("makyek:max_plies=2").play("a3a4 a6a5").outcome(), draw_by(Reason::kPlyLimit));
  EXPECT_FALSE(Playthrough("makyek:max_plies=3").play("a3a4 a6a5").outcome().over());
  for (const char* game : {"makyek", "apit-single", "rek", "minrekchanh", "gala", "hunt"})
    EXPECT_FALSE(Playthrough(game + std::string(":max_plies=0")).outcome().over()) << game;
  Playthrough endless("makyek:max_plies=0,no_progress=0,repetition=0");
  EXPECT_EQ(endless.game().info().max_plies, 0);
  for (int i = 0; i < 120; ++i) endless.play("a3a4 a6a5 a4a3 a5a6");
  EXPECT_FALSE(endless.outcome().over());
}

TEST(MakyekOptionsTest, AGameWithoutLimitsGoesOnWhenItsPliesWrapAround) {
  const GamePtr endless = *make_game("makyek:max_plies=0,no_progress=0,repetition=0");
  Position position = endless->initial();
  for (int ply = 0; ply < 80'000; ++ply) {
    const Square from = ply % 4 < 2 ? 2 : 3, to = ply % 4 < 2 ? 3 : 2;
    const bool white = ply % 2 == 0;
    endless->apply(Move::step(square_at(0, white ? from : 7 - from), square_at(0, white ? to : 7 - to)),
                   &position);
  }
  EXPECT_EQ(position.ply, 80'000 % 65'536);
  EXPECT_FALSE(endless->outcome(position, true, 1).over());
}

struct LimitCase {
  const char* spec;
  Reason reason;
  Result with_more_men, with_equal_men, with_fewer_men;
};

TEST(MakyekOptionsTest, LimitsDrawOrCountMen) {
  using enum Result;
  const LimitCase cases[] = {
      {"makyek:no_progress=1,limit_result=draw", Reason::kNoProgress, kDraw, kDraw, kDraw},
      {"makyek:no_progress=1,limit_result=material", Reason::kNoProgress, kWhiteWins, kDraw, kBlackWins},
      {"makyek:no_progress=1,cap_result=material", Reason::kNoProgress, kDraw, kDraw, kDraw},
      {"makyek:max_plies=1", Reason::kPlyLimit, kDraw, kDraw, kDraw},
      {"makyek:max_plies=1,limit_result=material", Reason::kPlyLimit, kWhiteWins, kDraw, kBlackWins},
      {"makyek:max_plies=1,cap_result=draw", Reason::kPlyLimit, kDraw, kDraw, kDraw},
      {"makyek:max_plies=1,cap_result=material", Reason::kPlyLimit, kWhiteWins, kDraw, kBlackWins},
  };
  for (const LimitCase& c : cases) {
    const auto outcome = [&](const char* position) {
      return Playthrough(c.spec, position).play("a1a2").outcome();
    };
    EXPECT_EQ(outcome("7m/8/8/7m/8/8/8/M1MM4 w"), (Outcome{c.with_more_men, c.reason})) << c.spec;
    EXPECT_EQ(outcome("7m/8/8/7m/8/8/8/M1M5 w"), (Outcome{c.with_equal_men, c.reason})) << c.spec;
    EXPECT_EQ(outcome("7m/8/8/7m/8/7m/8/M1M5 w"), (Outcome{c.with_fewer_men, c.reason})) << c.spec;
  }
}

TEST(MakyekOptionsTest, RepetitionAndInsufficientMaterialStayDrawsUnderMaterial) {
  const std::string spec = "makyek:limit_result=material,cap_result=material,repetition=2";
  EXPECT_EQ(Playthrough(spec, "7m/8/8/8/8/8/8/M1M5 w").play("a1a2 h8h7 a2a1 h7h8").outcome(),
            draw_by(Reason::kRepetition));
  EXPECT_EQ(Playthrough(spec, "7m/8/8/8/8/8/8/M7 w").outcome(), draw_by(Reason::kInsufficientMaterial));
}

TEST(MakyekOptionsTest, ARulesetIsNamedByWhatDiffersInTheOrderOfTheTable) {
  EXPECT_EQ(canonical("makyek"), "makyek");
  EXPECT_EQ(canonical("makyek:no_progress=60,jump=on,custodian=line"),
            "makyek:custodian=line,jump=on,no_progress=60");
  EXPECT_EQ(canonical("makyek:custodian=single,repetition=3,no_progress=100,max_plies=400"), "makyek");
  EXPECT_EQ(canonical("makyek-line:custodian=line"), "makyek-line");
  EXPECT_EQ(canonical("makyek-line:custodian=single"), "makyek-line:custodian=single");
}

TEST(MakyekOptionsTest, NamedRulesetsAreTheGameWithOptions) {
  const std::pair<const char*, const char*> pairs[] = {
      {"makyek-line", "makyek:custodian=line"},
      {"makyek-low", "makyek:custodian=line,intervention=line"},
      {"makyek-corner", "makyek:corner_capture=on"},
      {"makyek-jump", "makyek:jump=on"},
  };
  for (const auto& [name, spec] : pairs) {
    const GamePtr named = *make_game(name), spelled = *make_game(spec);
    for (size_t i = 0; i < named->info().options.size(); ++i) {
      EXPECT_EQ(named->info().options[i].value, spelled->info().options[i].value) << name;
    }
  }
}

TEST(MakyekOptionsTest, WrongOptionsNameWhatIsAllowed) {
  EXPECT_EQ(make_game("makyek:custodian=lines").why(),
            "option 'custodian' is 'lines': give one of single, line, none");
  EXPECT_EQ(make_game("makyek:max_plies=-1").why(),
            "option 'max_plies' is '-1': give a number from 0 to 10000");
  EXPECT_EQ(make_game("makyek:custodain=line").why(),
            "unknown option 'custodain': did you mean 'custodian'?");
  EXPECT_EQ(make_game("makyek:jump").why(), "option 'jump' has no value: write NAME=VALUE");
  for (const char* twice : {"makyek:jump=on,jump=off", "makyek-line:jump=on,setup=rows12,jump=on"})
    EXPECT_EQ(make_game(twice).why(), "option 'jump' is given twice: leave one out") << twice;
  EXPECT_EQ(
      make_game("makyek:jump=maybe,corner_capture=1").why(),
      "option 'jump' is 'maybe': give one of off, on; option 'corner_capture' is '1': give one of off, on");
}

}  // namespace
}  // namespace makzero::game
