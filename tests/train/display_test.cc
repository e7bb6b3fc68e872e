// The display and the figures that it shares with metrics.jsonl.
#include "train/run/display.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "train/run/figures.h"
#include "train/run/progress_line.h"

namespace makzero::train {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

DisplayState busy_state() {
  DisplayState state;
  state.title = "Mak-yek (makyek), run runs/makyek";
  state.phase = "self-play";
  state.done = 2500;
  state.total = 10000;
  state.elapsed_seconds = 754;
  state.seconds_left = 3661;
  state.played.seconds = 2;
  state.played.all_games = 23;
  state.played.self_play = {.evaluations = 700, .batches = 10, .cpu_seconds = 2.0, .forward_seconds = 1.8};
  state.last.run.generation = 12;
  state.last.learnt.learning.total = 4;
  state.last.learnt.learning.heads[nn::Head::kPolicy] = 2.75f;
  return state;
}

GameRecord game_that_ended(game::Result result, game::Reason reason, int plies) {
  GameRecord record;
  record.set_result(static_cast<std::uint32_t>(result));
  record.set_reason(static_cast<std::uint32_t>(reason));
  for (int i = 0; i < plies; ++i) record.add_plies()->set_full_search(true);
  return record;
}

TEST(DisplayTest, TheBlockTellsGenerationPhaseSpeedAndTime) {
  std::string block;
  for (const std::string& line : display_block(busy_state())) block += line + "\n";
  EXPECT_THAT(block, HasSubstr("generation 12     [#######.......................]  25 %  self-play"));
  EXPECT_THAT(block, HasSubstr("12m34s, 1h01m left"));
  EXPECT_THAT(block,
              HasSubstr("self-play  11.5 games/s  350 evaluations/s  batch 70  network 90 % of CPU\n"));
}

TEST(DisplayTest, TheSpeedIsThatOfThisSessionsGames) {
  DisplayState state = busy_state();
  state.played.earlier_games = 13;
  EXPECT_THAT(display_block(state), Contains(HasSubstr("self-play  5.0 games/s")));
}

TEST(DisplayTest, WhatComesNextIsToldWhereItIsKnown) {
  DisplayState state = busy_state();
  EXPECT_THAT(display_block(state), Each(Not(StartsWith("next"))));
  state.next = "first network in about 4m10s of self-play";
  EXPECT_THAT(display_block(state), Contains("next       first network in about 4m10s of self-play"));
  EXPECT_THAT(display_line(state), HasSubstr("; next: first network in about 4m10s of self-play; Elo: "));
}

TEST(DisplayTest, TheLineTellsTimeGenerationAndPhase) {
  EXPECT_THAT(display_line(busy_state()), StartsWith("12m34s, 1h01m left generation 12 self-play 25 %"));
}

TEST(DisplayTest, BeforeTheFirstGenerationNothingIsToldThatIsNotKnown) {
  DisplayState state = busy_state();
  state.played.self_play = {};
  state.last = {};
  std::string block;
  for (const std::string& line : display_block(state)) block += line + "\n";
  EXPECT_THAT(block, HasSubstr("self-play  11.5 games/s  no network yet\n"));
  EXPECT_THAT(display_line(state),
              HasSubstr("%; self-play: 11.5 games/s  no network yet; Elo: not rated yet"));
  for (const std::string& text : {block, display_line(state)}) {
    for (const char* unknown :
         {"policy", "value", "draws", "plies", "captures", "batch", "evaluations", "rows"})
      EXPECT_THAT(text, Not(HasSubstr(unknown)));
  }
}

TEST(DisplayTest, ATrainerWhoseWorkersPlayHasANetworkBehindTheFirstGeneration) {
  DisplayState state = busy_state();
  state.played.self_play = {};
  EXPECT_THAT(display_block(state), Contains("self-play  11.5 games/s"));
}

TEST(DisplayTest, SmallNetworksWithoutHeldOutGamesHaveNoLossOnThem) {
  GenerationMetrics metrics;
  metrics.played.small_rows = 10;
  metrics.learnt.small = {.learning = 0.5, .steps = 1};
  EXPECT_THAT(metrics_json(metrics), AllOf(HasSubstr("small/loss"), Not(HasSubstr("small/validation")),
                                           Not(HasSubstr("small/entropy"))));
  metrics.learnt.small.validation = 0.6;
  EXPECT_THAT(metrics_json(metrics), HasSubstr("small/validation"));
}

TEST(DisplayTest, ATerminalIsRedrawnInPlace) {
  std::ostringstream out;
  Display display(&out, true);
  display.update(busy_state());
  EXPECT_THAT(out.str(), AllOf(StartsWith("\x1b[?7l"), EndsWith("\x1b[?7h"))) << "long lines do not wrap";
  EXPECT_THAT(out.str(), Not(HasSubstr("\x1b[8A")));
  display.note("a warning");
  EXPECT_THAT(out.str(), HasSubstr("A\x1b[Ja warning\n"));
}

TEST(DisplayTest, APipeGetsNoEscapesAndNoLineInTheFirstMinute) {
  std::ostringstream out;
  Display display(&out, false);
  display.update(busy_state());
  EXPECT_EQ(out.str(), "");
  display.note("a warning");
  EXPECT_EQ(out.str(), "a warning\n");
}

TEST(GameStatisticsTest, AdjudicatedWinsAreNotDecided) {
  GameStatistics statistics;
  statistics.add(game_that_ended(game::Result::kWhiteWins, game::Reason::kNoPieces, 10), 4);
  statistics.add(game_that_ended(game::Result::kBlackWins, game::Reason::kMaterialAtPlyCap, 20), 2);
  statistics.add(game_that_ended(game::Result::kDraw, game::Reason::kRepetition, 30), 0);
  statistics.add(game_that_ended(game::Result::kDraw, game::Reason::kRepetition, 40), 0);
  EXPECT_EQ(statistics.games(), 4);
  EXPECT_EQ(statistics.rows(), 100);
  EXPECT_DOUBLE_EQ(statistics.mean_plies(), 25);
  EXPECT_DOUBLE_EQ(statistics.captures_per_game(), 1.5);
  EXPECT_DOUBLE_EQ(statistics.draw_share(), 0.5);
  EXPECT_DOUBLE_EQ(statistics.decisive_share(), 0.25);
  EXPECT_DOUBLE_EQ(statistics.white_score(), 0.5);
}

TEST(GameStatisticsTest, CutGamesAreSharesOfTheirOwn) {
  GameStatistics statistics;
  statistics.add(game_that_ended(game::Result::kDraw, game::Reason::kCut, 10), 0);
  statistics.add(game_that_ended(game::Result::kDraw, game::Reason::kCut, 10), 0);
  statistics.add(game_that_ended(game::Result::kBlackWins, game::Reason::kMaterialAtPlyCap, 20), 2);
  statistics.add(game_that_ended(game::Result::kDraw, game::Reason::kRepetition, 30), 0);
  EXPECT_DOUBLE_EQ(statistics.cut_share(), 0.5);
  EXPECT_DOUBLE_EQ(statistics.adjudicated_share(), 0.25);
  EXPECT_DOUBLE_EQ(statistics.draw_share(), 0.75) << "a cut game has no winner";
}

TEST(GameStatisticsTest, ACutGameCountsAsTheWinThatItsLastSearchWasSureOf) {
  GameStatistics statistics;
  GameRecord game;
  game.set_result(static_cast<std::uint32_t>(game::Result::kDraw));
  game.set_reason(static_cast<std::uint32_t>(game::Reason::kCut));
  PlyRecord* last = game.add_plies();
  last->set_depth(5);
  for (const int score : {6000, 300, -300, -6000}) {  // Thousandths of a logit, for White.
    last->set_score(score);
    statistics.add(game, 0);
  }
  EXPECT_EQ(statistics.draw_share(), 0.5);
  EXPECT_EQ(statistics.decisive_share(), 0.5);
  EXPECT_EQ(statistics.white_score(), 0.5);
}

TEST(GameStatisticsTest, TheSurpriseIsTheMeanOfTheRowsAlone) {
  GameStatistics statistics;
  EXPECT_EQ(statistics.mean_surprise(), 0);
  GameRecord game = game_that_ended(game::Result::kDraw, game::Reason::kRepetition, 2);
  game.mutable_plies(0)->set_surprise(0.25f);
  game.mutable_plies(1)->set_surprise(0.75f);
  game.add_plies()->set_surprise(9);  // No full search.
  statistics.add(game, 0);
  EXPECT_DOUBLE_EQ(statistics.mean_surprise(), 0.5);
}

TEST(MetricsTest, TheShareOfTheCoresIsThatOfTheThreadsThatPlay) {
  GenerationMetrics metrics{.played = {.self_play = {.cpu_seconds = 3}, .seconds = 2}, .threads = 2};
  EXPECT_EQ(metrics.core_share(), 0.75);
  metrics.threads = 0;
  EXPECT_EQ(metrics.core_share(), 0);
}

TEST(MetricsTest, TheLineHoldsEveryScalarAndTheReasons) {
  GenerationMetrics metrics;
  metrics.run.generation = 3;
  metrics.elo = {.elo = 150.5, .generation = 2};
  metrics.played.games.add(game_that_ended(game::Result::kWhiteWins, game::Reason::kCheckmate, 10), 4);
  const nlohmann::json line = nlohmann::json::parse(metrics_json(metrics));
  EXPECT_EQ(line["generation"], 3);
  for (const auto& [name, value] : scalars(metrics)) EXPECT_EQ(line[name], value) << name;
  EXPECT_EQ(line["reasons"]["checkmate"], 1);
  for (const char* share : {"draw_share", "cut_share", "adjudicated_share", "surprise"})
    EXPECT_EQ(line["games/" + std::string(share)], 0) << share;
  EXPECT_EQ(line["games/plies"], 10);
  EXPECT_EQ(line["games/decisive_share"], 1);
}

TEST(ProgressLineTest, IsDrawnOverItselfOnATerminalAndTakenAwayAtItsEnd) {
  std::ostringstream out;
  {
    ProgressLine line(&out, true, std::chrono::milliseconds(0));
    line.show("10 of 20 games");
    line.show("9 left");
  }
  EXPECT_EQ(out.str(), "\r10 of 20 games\r9 left        \r              \r");
}

TEST(ProgressLineTest, WaitsForItsIntervalAndElsewhereBeforeTheFirstLineToo) {
  std::ostringstream terminal, log, busy_log;
  {
    ProgressLine drawn(&terminal, true, std::chrono::hours(1)), written(&log, false, std::chrono::hours(1)),
        often(&busy_log, false, std::chrono::milliseconds(0));
    for (const char* text : {"a", "b"}) {
      drawn.show(text);
      written.show(text);
      often.show(text);
    }
    drawn.clear();
    EXPECT_EQ(terminal.str(), "\ra\r \r");
  }
  EXPECT_EQ(terminal.str(), "\ra\r \r") << "it is taken away once";
  EXPECT_EQ(log.str(), "");
  EXPECT_EQ(busy_log.str(), "a\nb\n");
}

}  // namespace
}  // namespace makzero::train
