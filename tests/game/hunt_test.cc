// The hunt: how men and hunter move, leaps in all their forms, and the ends of a game.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "game/perft.h"
#include "game/symmetry.h"
#include "tests/support/playthrough.h"

namespace makzero::game {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Outcome win_by(Color color, Reason reason) { return {win_of(color), reason}; }

TEST(HuntTest, StartHasFiftyFiveMovesOfTheMen) {
  const Playthrough start("hunt");
  EXPECT_EQ(start.text(), "4h3/8/8/8/8/MMMMMMMM/8/MMMMMMMM w");
  EXPECT_EQ(start.legal().size(), 55);
  for (const Move move : start.legal()) {
    Playthrough game("hunt");
    game.play(move);
    EXPECT_EQ(game.position().to_move, Color::kBlack);
  }
  std::vector<std::uint64_t> leaves;
  for (int depth = 1; depth <= 4; ++depth) leaves.push_back(perft(start.game(), start.position(), depth));
  EXPECT_THAT(leaves, ElementsAre(55, 583, 37357, 390267));
}

TEST(HuntTest, TheHunterLeapsOverOneMan) {
  const Playthrough game("hunt", "8/8/3M4/8/3M4/2Mh1M2/8/3MM3 b");
  EXPECT_EQ(game.moves(), "d3b3 d3d2 d3d5 d3e3");
  EXPECT_THAT(game.captures(), ElementsAre("d3b3 c3", "d3d5 d4"));
}

TEST(HuntTest, AHunterWithoutAMoveHasLost) {
  const Playthrough game("hunt", "8/8/8/8/8/M7/M7/hMM5 b");
  EXPECT_THAT(game.legal(), IsEmpty());
  EXPECT_EQ(game.outcome(), win_by(Color::kWhite, Reason::kNoLegalMove));
}

TEST(HuntTest, ThreeMenAreTooFew) {
  Playthrough game("hunt", "8/8/8/8/7M/8/M7/hMM5 b");
  EXPECT_EQ(game.moves(), "a1a3");
  game.play("a1a3");
  EXPECT_EQ(game.outcome(), win_by(Color::kBlack, Reason::kTooFewMen));
  EXPECT_THAT(game.legal(), IsEmpty());
  EXPECT_EQ(game.game().count_moves(game.position()), 0);
}

TEST(HuntTest, ChainsAreNamedByTheirPath) {
  const char* position = "8/8/8/8/2M5/8/2M5/M1h3MM b";
  EXPECT_EQ(Playthrough("hunt", position).moves(), "c1b1 c1c3 c1d1 c1e1 c1f1");
  Playthrough game("hunt:chain=on", position);
  EXPECT_THAT(game.captures(), ElementsAre("c1c3 c2", "c1c3c5 c2 c4"));
  EXPECT_EQ(game.legal().size(), 6);
  game.play("c1c3c5");
  EXPECT_EQ(game.text(), "8/8/8/2h5/8/8/8/M5MM w");
  EXPECT_EQ(Playthrough("hunt:chain=on", position).play("c1c5").text(), game.text())
      << "origin and destination are enough where they name one path";
}

TEST(HuntTest, AFlyingLeapBeginsWithASlide) {
  const char* position = "8/8/8/3M4/8/8/M7/3h2MM b";
  const Playthrough game("hunt:flying=on", position);
  EXPECT_EQ(game.legal().size(), 9);
  EXPECT_THAT(game.captures(), ElementsAre("d1d6 d5"));
  EXPECT_THAT(Playthrough("hunt", position).captures(), IsEmpty());
}

TEST(HuntTest, FlyingDoesNotDependOnTheHuntersStep) {
  const char* position = "8/8/8/3M4/8/8/M7/3h2MM b";
  EXPECT_EQ(Playthrough("hunt:flying=on,hunter_move=step", position).moves(), "d1c1 d1d2 d1d6 d1e1");
  EXPECT_EQ(Playthrough("hunt:hunter_move=step", position).moves(), "d1c1 d1d2 d1e1");
}

TEST(HuntTest, LeapsNeedAnEmptySquareOnTheBoard) {
  EXPECT_THAT(Playthrough("hunt", "8/8/8/8/M7/M7/hMMM4/M7 b").captures(), IsEmpty());
  EXPECT_THAT(Playthrough("hunt:flying=on", "M7/8/8/8/8/8/h6M/M7 b").captures(), IsEmpty());
}

TEST(HuntTest, MenMayStepOrStepForwardAndSideways) {
  const char* position = "4h3/8/8/8/3M4/8/8/MMM5 w";
  EXPECT_EQ(Playthrough("hunt:men_move=rook", position).legal().size(), 14 + 21 + 5);
  EXPECT_EQ(Playthrough("hunt:men_move=step", position).moves("d4"), "d4c4 d4d3 d4d5 d4e4");
  EXPECT_EQ(Playthrough("hunt:men_move=step_forward_sideways", position).moves("d4"), "d4c4 d4d5 d4e4");
}

TEST(HuntTest, SteppingForwardTellsUpFromDown) {
  const auto symmetries = [](const char* spec) {
    const GamePtr game = *make_game(spec);
    return game->symmetries(game->initial());
  };
  EXPECT_EQ(symmetries("hunt:men_move=step"), kAllSymmetries);
  EXPECT_EQ(symmetries("hunt:men_move=step_forward_sideways"), kLeftRight);
}

TEST(HuntTest, AChainMayReturnToItsOrigin) {
  Playthrough game("hunt:chain=on", "8/8/8/8/8/1M6/M1M5/hM5M b");
  EXPECT_EQ(game.moves("a1"), "a1a3 a1a3c3 a1a3c3c1 a1a3c3c1a1 a1c1 a1c1c3 a1c1c3a3 a1c1c3a3a1");
  EXPECT_EQ(parse_move(game.game(), game.position(), "a1a1").why(),
            "move 'a1a1' is ambiguous: write one of a1a3c3c1a1 a1c1c3a3a1");
  game.play("a1a3c3c1a1");
  EXPECT_EQ(game.text(), "8/8/8/8/8/8/8/h6M w");
  EXPECT_EQ(game.outcome(), win_by(Color::kBlack, Reason::kTooFewMen));
}

TEST(HuntTest, PathsOfTheSameSquaresShareAnIndexAndAreAtMostEight) {
  // Every man of this lattice can be leapt over from both sides.
  const Playthrough game("hunt:chain=on", "8/8/8/1M1M1M2/M1M1M3/1M1M1M2/M1M1M3/hM1M1M2 b");
  std::map<int, int> paths;
  for (const Move move : game.legal()) ++paths[move.index()];
  int most = 0;
  for (const auto& [index, count] : paths) most = std::max(most, count);
  EXPECT_EQ(most, 8);
  EXPECT_EQ(game.game().count_moves(game.position()), game.legal().size());
  for (const Move move : game.legal()) {
    const std::string text = move_text(game.game(), game.position(), move);
    EXPECT_EQ(*parse_move(game.game(), game.position(), text), move) << text;
  }
}

TEST(HuntTest, MenWithoutAMoveHaveLost) {
  const Playthrough game("hunt:min_men=2", "7h/8/8/8/8/8/8/M7 w");
  EXPECT_EQ(game.outcome(), win_by(Color::kBlack, Reason::kTooFewMen));
  const Playthrough stuck("hunt:men_move=step_forward_sideways", "MMMMMMMM/8/7h/8/8/8/8/8 w");
  EXPECT_THAT(stuck.legal(), IsEmpty());
  EXPECT_EQ(stuck.outcome(), win_by(Color::kBlack, Reason::kNoLegalMove));
}

TEST(HuntTest, TheLeastNumberOfMenIsAnOption) {
  const char* position = "7h/8/8/8/8/8/8/MMMM4 w";
  EXPECT_FALSE(Playthrough("hunt", position).outcome().over());
  EXPECT_EQ(Playthrough("hunt:min_men=8", position).outcome(), win_by(Color::kBlack, Reason::kTooFewMen));
}

TEST(HuntTest, LimitsDrawOrGiveTheHunterTheGame) {
  const auto outcome = [](const std::string& options, const std::string& moves) {
    return Playthrough("hunt:" + options).play(moves).outcome();
  };
  const auto draw_by = [](Reason reason) { return Outcome{Result::kDraw, reason}; };
  EXPECT_EQ(outcome("no_progress=2", "a3a4 e8e7"), draw_by(Reason::kNoProgress));
  EXPECT_EQ(outcome("max_plies=2", "a3a4 e8e7"), draw_by(Reason::kPlyLimit));
  EXPECT_EQ(outcome("no_progress=2,limit_result=hunter_wins", "a3a4 e8e7"),
            win_by(Color::kBlack, Reason::kNoProgress));
  EXPECT_EQ(outcome("max_plies=2,limit_result=hunter_wins", "a3a4 e8e7"),
            win_by(Color::kBlack, Reason::kPlyLimit));
  EXPECT_EQ(outcome("repetition=2,limit_result=hunter_wins", "a3a4 e8e7 a4a3 e7e8"),
            draw_by(Reason::kRepetition));
  EXPECT_FALSE(outcome("repetition=3", "a3a4 e8e7 a4a3 e7e8").over());
}

TEST(HuntTest, ItsLimitsAreLonger) {
  const GamePtr game = *make_game("hunt");
  EXPECT_EQ(game->info().no_progress, 200);
  EXPECT_EQ(game->info().max_plies, 600);
}

TEST(HuntTest, AnyOtherArrangementIsRefused) {
  const auto why = [](const char* text) { return parse_position(**make_game("hunt"), text).why(); };
  EXPECT_EQ(why("8/8/8/8/8/8/8/MMMM4 w"), "Black needs one hunter: put one 'h' on the board");
  EXPECT_EQ(why("hh6/8/8/8/8/8/8/MMMM4 w"), "Black needs one hunter: put one 'h' on the board");
  EXPECT_EQ(why("hH6/m7/8/8/8/8/8/MMMM4 w"),
            "White has a hunter: only Black has one, 'h'; Black has men: only White has them, 'M'");
  EXPECT_EQ(why("h7/8/8/8/8/M7/MMMMMMMM/MMMMMMMM w"), "White has 17 men: at most 16 are possible");
}

TEST(HuntTest, OptionsAreListedAndRefused) {
  const GamePtr game = *make_game("hunt:chain=on,men_move=rook,min_men=8");
  EXPECT_EQ(game->info().ruleset, "hunt:chain=on,min_men=8");
  EXPECT_EQ(make_game("hunt:limit_result=material").why(),
            "option 'limit_result' is 'material': give one of draw, hunter_wins");
  EXPECT_EQ(make_game("hunt:min_men=17").why(), "option 'min_men' is '17': give a number from 1 to 16");
  EXPECT_THAT(make_game("hunt:repetition=1").why(), HasSubstr("ends every game at once"));
}

}  // namespace
}  // namespace makzero::game
