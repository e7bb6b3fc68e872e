// Tests of the laboratory of rules: what is counted, and which rulesets are compared.
#include "train/zoo/readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"

namespace makzero::train {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

MatchRecord game_of_moves(const game::Game& game, bool a_is_white, const std::vector<std::string>& moves,
                          game::Result result, game::Reason reason) {
  MatchRecord record;
  game::GameState state(game);
  for (const std::string& text : moves) {
    const game::Move move = *game::parse_move(game, state.position(), text);
    record.add_moves(move.bits());
    state.play(move);
  }
  record.set_a_is_white(a_is_white);
  record.set_result(static_cast<std::uint32_t>(result));
  record.set_reason(static_cast<std::uint32_t>(reason));
  return record;
}

TEST(ReadingsTest, GamesAreCountedFromTheSideOfTheFirstMover) {
  const game::GamePtr game = *game::make_game("makruk");
  // A pawn each is taken in the first, nothing in the second.
  const std::vector<MatchRecord> games = {
      game_of_moves(*game, true, {"e3e4", "d6d5", "e4d5", "e6d5"}, game::Result::kWhiteWins,
                    game::Reason::kCheckmate),
      game_of_moves(*game, false, {"e3e4", "d6d5"}, game::Result::kDraw, game::Reason::kPlyLimit)};
  const Reading reading = count_reading(*game, games);
  EXPECT_EQ(reading.ruleset, "makruk");
  EXPECT_EQ(reading.first.games, 2);
  EXPECT_EQ(reading.first.wins, 1);
  EXPECT_EQ(reading.first.losses, 0);
  EXPECT_DOUBLE_EQ(reading.first.plies_per_game, 3);
  EXPECT_DOUBLE_EQ(reading.captures, 1);
  EXPECT_GT(reading.advantage.elo, 0);
  EXPECT_THAT(reading.ends, ElementsAre(Pair("checkmate", 1), Pair("ply limit", 1)));
  int moves = 0;
  game::GameState state(*game);
  for (const char* text : {"e3e4", "d6d5", "e4d5", "e6d5"}) {
    moves += static_cast<int>(state.legal().size()) * (state.position().ply < 2 ? 2 : 1);
    state.play(*game::parse_move(*game, state.position(), text));
  }
  EXPECT_DOUBLE_EQ(reading.moves, moves / 6.0);
}

TEST(ReadingsTest, BlackIsTheFirstMoverOfGala) {
  const game::GamePtr game = *game::make_game("gala");
  ASSERT_EQ(game->initial().to_move, game::Color::kBlack);
  const std::vector<MatchRecord> games(
      2, game_of_moves(*game, true, {}, game::Result::kBlackWins, game::Reason::kNoLegalMove));
  EXPECT_EQ(count_reading(*game, games).first.wins, 2);
}

TEST(ReadingsTest, NamedAndSampledRulesetsComeOnceAndTheBaseFirst) {
  const auto readings = readings_of(*game::make_game("makyek:jump=on"), 5, 1);
  std::set<std::string> rulesets;
  for (const game::GamePtr& game : readings) {
    rulesets.insert(game->info().ruleset);
    EXPECT_EQ(game::game_of(game->info().ruleset), "makyek");
  }
  EXPECT_EQ(readings.front()->info().ruleset, "makyek:jump=on");
  EXPECT_EQ(readings.size(), 1 + game::rulesets_of("makyek").size() + 5);
  EXPECT_EQ(rulesets.size(), readings.size());
}

TEST(ReadingsTest, EveryReadingIsPlayedAndComparedWithTheFirst) {
  ReadingsRequest request;
  request.readings = {*game::make_game("makruk:max_plies=60"),
                      *game::make_game("makruk:count.mode=manual,max_plies=60")};
  request.player = *models::parse_player("alphabeta:2", {});
  request.openings = 2;
  request.positions = 100;
  const auto report = compare_readings(request, [](const Progress&) {});
  ASSERT_TRUE(report);
  ASSERT_EQ(report->readings.size(), 2u);
  for (const Reading& reading : report->readings) {
    EXPECT_EQ(reading.first.games, 4);
    EXPECT_GT(reading.positions, 0);
    EXPECT_LE(reading.same, reading.positions);
  }
  EXPECT_THAT(readings_page(*report), HasSubstr("| `makruk:count.mode=manual,max_plies=60` |"));
  EXPECT_EQ(nlohmann::json::parse(readings_json(*report))["readings"][1]["games"], 4);
}

TEST(ReadingsTest, AStoppedComparisonHasNoReport) {
  std::stop_source stop;
  ReadingsRequest request;
  request.readings = {*game::make_game("makyek")};
  request.player = *models::parse_player("alphabeta:1", {});
  request.match.stop = stop.get_token();
  stop.request_stop();
  EXPECT_FALSE(compare_readings(request, [](const Progress&) {}));
}

}  // namespace
}  // namespace makzero::train
