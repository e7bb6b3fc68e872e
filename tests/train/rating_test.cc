// Tests of the rating fit and of the store of match records.
#include "train/rating/rating.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "game/outcome.h"
#include "models/error.h"
#include "models/store.h"
#include "train/run/kept_checkpoints.h"

namespace makzero::train {
namespace {

using game::Result;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Rating find(const std::vector<Rating>& ratings, const std::string& player) {
  for (const Rating& rating : ratings) {
    if (rating.player == player) return rating;
  }
  ADD_FAILURE() << "no rating of " << player;
  return {};
}

TEST(FitRatingsTest, TwoPlayersStandAsFarApartAsTheirScore) {
  const std::vector<Rating> ratings = fit_ratings({{"strong", "random", 7500, 0, 2500}});
  EXPECT_NEAR(find(ratings, "strong").elo, 190.8, 1);
  EXPECT_EQ(find(ratings, "random").elo, 0);
  EXPECT_EQ(ratings.front().player, "strong");
}

TEST(FitRatingsTest, DifferencesAddUpAlongAChain) {
  const std::vector<Rating> ratings =
      fit_ratings({{"b", "random", 7500, 0, 2500}, {"b", "c", 2500, 0, 7500}});
  EXPECT_NEAR(find(ratings, "c").elo, 381.7, 3);
}

TEST(FitRatingsTest, TheOrderOfTheTwoPlayersDoesNotMatter) {
  const double forward = find(fit_ratings({{"a", "random", 50, 20, 30}}), "a").elo;
  EXPECT_NEAR(find(fit_ratings({{"random", "a", 30, 20, 50}}), "a").elo, forward, 1e-6);
}

TEST(FitRatingsTest, ManyGamesRecoverThePlayersTheyCameFrom) {
  const std::vector<std::pair<std::string, double>> players = {
      {"random", 0}, {"a", 350}, {"b", 800}, {"c", 1250}};
  std::vector<PairResult> results;
  for (size_t i = 0; i < players.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double expected = 1 / (1 + std::pow(10, (players[j].second - players[i].second) / 400));
      results.push_back({players[i].first, players[j].first, 10000 * expected, 0, 10000 * (1 - expected)});
    }
  }
  const std::vector<Rating> ratings = fit_ratings(results);
  for (const auto& [player, elo] : players) EXPECT_NEAR(find(ratings, player).elo, elo, 5);
}

TEST(FitRatingsTest, EloIsThatOfTheDecidedGames) {
  // Three wins to one loss are 190.8 Elo, with any number of draws that both players are known for.
  const Rating few = find(fit_ratings({{"a", "random", 6000, 2000, 2000}}), "a");
  const Rating many = find(fit_ratings({{"a", "random", 600, 9200, 200}}), "a");
  EXPECT_NEAR(few.elo, 190.8, 2);
  EXPECT_NEAR(many.elo, 190.8, 10);
  EXPECT_GT(many.high - many.low, 2 * (few.high - few.low));
}

TEST(FitRatingsTest, ManyDrawsAreAsSafeAsFewAgainstPlayersWhoDrawMuch) {
  // a and b draw half of their games with everybody; that c draws few says that c is not near to them.
  const std::vector<PairResult> results = {{"a", "b", 250, 500, 250},
                                           {"a", "random", 900, 90, 10},
                                           {"b", "random", 900, 90, 10},
                                           {"a", "c", 480, 40, 480}};
  const std::vector<Rating> ratings = fit_ratings(results);
  EXPECT_NEAR(find(ratings, "a").elo, find(ratings, "b").elo, 1);
  EXPECT_NEAR(find(ratings, "c").elo, find(ratings, "a").elo, 15);
  EXPECT_NEAR(find(ratings, "a").elo, 400 * std::log10(90), 60);
}

TEST(FitRatingsTest, DrawsAloneSayThatPlayersAreEqual) {
  const Rating rating = find(fit_ratings({{"a", "random", 0, 1000, 0}}), "a");
  EXPECT_NEAR(rating.elo, 0, 1);
  EXPECT_TRUE(std::isfinite(rating.low) && std::isfinite(rating.high));
}

TEST(FitRatingsTest, WinningEverythingStaysFiniteWithAWideInterval) {
  const Rating rating = find(fit_ratings({{"a", "random", 20, 0, 0}}), "a");
  EXPECT_GT(rating.elo, 600);
  EXPECT_LT(rating.elo, 1500);
  EXPECT_GT(rating.high - rating.low, 500);
}

TEST(FitRatingsTest, MoreGamesNarrowTheInterval) {
  const Rating few = find(fit_ratings({{"a", "random", 6, 0, 4}}), "a");
  const Rating many = find(fit_ratings({{"a", "random", 600, 0, 400}}), "a");
  EXPECT_NEAR((few.high - few.low) / (many.high - many.low), 10, 1);
  EXPECT_NEAR(many.high - many.low, 2 * 1.96 * 173.7 / std::sqrt(1000 * 0.6 * 0.4), 1) << "95 %";
}

TEST(FitRatingsTest, AnAnchorThatHasBeatenRandomWithoutALossKeepsIntervalsNarrow) {
  const std::vector<PairResult> results = {
      {"a", "random", 60, 0, 0}, {"a", "control", 40, 10, 10}, {"control", "random", 60, 0, 0}};
  const Rating by_random = find(fit_ratings(results), "a"),
               by_control = find(fit_ratings(results, "control"), "a");
  EXPECT_GT(by_random.high - by_random.low, 600);
  EXPECT_LT(by_control.high - by_control.low, 250);
  EXPECT_NEAR(by_control.elo, by_random.elo - find(fit_ratings(results), "control").elo, 10);
  EXPECT_EQ(find(fit_ratings(results, "control"), "control").elo, 0);
}

TEST(FitRatingsTest, NobodyHasPlayedNobodyIsRated) { EXPECT_THAT(fit_ratings({}), IsEmpty()); }

TEST(RatingsTableTest, HasALinePerPlayer) {
  const std::string table = ratings_table({{"alphabeta:3", 812.4, 700, 920, 40}});
  EXPECT_THAT(table, HasSubstr("alphabeta:3     812     700 ..   920      40\n"));
}

TEST(RatingsTableTest, MaterialStandsBeside) {
  const std::string table = ratings_table({{"greedy", 100, 50, 150, 40}}, {{"greedy", 321, 300, 340, 40}});
  EXPECT_THAT(table, HasSubstr("by material"));
  EXPECT_THAT(table, HasSubstr("greedy     100      50 ..   150          321     300 ..   340      40\n"));
}

class RatingStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    run_ = std::filesystem::path(::testing::TempDir()) / ("makzero_" + std::string(test->name()));
    std::filesystem::remove_all(run_);
    std::filesystem::create_directories(run_);
  }
  void TearDown() override { std::filesystem::remove_all(run_); }

  std::filesystem::path records() const { return run_ / "matches.mzm"; }

  // a v b: a won as White, drew as Black with two men more.
  static std::vector<MatchRecord> two_games(const std::string& a, const std::string& b) {
    std::vector<MatchRecord> games(2);
    for (MatchRecord& game : games) {
      game.set_ruleset("makyek");
      game.set_player_a(a);
      game.set_player_b(b);
      game.set_captured(800);
      game.set_generation_a(-1);
      game.set_generation_b(-1);
      game.add_moves(7);
    }
    games[0].set_a_is_white(true);
    games[0].set_result(static_cast<std::uint32_t>(Result::kWhiteWins));
    games[1].set_result(static_cast<std::uint32_t>(Result::kDraw));
    games[1].set_final_material(-200);
    return games;
  }

  // Flips a bit in the middle of a file.
  static void damage(const std::filesystem::path& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(path) / 2);
    file.seekg(middle);
    const char byte = static_cast<char>(file.get() ^ 0x10);
    file.seekp(middle);
    file.put(byte);
  }

  std::filesystem::path run_;
};

TEST_F(RatingStoreTest, AddsUpAPairFromEitherSide) {
  RatingStore store(run_);
  store.add(two_games("greedy", "random"));
  store.add(two_games("random", "greedy"));
  store.add(two_games("greedy", "random"));
  const MatchScore score = store.score("greedy", "random");
  EXPECT_EQ(score.games, 6);
  EXPECT_EQ(score.wins, 2);
  EXPECT_EQ(score.losses, 1);
  EXPECT_EQ(score.material_wins, 4);
  EXPECT_DOUBLE_EQ(score.captures_per_game, 8);
  EXPECT_EQ(store.score("greedy", "alphabeta:1").games, 0);
}

TEST_F(RatingStoreTest, ADrawWithMoreMenIsAWinByMaterial) {
  RatingStore store(run_);
  store.add(two_games("greedy", "random"));
  const PairResult rules = store.pair_results(Scoring::kRules).at(0);
  EXPECT_EQ(rules.wins, 1);
  EXPECT_EQ(rules.draws, 1);
  const PairResult material = store.pair_results(Scoring::kMaterial).at(0);
  EXPECT_EQ(material.wins, 2);
  EXPECT_EQ(material.draws, 0);
  EXPECT_GT(find(store.ratings(Scoring::kMaterial), "greedy").elo, find(store.ratings(), "greedy").elo);
}

TEST_F(RatingStoreTest, TheLatestScoreIsThatOfTheNewestNetworkAgainstAPlayer) {
  RatingStore store(run_);
  EXPECT_EQ(store.latest_score("random").games, 0);
  std::vector<MatchRecord> games = two_games("3:64", "random");
  for (MatchRecord& game : games) game.set_generation_a(3);
  store.add(games);
  store.add(games);
  for (MatchRecord& game : games) {
    game.set_player_a("4:64");
    game.set_generation_a(4);
  }
  store.add(games);
  store.add(two_games("greedy", "random"));
  const MatchScore score = store.latest_score("random");
  EXPECT_EQ(score.games, 2);
  EXPECT_EQ(score.wins, 1);
  EXPECT_DOUBLE_EQ(score.score_by_material(), 1);
  EXPECT_EQ(store.latest_score("greedy").games, 0);
}

TEST_F(RatingStoreTest, ReopenedItKnowsTheSame) {
  RatingStore(run_).add(two_games("greedy", "random"));
  const RatingStore store(run_);
  EXPECT_EQ(store.score("greedy", "random").games, 2);
  EXPECT_GT(find(store.ratings(), "greedy").elo, 100);
}

TEST_F(RatingStoreTest, TheRecordsAreTheOnlyFileAndReadingChangesNothing) {
  RatingStore(run_).add(two_games("greedy", "random"));
  std::filesystem::resize_file(records(), std::filesystem::file_size(records()) - 3);
  std::ofstream(run_ / "ratings.sqlite") << "of before";
  const auto before = std::filesystem::last_write_time(records());
  EXPECT_EQ(find(RatingStore(run_).ratings(), "greedy").games, 1);
  EXPECT_EQ(read_ratings(run_).opponents.size(), 2u);
  EXPECT_EQ(std::filesystem::last_write_time(records()), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(run_), {}), 2);
}

TEST_F(RatingStoreTest, NetworksAreToldFromTheirOpponents) {
  std::vector<MatchRecord> games = two_games("4:64", "random"), earlier = two_games("3:64", "random");
  for (MatchRecord& game : games) game.set_generation_a(4);
  for (MatchRecord& game : earlier) game.set_generation_a(3);
  RatingStore(run_).add(games);
  RatingStore(run_).add(earlier);
  const RunRatings ratings = read_ratings(run_);
  ASSERT_EQ(ratings.networks.size(), 2u);
  EXPECT_EQ(ratings.networks[0].generation, 3);
  EXPECT_GT(ratings.networks[1].elo, 0);
  ASSERT_EQ(ratings.opponents.size(), 1u);
  EXPECT_EQ(ratings.opponents[0].player, "random");
}

TEST_F(RatingStoreTest, CheckpointsWithAMatchInAnyStoreOfTheRunStay) {
  const RunPaths paths(run_);
  const models::CheckpointStore checkpoints(paths.checkpoints());
  std::filesystem::create_directories(paths.checkpoints());
  for (int generation = 0; generation < 6; ++generation) std::ofstream(checkpoints.path(generation)) << "-";
  int generation = 0;
  for (const auto& store : {run_, paths.ratings_of("makyek"), paths.ratings_of("small/makyek"),
                            paths.ratings_of("until/makyek")}) {
    std::filesystem::create_directories(store);
    std::vector<MatchRecord> games = two_games("network", "random");
    for (MatchRecord& game : games) game.set_generation_a(generation);
    RatingStore(store).add(games);
    ++generation;
  }
  EXPECT_THAT(surplus_checkpoints(paths, 1), ::testing::ElementsAre(checkpoints.path(4)));
}

TEST_F(RatingStoreTest, AReadOnlyRunIsRatedWithoutKeepingTheGames) {
  RatingStore(run_).add(two_games("greedy", "random"));
  std::filesystem::permissions(records(), std::filesystem::perms(0444));
  std::filesystem::permissions(run_, std::filesystem::perms(0555));
  // The superuser may write everything: another user asks.
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(3);
    RatingStore store(run_);
    if (store.keeps()) _exit(1);
    store.add(two_games("greedy", "random"));
    _exit(store.score("greedy", "random").games == 4 ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::filesystem::permissions(run_, std::filesystem::perms(0755));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(RatingStore(run_).score("greedy", "random").games, 2);
}

TEST_F(RatingStoreTest, AnUnfinishedLastRecordIsCutOff) {
  RatingStore(run_).add(two_games("greedy", "random"));
  std::filesystem::resize_file(records(), std::filesystem::file_size(records()) - 3);
  RatingStore store(run_);
  EXPECT_EQ(store.score("greedy", "random").games, 1);
  store.add(two_games("greedy", "random"));
  EXPECT_EQ(RatingStore(run_).score("greedy", "random").games, 3);
}

TEST_F(RatingStoreTest, DamagedRecordsAreNamedNotSwallowed) {
  RatingStore(run_).add(two_games("greedy", "random"));
  damage(records());
  try {
    const RatingStore store(run_);
    FAIL() << "the damage went unnoticed";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("matches.mzm"));
    EXPECT_THAT(error.what(), HasSubstr("fsck"));
  }
}

TEST_F(RatingStoreTest, TwoWritersSeeEachOthersGames) {
  RatingStore one(run_), two(run_);
  one.add(two_games("greedy", "random"));
  two.add(two_games("alphabeta:1", "random"));
  EXPECT_EQ(one.score("alphabeta:1", "random").games, 2);
}

}  // namespace
}  // namespace makzero::train
