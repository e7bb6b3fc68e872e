// Tests of checkpoints as players, and of rating a run of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "models/player/measured_levels.h"
#include "models/player/player.h"
#include "models/small_network_file.h"
#include "models/store.h"
#include "nn/encoder.h"
#include "nn/learner.h"
#include "tests/support/small_network.h"
#include "tests/support/stopped.h"
#include "train/match/arena.h"
#include "train/rating/levels.h"
#include "train/rating/rate.h"
#include "train/rating/rating.h"

namespace makzero::train {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

const auto kGoOn = [](const auto&) { return true; };

// A run with untrained networks as generations 1 to 3.
class NetworkPlayerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    run_ = std::filesystem::path(::testing::TempDir()) / ("makzero_" + std::string(test->name()));
    std::filesystem::remove_all(run_);
    std::filesystem::create_directories(run_ / "checkpoints");
    models::CheckpointStore store(run_ / "checkpoints");
    for (int generation = 1; generation <= 3; ++generation) store.add(untrained(generation));
  }
  void TearDown() override { std::filesystem::remove_all(run_); }

  models::Model untrained(int generation) const {
    nn::NetworkArchitecture shape;
    shape.planes = nn::default_planes(game_->info());
    shape.blocks = 1;
    shape.channels = 8;
    shape.attention = 8;
    shape.hidden = 8;
    const nn::Learner learner(shape, nn::LearnerOptions{}, generation);
    models::Model checkpoint = models::make_model(*game_, learner.network());
    checkpoint.manifest.set_generation(generation);
    checkpoint.manifest.set_evaluations(static_cast<std::int64_t>(std::pow(10, generation)));
    return checkpoint;
  }

  models::PlayerSpec player(const std::string& text) const {
    const game::Parsed<models::PlayerSpec> spec = models::parse_player(text, {run_});
    EXPECT_TRUE(spec) << spec.why();
    return models::with_default_strength(*spec, models::kMatchSimulations);
  }

  game::GamePtr game_ = *game::make_game("makyek:max_plies=40");
  std::filesystem::path run_;
};

TEST_F(NetworkPlayerTest, IsFoundByGenerationFileAndRun) {
  const models::PlayerSpec latest = player("latest:8");
  EXPECT_EQ(latest.generation(), 3);
  EXPECT_EQ(latest.strength.nodes, 8);
  EXPECT_THAT(latest.name(), EndsWith(":8"));
  EXPECT_EQ(player("3:8").name(), latest.name());
  EXPECT_EQ(player(run_.string() + ":8").name(), latest.name());
  EXPECT_EQ(player(latest.tower()->file.string()).strength.nodes, 64);
  EXPECT_NE(player("2:8").name(), latest.name());
  EXPECT_THAT(models::parse_player("4", {run_}).why(), HasSubstr("no such checkpoint"));
}

TEST_F(NetworkPlayerTest, ItsTemperatureIsPartOfItsName) {
  EXPECT_EQ(player("latest:8@0.5").strength.temperature, 0.5f);
  EXPECT_EQ(player("latest:8@0.5").name(), player("latest:8").name() + "@0.5");
  EXPECT_EQ(player("latest:8@0").name(), player("latest:8").name());
  EXPECT_THAT(models::parse_player("latest:8@-1", {run_}).why(), HasSubstr("temperature from 0 to"));
  EXPECT_THAT(models::parse_player(run_.string() + ":8@warm", {run_}).why(),
              HasSubstr("neither a player nor"));
}

TEST_F(NetworkPlayerTest, ATimePerMoveIsPartOfItsName) {
  const std::string id = player("latest:8").name().substr(0, 12);
  EXPECT_EQ(player("latest?ms=100").name(), id + "?ms=100");
  EXPECT_EQ(player("latest?ms=100").strength.time, std::chrono::milliseconds(100));
  EXPECT_EQ(player(run_.string() + "?ms=100").name(), id + "?ms=100");
}

TEST_F(NetworkPlayerTest, OptionsAreSeparatedInThreeWays) {
  const std::string name = player("latest?ms=100&temperature=1").name();
  for (const char* text : {"latest?ms=100,temperature=1", "latest?temperature=1?ms=100"})
    EXPECT_EQ(player(text).name(), name) << text;
}

TEST_F(NetworkPlayerTest, AFolderMayHaveAQuestionMarkInItsName) {
  const std::filesystem::path strange = run_ / "what?now";
  std::filesystem::create_directories(strange);
  std::filesystem::copy(run_ / "checkpoints", strange / "checkpoints");
  const std::string checkpoint = (strange / "checkpoints" / player("3").tower()->file.filename()).string();
  EXPECT_EQ(player(checkpoint + "?ms=100").name(), player("latest?ms=100").name());
  EXPECT_EQ(player(checkpoint + ":8").name(), player("latest:8").name());
}

TEST_F(NetworkPlayerTest, ATimeAndAStrengthAreRefusedTogether) {
  for (const char* text : {"latest:8?ms=100", "latest:8@2?ms=100", "latest:level=1?ms=100"})
    EXPECT_THAT(models::parse_player(text, {run_}).why(), HasSubstr("takes one of a strength, ms=N")) << text;
}

TEST_F(NetworkPlayerTest, PlaysByProcessorTimeAndSignsItsRecords) {
  const models::PlayerSpec network = player("latest?ms=5");
  const MatchResult result = play_match(*game_, network, player("material?ms=5"), {.games = 4}, kGoOn);
  ASSERT_EQ(result.games.size(), 4u);
  EXPECT_EQ(result.games[0].player_a(), network.name());
  EXPECT_EQ(result.games[0].player_b(), "material?ms=5");
  EXPECT_GT(*result.ms_per_move_a, 2);
  EXPECT_LT(*result.ms_per_move_a, 20);
}

TEST_F(NetworkPlayerTest, AMeasuredLevelIsItsStrength) {
  const models::PlayerSpec latest = player("latest:8");
  EXPECT_THAT(models::parse_player("latest:level=1", {run_}).why(), HasSubstr("makzero levels"));
  write_levels(latest, {{1, 0.25, 10, 0, 20, {}}, {2, 1, 200, 150, 250, {}}}, 64);
  EXPECT_EQ(player("latest:level=1").name(), latest.name().substr(0, 12) + ":1@2.83");
  EXPECT_EQ(player("latest:level=2").name(), player("latest:64").name());
  EXPECT_THAT(models::parse_player("latest:level=3", {run_}).why(), HasSubstr("no level 3, only 1 to 2"));
}

TEST_F(NetworkPlayerTest, AHighTemperatureVariesTheMoves) {
  const auto first_moves = [&](const std::string& strength) {
    std::set<std::uint32_t> moves;
    const MatchResult result = play_match(*game_, player("latest" + strength), player("random"),
                                          {.games = 16, .opening_plies = 0}, kGoOn);
    for (const MatchRecord& game : result.games) {
      if (game.a_is_white()) moves.insert(game.moves(0));
    }
    return moves.size();
  };
  EXPECT_EQ(first_moves(":2"), 1u);
  EXPECT_GT(first_moves(":2@100"), 3u);
}

TEST_F(NetworkPlayerTest, LevelsThatANetworkDoesNotHaveAreNotWritten) {
  const models::PlayerSpec latest = player("latest");
  LevelOptions options = {.nodes = 2, .records = run_ / "levels", .match = {.games = 20}};
  options.match.stop = stopped();
  EXPECT_FALSE(measure_levels(*game_, latest, options, kGoOn));
  options.match.stop = {};
  EXPECT_THROW(measure_levels(*game_, latest, options, kGoOn), models::Error);
  EXPECT_EQ(models::read_manifest(latest.tower()->file).levels_size(), 0);
  EXPECT_GE(RatingStore(options.records).score(player("latest:1@16").name(), "random").games, 40);
}

TEST_F(NetworkPlayerTest, WritingLevelsKeepsTheNetwork) {
  const models::PlayerSpec latest = player("latest");
  const std::filesystem::path checkpoint = latest.tower()->file;
  const models::Model before = models::read_model(checkpoint);
  write_levels(latest, {{1, 1, 200, 150, 250, {}}}, 64);
  write_levels(latest, {{1, 1, 300, 150, 450, {}}}, 64);
  const models::Model after = models::read_model(checkpoint);
  EXPECT_EQ(after.id(), before.id());
  ASSERT_EQ(after.manifest.levels_size(), 1);
  EXPECT_EQ(after.manifest.levels(0).elo(), 300);
  EXPECT_EQ(after.manifest.levels(0).elo_high(), 450);
}

TEST_F(NetworkPlayerTest, ASmallNetworkHasLevelsBesideThoseOfTheTower) {
  models::Model model = models::read_model(player("latest").tower()->file);
  model.small_networks = {makzero::testing::random_small_network(game_->info(), 1)};
  model.card.emplace().add_small_networks()->set_network(models::small_network_id(model.small_networks[0]));
  const std::filesystem::path file = run_ / "both.mzc";
  models::write_model(file, model);
  write_levels(models::tower_player({file}, {}), {{1, 1, 200, 150, 250, {}}}, 64);
  const models::PlayerSpec small = models::small_player(file, game_->info().ruleset, {});
  write_levels(small, {{1, 0.75, 400, 350, 450, {}}}, 4096);
  EXPECT_EQ(models::measured_level(models::tower_player({file}, {}), game_->info().ruleset, 1).elo, 200);
  const models::PlayerLevel level = models::measured_level(small, game_->info().ruleset, 1);
  EXPECT_EQ(level.nodes, 64);
  EXPECT_EQ(level.elo, 400);
  const models::Model measured = models::read_model(file);
  EXPECT_EQ(measured.card->tower().levels(0).elo(), 200);
  EXPECT_EQ(measured.card->small_networks(0).levels(0).elo(), 400);
}

TEST_F(NetworkPlayerTest, PlaysAMatchAndSignsItsRecords) {
  const models::PlayerSpec network = player("latest:8");
  const MatchResult result = play_match(*game_, network, player("random"), {.games = 8, .threads = 2}, kGoOn);
  EXPECT_EQ(result.score.games, 8);
  for (const MatchRecord& game : result.games) {
    EXPECT_EQ(game.player_a(), network.name());
    EXPECT_EQ(game.generation_a(), 3);
    EXPECT_EQ(game.generation_b(), -1);
  }
}

TEST_F(NetworkPlayerTest, ANetworkOfAnotherGameIsRefused) {
  const game::GamePtr makruk = *game::make_game("makruk");
  EXPECT_THROW(play_match(*makruk, player("latest:8"), player("random"), {.games = 2}, kGoOn), models::Error);
}

TEST_F(NetworkPlayerTest, RatingARunRatesCheckpointsAndLadder) {
  const RateOptions options = {
      .checkpoints = 2, .simulations = 4, .opponents = {"random", "greedy"}, .match = {.games = 4}};
  const std::vector<Rating> ratings = rate_runs({run_}, options, kGoOn).by_rules;
  std::vector<std::string> names;
  names.reserve(ratings.size());
  for (const Rating& rating : ratings) names.push_back(rating.player);
  EXPECT_EQ(names.size(), 4u);
  EXPECT_THAT(names, Contains("random"));
  EXPECT_THAT(names, Contains("greedy"));
  EXPECT_THAT(names, Contains(player("1:4").name()));
  EXPECT_THAT(names, Contains(player("3:4").name()));
  EXPECT_THAT(names, Not(Contains(player("2:4").name())));
}

TEST_F(NetworkPlayerTest, RatingGoesOnWhereItStopped) {
  const RateOptions options = {
      .checkpoints = 1, .simulations = 4, .opponents = {"random", "greedy"}, .match = {.games = 4}};
  int asked = 0;
  std::stop_source stop;
  RateOptions stopping = options;
  stopping.match.stop = stop.get_token();
  rate_runs({run_}, stopping, [&](const Progress& now) {
    if (asked++ >= 3 || !now.what.starts_with("match 1 of ")) stop.request_stop();
  });
  const int before = RatingStore(run_).score("greedy", "random").games;
  EXPECT_LE(before, 4);
  rate_runs({run_}, options, kGoOn);
  EXPECT_EQ(RatingStore(run_).score("greedy", "random").games, 4);
  rate_runs({run_}, options,
            [](const Progress&) { ADD_FAILURE() << "a game was played although all are on record"; });
}

TEST_F(NetworkPlayerTest, CheckpointsAreSpreadEvenlyInTheLogarithmOfEvaluations) {
  models::CheckpointStore store(run_ / "checkpoints");
  for (const int generation : {4, 5, 6, 7}) {  // After 1100, 1200 ... evaluations.
    models::Model checkpoint = untrained(generation);
    checkpoint.manifest.set_evaluations(700 + 100 * generation);
    store.add(checkpoint);
  }
  RateOptions options = {.checkpoints = 3, .simulations = 1, .opponents = {"random"}, .match = {.games = 2}};
  options.match.stop = stopped();
  const RatedRuns rated = rate_runs({run_}, options, kGoOn);
  std::vector<std::int64_t> generations;
  for (const RatedCheckpoint& checkpoint : rated.runs.at(0).checkpoints)
    generations.push_back(checkpoint.generation);
  EXPECT_THAT(generations, ElementsAre(1, 2, 7));
}

TEST_F(NetworkPlayerTest, RunsStandOnOneScale) {
  const std::filesystem::path other = run_ / "other";
  std::filesystem::create_directories(other / "checkpoints");
  models::Model checkpoint = untrained(9);
  models::CheckpointStore(other / "checkpoints").add(checkpoint);
  const RateOptions options = {
      .checkpoints = 1, .simulations = 2, .opponents = {"random", "greedy"}, .match = {.games = 4}};
  const RatedRuns rated = rate_runs({run_, other}, options, kGoOn);
  ASSERT_EQ(rated.runs.size(), 2u);
  EXPECT_EQ(rated.by_rules.size(), 4u);
  EXPECT_EQ(rated.by_material.size(), 4u);
  EXPECT_EQ(RatingStore(run_).score("greedy", "random").games, 4);
  EXPECT_EQ(RatingStore(other).score("greedy", "random").games, 0);
  EXPECT_EQ(RatingStore(other).score(rated.runs[1].checkpoints.at(0).player, "random").games, 4);
}

TEST_F(NetworkPlayerTest, RunsOfDifferentGamesAreNotRatedTogether) {
  const std::filesystem::path other = run_ / "other";
  std::filesystem::create_directories(other / "checkpoints");
  models::Model checkpoint = untrained(9);
  checkpoint.manifest.set_ruleset("makruk");
  models::CheckpointStore(other / "checkpoints").add(checkpoint);
  try {
    rate_runs({run_, other}, {}, kGoOn);
    FAIL() << "they were";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("is a run of makruk"));
  }
}

TEST(RatingLadderTest, ChessGamesMeetThePackagedProgramsThatPlayThem) {
  const auto all = [](const char* ruleset) {
    const RatingLadder ladder = rating_ladder((*game::make_game(ruleset))->info());
    std::vector<std::string> players = ladder.opponents;
    players.insert(players.end(), ladder.left_out.begin(), ladder.left_out.end());
    return players;
  };
  EXPECT_THAT(all("makruk"), IsSupersetOf({"uci:fairy-stockfish?nodes=10000", "xboard:fairymax?clock=50"}));
  EXPECT_THAT(all("cambodian"), Contains("uci:fairy-stockfish?nodes=1000"));
  EXPECT_THAT(all("makyek"), Not(Contains(HasSubstr("fairy"))));
}

TEST_F(NetworkPlayerTest, RatingAnEmptyRunSaysWhatToDo) {
  try {
    rate_runs({run_ / "nothing"}, {}, kGoOn);
    FAIL() << "nothing was rated";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("train first"));
  }
}

}  // namespace
}  // namespace makzero::train
