// Records played through again: positions, survivors, values, and records that do not fit the rules.
#include "train/replay/game_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/support/record_tools.h"

namespace makzero::train {
namespace {

using testing::HasSubstr;

// d1 moves between c4 and e4 and takes both; Black's h8 and White's men stay to the end.
//
//   8 . . . . . . . m
//   4 . . m . m . . .
//   1 M . . M . . . .
constexpr char kIntervention[] = "7m/8/8/8/2m1m3/8/8/M2M4 w";

game::Bitboard squares(std::initializer_list<const char*> names) {
  game::Bitboard set = 0;
  for (const char* name : names) set |= game::bit(*game::parse_square(name));
  return set;
}

std::string failure_of(const game::Game& game, const GameRecord& record) {
  try {
    replay_game(game, record, {});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no failure";
}

TEST(GameReplayTest, SurvivorsAreFollowedBackToWhereTheyStood) {
  const game::GamePtr game = make("makyek");
  const GameReplay replay =
      replay_game(*game, record_of(*game, kIntervention, {"d1d4", "h8h7", "a1a2", "h7h6"}), {});
  EXPECT_EQ(replay.plies[0].survivors, squares({"a1", "d1", "h8"}));
  EXPECT_EQ(replay.plies[2].survivors, squares({"a1", "d4", "h7"}));
  EXPECT_EQ(replay.plies[3].survivors, squares({"a2", "d4", "h7"}));
}

TEST(GameReplayTest, APieceTakenByReplacementDoesNotSurviveAndItsTakerDoes) {
  const game::GamePtr game = make("makruk");
  const GameReplay replay =
      replay_game(*game, record_of(*game, "4k3/8/8/8/8/3r4/8/R3K2R w - - 0 1", {"h1h3", "d3h3", "e1d1"}), {});
  EXPECT_EQ(replay.plies[0].survivors, squares({"a1", "e1", "d3", "e8"}));
  EXPECT_EQ(replay.plies[2].survivors, squares({"a1", "e1", "h3", "e8"}));
}

TEST(GameReplayTest, APawnThatStepsAsideForAKnightIsFollowed) {
  const game::GamePtr game = make("makruk-sutra");
  const GameReplay replay = replay_game(*game, record_of(*game, "", {"b1c3", "b8c6"}), {});
  EXPECT_EQ(replay.plies[0].survivors, game->initial().occupied());
  EXPECT_EQ(replay.last.occupied() & squares({"b1", "c4", "b8", "c5"}), squares({"c4", "c5"}));
}

TEST(GameReplayTest, RowsWeighByHowFarTheirSearchMovedThePolicy) {
  const game::GamePtr game = make("makyek");
  GameRecord record = record_of(*game, "", {"a3a4", "a6a5", "a4a3", "a5a6"});
  const float surprises[] = {0, 0.5f, 0.5f, 5};
  for (int ply = 0; ply < 4; ++ply) record.mutable_plies(ply)->set_surprise(surprises[ply]);
  record.mutable_plies(3)->set_full_search(false);
  const auto weights = [&](float share) {
    std::vector<float> weights;
    for (const ReplayedPly& ply : replay_game(*game, record, {.policy_surprise_weight = share}).plies)
      weights.push_back(ply.weight);
    return weights;
  };
  EXPECT_THAT(weights(0), testing::ElementsAre(1, 1, 1, 1));
  // The mean of the rows is 1 / 3; the last ply is no row, and above the greatest weight.
  EXPECT_THAT(weights(0.5f), testing::Pointwise(testing::FloatEq(), {0.5f, 1.25f, 1.25f, kGreatestWeight}));
  EXPECT_THAT(weights(1), testing::Pointwise(testing::FloatEq(), {0.0f, 1.5f, 1.5f, kGreatestWeight}));
}

TEST(GameReplayTest, SurpriseIsTheDivergenceOfThePolicyFromThePriors) {
  std::vector<mcts::RootMove> moves(2);
  moves[0].prior = moves[0].policy = 0.25f;
  moves[1].prior = moves[1].policy = 0.75f;
  EXPECT_NEAR(policy_surprise(moves), 0, 1e-6);
  moves[0].policy = 1;
  moves[1].policy = 0;
  EXPECT_NEAR(policy_surprise(moves), std::log(4), 1e-6);
}

TEST(GameReplayTest, RepetitionsAreCounted) {
  const game::GamePtr game = make("makyek");
  const GameReplay replay =
      replay_game(*game, record_of(*game, "", {"a3a4", "a6a5", "a4a3", "a5a6", "a3a4"}), {});
  EXPECT_EQ(replay.plies[0].occurrences, 1);
  EXPECT_EQ(replay.plies[4].occurrences, 2);
}

TEST(GameReplayTest, AWinAtTheCapIsWorthLessThanAWinByTheRules) {
  GameRecord record;
  record.set_result(static_cast<std::uint32_t>(game::Result::kBlackWins));
  record.set_reason(static_cast<std::uint32_t>(game::Reason::kNoPieces));
  EXPECT_FLOAT_EQ(result_value(record, {}).expected(), -1);
  record.set_reason(static_cast<std::uint32_t>(game::Reason::kMaterialAtPlyCap));
  const mcts::WhiteValue value = result_value(record, {.adjudicated_win = 0.5f});
  EXPECT_FLOAT_EQ(value.black, 0.5f);
  EXPECT_FLOAT_EQ(value.draw, 0.5f);
}

TEST(GameReplayTest, AWinAtTheCapByAGreatLeadIsWorthMore) {
  GameRecord record;
  record.set_result(static_cast<std::uint32_t>(game::Result::kWhiteWins));
  record.set_reason(static_cast<std::uint32_t>(game::Reason::kMaterialAtPlyCap));
  const ReplayOptions values{.adjudicated_win = 0.8f, .adjudicated_lead = 5};
  record.set_final_material(500);
  EXPECT_NEAR(result_value(record, values).white, 0.8 * (1 - std::exp(-1)), 1e-6);
  record.set_final_material(100);
  EXPECT_LT(result_value(record, values).white, 0.15);
  record.set_final_material(10000);
  EXPECT_NEAR(result_value(record, values).white, 0.8, 1e-3);
  EXPECT_FLOAT_EQ(result_value(record, values).black, 0);
}

TEST(GameReplayTest, ADrawByTheRulesIsADrawWhoeverHasMoreMaterial) {
  GameRecord record;
  record.set_result(static_cast<std::uint32_t>(game::Result::kDraw));
  record.set_reason(static_cast<std::uint32_t>(game::Reason::kNoProgress));
  record.set_final_material(-300);
  EXPECT_FLOAT_EQ(result_value(record, {}).draw, 1);
}

// The rules' own limit is a result; a cut of self-play is none.
TEST(GameReplayTest, ACutGameIsWorthWhatItsLastSearchSaid) {
  GameRecord record;
  record.set_result(static_cast<std::uint32_t>(game::Result::kDraw));
  record.add_plies()->set_white(0.75f);
  record.set_reason(static_cast<std::uint32_t>(game::Reason::kPlyLimit));
  EXPECT_FLOAT_EQ(result_value(record, {}).draw, 1);
  record.set_reason(static_cast<std::uint32_t>(game::Reason::kCut));
  EXPECT_FLOAT_EQ(result_value(record, {}).white, 0.75f);
  record.set_opening_plies(1);  // Nothing was searched.
  EXPECT_FLOAT_EQ(result_value(record, {}).draw, 1);
}

TEST(GameReplayTest, TheTargetsOfACutGamePassFromItsLastSearchToTheirOwn) {
  const game::GamePtr game = make("makyek");
  std::vector<std::string> moves;
  for (int i = 0; i < 16; ++i) moves.insert(moves.end(), {"a3a4", "a6a5", "a4a3", "a5a6"});
  const game::GamePtr endless = make("makyek:repetition=0,no_progress=0");
  std::vector<float> values(moves.size(), -0.5f);
  values.back() = 1;
  const GameReplay replay = replay_game(*endless, record_of(*endless, "", moves, values), {});
  EXPECT_TRUE(replay.cut);
  EXPECT_FLOAT_EQ(replay.plies[63].value.expected(), 1);
  const double own = 1 - std::exp(-63 / 64.0);
  EXPECT_NEAR(replay.plies[0].value.expected(), own * -0.5 + (1 - own) * 1, 1e-5);
  // Where the rules ended the game, the result holds for all plies.
  const GameReplay drawn = replay_game(
      *game, record_of(*game, "", {"a3a4", "a6a5", "a4a3", "a5a6", "a3a4", "a6a5", "a4a3", "a5a6"}, {1}), {});
  EXPECT_FALSE(drawn.cut);
  EXPECT_FLOAT_EQ(drawn.plies[0].value.draw, 1);
}

TEST(GameReplayTest, TheShortTermValueWeighsNearSearchesMore) {
  const game::GamePtr game = make("makyek");
  const GameRecord record = record_of(*game, "", {"a3a4", "a6a5", "b3b4"}, {1, -1, 0.5f});
  const GameReplay replay = replay_game(*game, record, {.short_term_horizon = 2});
  // The game was cut: its end is worth 0.5. Backwards, half of what follows and half of the own search.
  EXPECT_FLOAT_EQ(replay.plies[2].short_term.expected(), 0.5f);
  EXPECT_FLOAT_EQ(replay.plies[1].short_term.expected(), -0.25f);
  EXPECT_FLOAT_EQ(replay.plies[0].short_term.expected(), 0.375f);
}

TEST(GameReplayTest, RandomPliesTakeTheNextSearchesValue) {
  const game::GamePtr game = make("makyek");
  GameRecord record = record_of(*game, "", {"a3a4", "a6a5", "b3b4"}, {1, -1, 0.5f});
  record.set_opening_plies(2);
  const GameReplay replay = replay_game(*game, record, {.short_term_horizon = 1});
  EXPECT_FLOAT_EQ(replay.plies[0].short_term.expected(), 0.5f);
}

TEST(GameReplayTest, AnIllegalMoveIsNamedByGameAndPly) {
  const game::GamePtr game = make("makyek");
  GameRecord record = record_of(*game, "", {"a3a4", "a6a5", "b3b4"});
  record.set_number(41);
  record.mutable_plies(1)->set_move(game::Move::step(0, 63).bits());
  EXPECT_THAT(failure_of(*game, record), HasSubstr("game 41, ply 1: the move is not legal"));
}

TEST(GameReplayTest, APolicyOfAnotherLengthIsNamed) {
  const game::GamePtr game = make("makyek");
  GameRecord record = record_of(*game, "", {"a3a4", "a6a5"});
  record.mutable_plies(1)->mutable_policy()->append("xx");
  EXPECT_THAT(failure_of(*game, record), HasSubstr("ply 1: a policy over 32 moves where 31 are legal"));
}

TEST(GameReplayTest, AnotherRulesetIsNamed) {
  const GameRecord record = record_of(*make("makyek"), "", {"a3a4"});
  EXPECT_THAT(failure_of(*make("makyek-line"), record), HasSubstr("played by"));
}

TEST(GameReplayTest, AnotherResultThanTheRulesGiveIsNamed) {
  const game::GamePtr game = make("makyek");
  GameRecord record = record_of(*game, "8/8/8/8/2m1m3/8/8/M2M4 w", {"d1d4"});
  ASSERT_EQ(record.result(), static_cast<std::uint32_t>(game::Result::kWhiteWins));
  record.set_result(static_cast<std::uint32_t>(game::Result::kDraw));
  EXPECT_THAT(failure_of(*game, record), HasSubstr("the rules say 1-0, the record 1/2-1/2"));
}

TEST(GameReplayTest, PiecesTakenAreCounted) {
  const game::GamePtr game = make("makyek");
  EXPECT_EQ(pieces_taken(*game, record_of(*game, kIntervention, {"d1d4", "h8h7"})), 2);
}

TEST(PolicyTextTest, ProbabilitiesSurviveTheRoundTrip) {
  std::vector<mcts::RootMove> moves(3);
  moves[0].policy = 0.7f;
  moves[1].policy = 0.3f;
  std::vector<float> policy;
  decode_policy(encode_policy(moves), &policy);
  ASSERT_EQ(policy.size(), 3u);
  EXPECT_NEAR(policy[0], 0.7f, 1e-4);
  EXPECT_NEAR(policy[1], 0.3f, 1e-4);
  EXPECT_EQ(policy[2], 0);
  EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0f), 1, 1e-6);
}

TEST(GameTextTest, AGameReadsAsMovesWithValues) {
  const game::GamePtr game = make("makyek");
  const std::string text = game_text(*game, record_of(*game, "", {"a3a4", "a6a5"}, {0.25f, -0.5f}));
  EXPECT_THAT(text, HasSubstr("1. a3a4 {+0.25} a6a5 {-0.50}"));
  EXPECT_THAT(text, HasSubstr("[Ruleset \"makyek\"]"));
}

}  // namespace
}  // namespace makzero::train
