// Positions of exams: puzzles have one best move that a shallow search misses, leads are leads.
#include "train/zoo/exam_suites.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "game/catalog.h"
#include "game/notation.h"
#include "train/match/arena.h"

namespace makzero::train {
namespace {

BaselineRequest request_of(int positions) {
  BaselineRequest request;
  request.player = *models::parse_player("random", {});
  request.positions = positions;
  request.match.threads = 2;
  return request;
}

void show_nothing(const Progress&) {}

TEST(ExamSuitesTest, PuzzlesHaveOneBestMoveThatTheFirstJudgeMisses) {
  const game::GamePtr game = *game::make_game("makruk");
  BaselineRequest request = request_of(5);
  request.judges = {*models::parse_player("control?nodes=50", {}),
                    *models::parse_player("control?nodes=2000", {})};
  const auto puzzles = make_puzzles(*game, request, show_nothing);
  ASSERT_TRUE(puzzles);
  EXPECT_EQ(puzzles->judges, (std::vector<std::string>{"control?nodes=50", "control?nodes=2000"}));
  ASSERT_EQ(puzzles->positions.size(), 5u);
  std::set<std::string> texts;
  for (const BaselinePosition& puzzle : puzzles->positions) {
    ASSERT_EQ(puzzle.judgements.size(), 2u);
    const Judgement& last = puzzle.judgements.back();
    EXPECT_NE(last.move, puzzle.judgements.front().move);
    ASSERT_TRUE(last.second);
    EXPECT_GE(last.expected, *last.second + 0.15F);
    texts.insert(game::position_text(*game, puzzle.position));
  }
  EXPECT_EQ(texts.size(), 5u);
}

TEST(ExamSuitesTest, ALeadIsFourMenOrMore) {
  const game::GamePtr game = *game::make_game("makruk");
  BaselineRequest request = request_of(6);
  request.player = *models::parse_player("greedy", {});
  const auto leads = make_leads(*game, request, *models::parse_player("random", {}), show_nothing);
  ASSERT_TRUE(leads);
  ASSERT_EQ(leads->size(), 6u);
  for (const game::Position& position : *leads)
    EXPECT_GE(std::abs(game::material_gain(*game, position)), kGreatLead);
}

TEST(ExamSuitesTest, NothingIsMadeWhereItIsStopped) {
  const game::GamePtr game = *game::make_game("makruk");
  BaselineRequest request = request_of(5);
  request.judges = {request.player, request.player};
  std::stop_source stop;
  stop.request_stop();
  request.match.stop = stop.get_token();
  EXPECT_FALSE(make_puzzles(*game, request, show_nothing));
  EXPECT_FALSE(make_leads(*game, request, request.player, show_nothing));
}

}  // namespace
}  // namespace makzero::train
