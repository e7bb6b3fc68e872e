// Games of small networks by alpha-beta, and what such networks learn from recorded games.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "game/rule_features.h"
#include "models/frame.h"
#include "tests/support/file_tools.h"
#include "tests/support/record_tools.h"
#include "train/adjudication.h"
#include "train/learning/small_rows.h"
#include "train/learning/small_trainer.h"
#include "train/replay/game_replay.h"
#include "train/replay/record_check.h"
#include "train/replay/replay_store.h"
#include "train/replay/shard_index.h"
#include "train/run_folder.h"
#include "train/self_play/self_play.h"
#include "train/self_play/small_game.h"

namespace makzero::train {
namespace {

// Games of the networks that count material.
class SmallPlay {
 public:
  SmallPlay(const std::string& ruleset, const Overrides& overrides, std::uint64_t seed = 1)
      : config_(quick_config(ruleset, overrides)),
        pool_({make(ruleset)}, config_.rulesets()),
        game_(&pool_, config_, seed) {
    game_.set_networks(std::make_shared<SmallNetworks>(small_networks_for(pool_)));
  }

  GameRecord next() {
    for (;;)
      if (auto record = game_.play_move()) return *std::move(record);
  }

  GamePool* pool() { return &pool_; }

 private:
  Config config_;
  GamePool pool_;
  SmallGame game_;
};

const Overrides kQuickly = {{"self_play.small_nodes", "30"}};

TEST(SmallGameTest, ItsRecordFitsTheRulesAndNamesItsSearches) {
  for (const char* ruleset : {"makruk", "ok", "kaok", "makyek", "minrekchanh", "rek", "gala", "hunt"}) {
    SmallPlay play(ruleset, kQuickly);
    for (int i = 0; i < 3; ++i) {
      const GameRecord record = play.next();
      EXPECT_EQ(find_record_fault(*make(record.ruleset()), record), std::nullopt) << record.start();
      EXPECT_FALSE(record.small_network().empty());
      EXPECT_EQ(record.small_nodes(), 30u);
      for (int ply = 0; ply < record.plies_size(); ++ply) {
        EXPECT_EQ(record.plies(ply).depth() > 0, ply >= static_cast<int>(record.opening_plies())) << ply;
        EXPECT_TRUE(record.plies(ply).policy().empty());
      }
      EXPECT_EQ(count_rows(record), record.plies_size() - static_cast<int>(record.opening_plies()));
    }
  }
}

TEST(SmallGameTest, WithoutATowerAllGamesHaveEqualRows) {
  const Config config = quick_config(
      "minrekchanh",
      {{"self_play.small_share", "1"}, {"self_play.small_nodes", "5"}, {"deterministic", "true"}});
  GamePool pool({make("minrekchanh"), make("hunt")}, config.rulesets());
  SelfPlay self_play(&pool, config, 1, 1, false);
  self_play.set_small_networks(std::make_shared<SmallNetworks>(small_networks_for(pool)));
  std::array<double, 2> rows = {};
  self_play.run({}, [&](const std::vector<GameRecord>& finished) {
    for (const GameRecord& record : finished)
      rows[pool.index_of(record.ruleset())] += static_cast<double>(count_rows(record));
    return rows[0] + rows[1] < 30'000;
  });
  EXPECT_NEAR(rows[0], rows[1], 0.06 * rows[0]) << "games of the hunt are twice as long";
}

TEST(SmallGameTest, APlyTakesAtMostEightBytesOnDisk) {
  for (const char* ruleset : {"makruk", "makyek"}) {
    SmallPlay play(ruleset, {{"self_play.small_nodes", "300"}});
    std::size_t bytes = 0, plies = 0;
    for (int i = 0; i < 8; ++i) {
      const GameRecord record = play.next();
      bytes += models::encode_frame(record.SerializeAsString()).size();
      plies += record.plies_size();
    }
    EXPECT_LE(static_cast<double>(bytes) / static_cast<double>(plies), 8) << ruleset;
  }
}

TEST(SmallGameTest, TheSameSeedGivesTheSameGames) {
  const auto two_games = [](std::uint64_t seed) {
    SmallPlay play("makruk", kQuickly, seed);
    return play.next().SerializeAsString() + play.next().SerializeAsString();
  };
  EXPECT_EQ(two_games(1), two_games(1));
  EXPECT_NE(two_games(1), two_games(2));
}

TEST(SmallGameTest, ASearchFinishesItsIterationWhateverItsNodes) {
  SmallPlay play("makruk", {{"self_play.small_nodes", "1"}});
  const GameRecord record = play.next();
  for (const PlyRecord& ply : record.plies()) EXPECT_LE(ply.depth(), 2u);
}

TEST(SmallGameTest, ALevelGameGoesOnWhereALimitDecidesIt) {
  const auto cut_level_games = [](const std::string& ruleset) {
    SmallPlay play(ruleset, {{"self_play.small_nodes", "30"}, {"opening.random_plies", "0"}});
    int level = 0;
    for (int i = 0; i < 40; ++i) {
      const GameRecord record = play.next();
      const double white = expected_by_score(*record.plies().rbegin());
      level += record.plies_size() < 400 && was_cut(record) && std::abs(white - 0.5) < 0.1;
    }
    return level;
  };
  EXPECT_GT(cut_level_games("makyek"), 0);
  EXPECT_EQ(cut_level_games("makyek:limit_result=material"), 0);
}

TEST(QuietPositionsTest, TargetsPassFromTheSearchToTheResult) {
  const game::GamePtr rules = make("makruk");
  SmallPlay play("makruk", kQuickly);
  int decided = 0, cut = 0, seen = 0;
  while (decided < 3 || cut < 3) {
    GameRecord record = play.next();
    for (PlyRecord& ply : *record.mutable_plies()) ply.set_drawn_by_lot(false);
    const auto searched = quiet_positions(*rules, record, 0), result = quiet_positions(*rules, record, 1);
    ASSERT_EQ(searched.size(), result.size());
    const auto end = static_cast<game::Result>(record.result());
    decided += end != game::Result::kDraw;
    cut += was_cut(record);
    const auto of_white = static_cast<float>(expected_by_score(*record.plies().rbegin()));
    for (std::size_t i = 0; i < result.size(); ++i, ++seen) {
      EXPECT_GE(searched[i].target, 0);
      EXPECT_LE(searched[i].target, 1);
      if (was_cut(record)) {
        const bool is_white = result[i].position.to_move == game::Color::kWhite;
        EXPECT_NEAR(result[i].target, is_white ? of_white : 1 - of_white, 1e-6);
      } else if (end == game::Result::kDraw) {
        EXPECT_EQ(result[i].target, 0.5f);
      } else {
        EXPECT_EQ(result[i].target, end == game::win_of(result[i].position.to_move) ? 1.0f : 0.0f);
      }
    }
  }
  EXPECT_GT(seen, 50);
}

// A game of Makruk that somebody has won, every move as if its search had chosen it.
GameRecord decided_game() {
  SmallPlay play("makruk", kQuickly);
  GameRecord record = play.next();
  while (record.result() == static_cast<std::uint32_t>(game::Result::kDraw)) record = play.next();
  for (PlyRecord& ply : *record.mutable_plies()) ply.set_drawn_by_lot(false);
  return record;
}

TEST(QuietPositionsTest, ATargetIsASearchAndByLambdaTheTargetOfTheNextPosition) {
  const game::GamePtr rules = make("makruk");
  GameRecord record = decided_game();
  std::vector<double> targets = {
      record.result() == static_cast<std::uint32_t>(game::Result::kWhiteWins) ? 1.0 : 0.0};
  for (int ply = record.plies_size() - 1; record.plies(ply).depth() > 0; --ply)
    targets.push_back(0.25 * expected_by_score(record.plies(ply)) + 0.75 * targets.back());
  const auto quiet = quiet_positions(*rules, record, 0.75f);
  ASSERT_GT(quiet.size(), 3u);
  for (const QuietPosition& each : quiet) {
    const double white = each.position.to_move == game::Color::kWhite ? each.target : 1 - each.target;
    EXPECT_NEAR(white, targets[record.plies_size() - each.position.ply], 1e-6);
  }
}

TEST(QuietPositionsTest, TheResultSaysNothingOfWhatStoodBeforeAMoveByLot) {
  const game::GamePtr rules = make("makruk");
  GameRecord record = decided_game();
  const auto of_white = [&] {
    std::set<float> of;
    for (const QuietPosition& each : quiet_positions(*rules, record, 1))
      of.insert(each.position.to_move == game::Color::kWhite ? each.target : 1 - each.target);
    return of;
  };
  const float result = record.result() == static_cast<std::uint32_t>(game::Result::kWhiteWins) ? 1 : 0;
  EXPECT_EQ(of_white(), std::set{result});
  const int last = record.plies_size() - 3;
  record.mutable_plies(last)->set_drawn_by_lot(true);
  record.mutable_plies(last)->set_score(500);
  const auto searched = static_cast<float>(expected_by_score(record.plies(last)));
  for (const float target : of_white())
    EXPECT_TRUE(target == result || std::abs(target - searched) < 1e-6f) << target;
  EXPECT_GT(of_white().size(), 1u);
}

TEST(SmallGameTest, IsCutWhenItIsDecidedOrLevelForGood) {
  SmallPlay play("makruk", kQuickly);
  for (int cut = 0; cut < 5;) {
    const GameRecord record = play.next();
    if (!was_cut(record) || record.plies_size() == 400) continue;
    ++cut;
    const double white = 2 * expected_by_score(*record.plies().rbegin()) - 1;
    EXPECT_TRUE(std::abs(white) > 0.96 || std::abs(white) < 0.1) << white;
  }
}

TEST(SmallGameTest, SomeGamesGoOnWhenTheyAreDecided) {
  SmallPlay play("makruk", kQuickly);
  const auto goes_on = [](const GameRecord& record) {
    Adjudicator adjudicator;
    for (int ply = static_cast<int>(record.opening_plies()); ply + 1 < record.plies_size(); ++ply) {
      const auto white = static_cast<float>(2 * expected_by_score(record.plies(ply)) - 1);
      if (adjudicator.add(game::Color::kWhite, white, ply + 1)) return true;
    }
    return false;
  };
  int gone_on = 0;
  for (int i = 0; i < 40; ++i) gone_on += goes_on(play.next());
  EXPECT_GT(gone_on, 0);
  EXPECT_LT(gone_on, 15);  // One in eight is asked for.
}

TEST(QuietPositionsTest, NothingHasToBeAnsweredAndTheBestMoveTakesNothing) {
  const game::GamePtr rules = make("makruk");
  // The third move gives check, the fifth takes a khon.
  const GameRecord record =
      record_of(*rules, "4k3/8/p7/8/8/4s3/3S4/R3K3 w - - 0 1", {"a1c1", "e8e7", "c1c7", "e7d8", "d2e3"});
  const auto quiet = quiet_positions(*rules, record, 0);
  ASSERT_EQ(quiet.size(), 3u);
}

TEST(QuietPositionsTest, AMoveByLotSaysNothing) {
  const game::GamePtr rules = make("makruk");
  SmallPlay play("makruk", kQuickly);
  GameRecord record = play.next();
  ASSERT_FALSE(quiet_positions(*rules, record, 0).empty());
  for (PlyRecord& ply : *record.mutable_plies()) ply.set_drawn_by_lot(true);
  EXPECT_TRUE(quiet_positions(*rules, record, 0).empty());
}

class SmallRowStreamTest : public models::FolderTest {
 protected:
  // Targets of all quiet rows by split.
  using Targets = std::array<std::multiset<float>, 2>;

  Targets fill_store(SmallPlay* play, int games) const {
    Targets targets;
    ReplayStore store(folder_ / "small", 4, 0);
    for (int i = 0; i < games; ++i) {
      GameRecord record = play->next();
      record.set_number(store.next_number());
      const Split split = split_of(record.number(), kHeldOut);
      for (const QuietPosition& each : quiet_positions(*make(record.ruleset()), record, kLambda))
        targets[static_cast<int>(split)].insert(each.target);
      store.add(std::move(record));
    }
    return targets;
  }

  SmallRowStream stream(GamePool* pool, std::size_t buffer) const {
    return {pool,
            {.folders = {folder_ / "small", folder_ / "missing"},
             .window = 1'000'000,
             .validation_share = kHeldOut,
             .lambda = kLambda,
             .buffer = buffer},
            5};
  }

  static constexpr double kHeldOut = 0.3;
  static constexpr float kLambda = 0.5f;
};

TEST_F(SmallRowStreamTest, EveryGameHasAsManySteps) {
  const Config config = quick_config("makruk");
  GamePool pool({make("makruk"), make("makyek"), make("gala")}, config.rulesets());
  const SmallTrainer trainer(&pool, config, RunPaths(folder_), 1);
  EXPECT_EQ(trainer.steps_for(1), 3);
  for (const std::int64_t rows : {10'000, 77'000, 200'000}) EXPECT_EQ(trainer.steps_for(rows) % 3, 0) << rows;
}

TEST_F(SmallRowStreamTest, AGameWithoutHeldOutRowsDoesNotLowerTheMeanLoss) {
  SmallPlay play("makruk", kQuickly);
  fill_store(&play, 12);
  const Config config = quick_config("makruk", {{"replay.validation_share", "0.3"}});
  const auto losses_of = [&](std::vector<game::GamePtr> games) {
    GamePool pool(std::move(games), config.rulesets());
    return SmallTrainer(&pool, config, RunPaths(folder_), 1).learn(2, [](std::int64_t) { return true; });
  };
  const SmallLosses one = losses_of({make("makruk")}), two = losses_of({make("makruk"), make("makyek")});
  EXPECT_GT(one.entropy, 0);
  EXPECT_NEAR(two.entropy, one.entropy, 0.1 * one.entropy);
  EXPECT_NEAR(two.validation, one.validation, 0.1 * one.validation);
}

TEST_F(SmallRowStreamTest, DrawsEveryRowOfAPassAndNoneThatIsHeldOut) {
  SmallPlay play("makruk", kQuickly);
  const Targets targets = fill_store(&play, 12);
  const auto &learnt = targets[0], &held_out = targets[1];
  ASSERT_FALSE(held_out.empty());
  for (const std::size_t buffer : {learnt.size() / 2, learnt.size() + 10}) {
    SmallRowStream rows = stream(play.pool(), buffer);
    nn::SmallBatch batch;
    std::multiset<float> drawn;
    const auto passes = static_cast<std::size_t>(30);
    while (drawn.size() < passes * learnt.size()) {
      rows.draw("makruk", 16, &batch);
      ASSERT_GT(batch.rows, 0);
      drawn.insert(batch.targets.begin(), batch.targets.end());
    }
    for (const float target : drawn) EXPECT_TRUE(learnt.contains(target));
    for (const float target : learnt) EXPECT_TRUE(drawn.contains(target)) << target;
    EXPECT_EQ(rows.left_out(), 0);
  }
}

TEST_F(SmallRowStreamTest, HeldOutRowsAreThoseOfHeldOutGames) {
  SmallPlay play("makyek", kQuickly);
  const Targets targets = fill_store(&play, 12);
  SmallRowStream rows = stream(play.pool(), 100'000);
  nn::SmallBatch batch;
  rows.draw("makyek", 1, &batch);
  rows.held_out("makyek", 100'000, &batch);
  EXPECT_EQ(std::multiset<float>(batch.targets.begin(), batch.targets.end()), targets[1]);
}

TEST_F(SmallRowStreamTest, LearnsFromAsManyOfTheNewestRowsAsTheWindowHas) {
  SmallPlay play("makruk", kQuickly);
  fill_store(&play, 24);
  const auto loss = [&](const char* window) {
    const Config config =
        quick_config("makruk", {{"replay.validation_share", "0.3"}, {"replay.small_window", window}});
    return SmallTrainer(play.pool(), config, RunPaths(folder_), 1)
        .learn(2, [](std::int64_t) { return true; })
        .learning;
  };
  const double all = loss("1000000"), newest = loss("1");
  EXPECT_NE(newest, all);
  const std::vector<Shard> shards = list_shards(folder_ / "small");
  ASSERT_GE(shards.size(), 3u);
  // The rows of the last, which may go on, are not counted.
  for (const Shard& shard : std::span(shards).first(shards.size() - 2)) std::filesystem::remove(shard.path);
  EXPECT_EQ(loss("1000000"), newest);
}

TEST_F(SmallRowStreamTest, ABatchHasTheFeaturesOfItsGame) {
  SmallPlay play("makyek", kQuickly);
  fill_store(&play, 2);
  SmallRowStream rows = stream(play.pool(), 100'000);
  nn::SmallBatch batch;
  rows.draw("makyek", 8, &batch);
  const auto features = game::rule_feature_names(make("makyek")->info().family).size();
  ASSERT_FALSE(batch.rulesets.empty());
  EXPECT_EQ(batch.rulesets.begin()->first.size(), features);
  EXPECT_EQ(batch.ends.size(), 16u);
}

TEST_F(SmallRowStreamTest, RowsAreShownUnderTheSymmetriesOfPlay) {
  using Inputs = std::set<std::vector<int>>;  // What the sides to move see.
  const auto seen = [](const game::Game& rules, const game::Position& position) {
    const mcts::FeatureList list = mcts::small_features(rules.info(), position, position.to_move);
    return std::vector<int>(list.begin(), list.end());
  };
  // Kings of Min Rek Chanh never move, the men of Mak-yek begin alike on both sides, kings of Makruk walk,
  // and in Ok first-move rights tell the sides of the board apart.
  for (const auto& [ruleset, mirrors] : std::map<std::string, bool>{
           {"minrekchanh", false}, {"makyek", true}, {"makruk", true}, {"ok", true}}) {
    SmallPlay play(ruleset, kQuickly);
    std::filesystem::remove_all(folder_ / "small");
    fill_store(&play, 3);
    Inputs as_played, expected;
    ReplayStore store(folder_ / "small", 4);
    for (const auto& record : store.window()) {
      if (split_of(record->number(), kHeldOut) != Split::kLearning) continue;
      const game::GamePtr rules = make(record->ruleset());
      for (const QuietPosition& each : quiet_positions(*rules, *record, kLambda)) {
        as_played.insert(seen(*rules, each.position));
        expected.insert(seen(*rules, each.position));
        if (mirrors && each.position.rights == 0)
          expected.insert(seen(*rules, game::Symmetry(1, 8, 8)(each.position)));
      }
    }
    SmallRowStream rows = stream(play.pool(), 100'000);
    Inputs shown;
    nn::SmallBatch batch;
    for (int drawn = 0; drawn < 40; ++drawn) {
      rows.draw(ruleset, 500, &batch);
      for (int row = 0; row < batch.rows; ++row) {
        const int first = row == 0 ? 0 : batch.ends[2 * row - 1];
        shown.emplace(batch.inputs.begin() + first + 1, batch.inputs.begin() + batch.ends[2 * row]);
      }
    }
    EXPECT_EQ(shown, expected) << ruleset;
    EXPECT_EQ(shown == as_played, !mirrors) << ruleset;
  }
}

TEST_F(SmallRowStreamTest, WithoutGamesThereAreNoRows) {
  SmallPlay play("makruk", kQuickly);
  SmallRowStream rows = stream(play.pool(), 100);
  nn::SmallBatch batch;
  rows.draw("makruk", 8, &batch);
  EXPECT_EQ(batch.rows, 0);
}

TEST_F(SmallRowStreamTest, LeavesOutWhatDoesNotFitTheRules) {
  SmallPlay play("makruk", kQuickly);
  fill_store(&play, 2);
  ReplayStore store(folder_ / "small", 4, 0);
  GameRecord record = play.next();
  record.set_number(store.next_number());
  record.mutable_plies(record.plies_size() - 1)->set_move(record.plies(record.plies_size() - 2).move());
  store.add(std::move(record));
  GameRecord unknown = play.next();
  unknown.set_number(store.next_number());
  unknown.set_ruleset("chaturanga");
  store.add(std::move(unknown));
  GameRecord absurd = play.next();
  absurd.set_number(store.next_number());
  absurd.mutable_plies(absurd.plies_size() - 1)->set_score(1 << 30);
  store.add(std::move(absurd));
  SmallRowStream rows = stream(play.pool(), 100'000);
  nn::SmallBatch batch;
  rows.draw("makruk", 8, &batch);
  EXPECT_EQ(batch.rows, 8);
  EXPECT_EQ(rows.left_out(), 3);
}

}  // namespace
}  // namespace makzero::train
