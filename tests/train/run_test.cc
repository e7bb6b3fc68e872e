// Whole runs of tiny networks: what a run leaves, how it goes on, and how it stops.
#include "train/run/start_training.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/model.h"
#include "models/store.h"
#include "tests/support/file_tools.h"
#include "tests/support/record_tools.h"
#include "tests/support/stopped.h"
#include "tests/support/tiny_run.h"
#include "train/learning/batch_maker.h"
#include "train/rating/rating.h"
#include "train/replay/game_replay.h"
#include "train/replay/replay_store.h"
#include "train/run/anneal.h"
#include "train/run/fit.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<nlohmann::json> metrics_of(const std::filesystem::path& run) {
  std::vector<nlohmann::json> lines;
  std::istringstream text(text_of(RunPaths(run).metrics()));
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

class RunTest : public models::FolderTest {
 protected:
  TrainRequest request(const std::string& game) const {
    TrainRequest request;
    request.game = game;
    request.run = folder_ / "run";
    request.seed = 3;
    request.overrides = tiny_run();
    request.overrides.emplace_back("rating.time_share", "0");
    return request;
  }

  // Trains until the run has this many generations.
  static void train_to(TrainRequest request, std::int64_t generation) {
    request.overrides.emplace_back("generations", std::to_string(generation));
    run_training(request, {});
  }

  // The games and the last network of three generations on one thread.
  std::pair<std::string, std::string> deterministic_run(const std::string& name, std::uint64_t seed,
                                                        const Overrides& more = {}) const {
    TrainRequest wanted = request("makyek");
    wanted.run = folder_ / name;
    wanted.seed = seed;
    wanted.overrides.emplace_back("deterministic", "true");
    wanted.overrides.emplace_back("threads", "2");
    wanted.overrides.insert(wanted.overrides.end(), more.begin(), more.end());
    train_to(wanted, 3);
    std::string games;
    ReplayStore store(RunPaths(wanted.run).replay(), 20, 1'000'000);
    for (const auto& record : store.window()) games += record->SerializeAsString();
    const auto latest = models::CheckpointStore(RunPaths(wanted.run).checkpoints()).latest();
    return {games, models::read_manifest(latest->path).weights_hash()};
  }

  // The last checkpoint of a run of Mak-yek in a folder of its own.
  std::filesystem::path network_of_another_run() const {
    TrainRequest first = request("makyek");
    first.run = folder_ / "first";
    train_to(first, 1);
    return models::CheckpointStore(RunPaths(first.run).checkpoints()).latest()->path;
  }

  std::string failure_of(const TrainRequest& request) {
    try {
      run_training(request, stopped());
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no failure";
  }
};

TEST_F(RunTest, TwoGenerationsLeaveEverythingThatARunPromises) {
  for (const char* ruleset : {"makyek", "makruk"}) {
    TrainRequest wanted = request(ruleset);
    wanted.run = folder_ / ruleset;
    train_to(wanted, 2);
    const RunPaths paths(wanted.run);
    const game::GamePtr game = make(ruleset);

    const models::CheckpointStore checkpoints(paths.checkpoints());
    ASSERT_EQ(checkpoints.list().size(), 3u);
    for (const models::StoredCheckpoint& stored : checkpoints.list()) {
      const models::Model checkpoint = models::read_model(stored.path);
      EXPECT_EQ(checkpoint.manifest.generation(), stored.generation);
      EXPECT_NO_THROW(models::make_evaluator(*game, checkpoint, {}));
    }
    EXPECT_THAT(text_of(paths.config()), HasSubstr("simulations: 4"));
    EXPECT_EQ(nlohmann::json::parse(text_of(paths.status()))["phase"], "stopped");
    EXPECT_THAT(text_of(paths.log()), AllOf(HasSubstr("begin generation=0"), HasSubstr("needs up to "),
                                            HasSubstr("first network after 200 rows of self-play")));
    EXPECT_FALSE(std::filesystem::is_empty(paths.tensorboard()));
    EXPECT_THAT(text_of(paths.games() / "000001.txt"), HasSubstr("1. "));

    const std::vector<nlohmann::json> metrics = metrics_of(wanted.run);
    ASSERT_EQ(metrics.size(), 2u);
    EXPECT_EQ(metrics[0]["generation"], 1);
    EXPECT_EQ(metrics[1]["generation"], 2);
    EXPECT_GT(metrics[1]["loss/policy"], 0);
    EXPECT_GT(metrics[1]["steps"], metrics[0]["steps"]);
    EXPECT_TRUE(metrics[1].contains("reasons"));
    EXPECT_GT(metrics[1]["games/surprise"], 0) << "a search moves the network's policy";
    EXPECT_THAT(text_of(paths.log()),
                ContainsRegex(fmt::format(" draws=[0-9.]+ decided=[0-9.]+ cut={:.3f} adjudicated=[0-9.]+ .* "
                                          "surprise={:.4f} ",
                                          metrics[1]["games/cut_share"].get<double>(),
                                          metrics[1]["games/surprise"].get<double>())));
  }
}

TEST_F(RunTest, TheHeldOutRowsOfLargestLossOfTheNewestGenerationAreNamed) {
  for (const int generation : {1, 2}) {
    train_to(request("makyek"), generation);
    const RunPaths paths(folder_ / "run");
    const nlohmann::json losses = nlohmann::json::parse(text_of(paths.losses()));
    EXPECT_EQ(losses["generation"], generation);
    ASSERT_EQ(losses["rows"].size(), 20u);
    std::map<std::uint64_t, GameReplay> replays;
    const game::GamePtr game = make("makyek");
    const ReplayStore store(paths.replay(), 20);
    for (const auto& record : store.window()) replays[record->number()] = replay_game(*game, *record, {});
    float before = 1e9f;
    std::set<std::pair<std::uint64_t, int>> rows;
    for (const nlohmann::json& row : losses["rows"]) {
      const std::uint64_t number = row["game"];
      EXPECT_EQ(split_of(number, 0.2), Split::kValidation);
      const int ply = row["ply"];
      EXPECT_TRUE(rows.emplace(number, ply).second) << "each once";
      EXPECT_EQ(row["position"], game::position_text(*game, replays.at(number).plies.at(ply).position));
      EXPECT_LE(row["loss"], before);
      before = row["loss"];
      EXPECT_NEAR(row["target"]["win"].get<float>() + row["target"]["draw"].get<float>() +
                      row["target"]["loss"].get<float>(),
                  1, 1e-3);
      EXPECT_EQ(row["predicted"]["moves"].size(), 3u);
    }
  }
}

TEST_F(RunTest, ANetworkWithoutCapturePlanesTrainsAndPlays) {
  TrainRequest wanted = request("makyek");
  wanted.overrides.emplace_back("network.capture_planes", "false");
  train_to(wanted, 1);
  const auto latest = models::CheckpointStore(wanted.run / "checkpoints").latest();
  const models::Model checkpoint = models::read_model(latest->path);
  const game::GamePtr game = make("makyek");
  const auto planes = models::make_evaluator(*game, checkpoint, {})->encoder().planes();
  EXPECT_THAT(planes, testing::Not(testing::Contains(HasSubstr("targets"))));
  EXPECT_THAT(planes, testing::Contains("own M"));
  EXPECT_EQ(checkpoint.manifest.architecture().planes(), static_cast<int>(planes.size()));
}

TEST_F(RunTest, ABudgetOfEvaluationsEndsTheRun) {
  TrainRequest wanted = request("makyek");
  wanted.overrides.emplace_back("evaluations", "2000");
  wanted.overrides.emplace_back("learning.warmup_steps", "0");
  run_training(wanted, {});
  const std::vector<nlohmann::json> metrics = metrics_of(wanted.run);
  EXPECT_GE(metrics.back()["evaluations"], 2000);
  EXPECT_LT(metrics[metrics.size() - 2]["evaluations"], 2000);
  EXPECT_LT(metrics.back()["learning_rate"], 0.5 * metrics.front()["learning_rate"].get<double>());
  const auto latest = models::CheckpointStore(wanted.run / "checkpoints").latest();
  EXPECT_GT(models::read_manifest(latest->path).processor_seconds(), 0);
  run_training(wanted, {});
  EXPECT_EQ(metrics_of(wanted.run).size(), metrics.size());
}

TEST_F(RunTest, TheLearningRateFollowsItsScheduleAcrossAResume) {
  const std::string text = "300:0.5,700:0.1";
  const auto schedule = RateSchedule::parse(text);
  ASSERT_TRUE(schedule) << schedule.why();
  TrainRequest wanted = request("makyek");
  wanted.overrides.emplace_back("learning.warmup_steps", "0");
  wanted.overrides.emplace_back("learning.learning_rate", "0.004");
  wanted.overrides.emplace_back("learning.schedule", text);
  wanted.overrides.emplace_back("evaluations", "100000");
  train_to(wanted, 2);
  TrainRequest resumed;
  resumed.game = "makyek";
  resumed.run = wanted.run;
  train_to(resumed, 5);
  std::set<float> factors;
  for (const nlohmann::json& line : metrics_of(wanted.run)) {
    const float factor = schedule->factor(line["rows"]);
    EXPECT_NEAR(line["learning_rate"], 0.004 * factor, 1e-7) << line["rows"];
    factors.insert(factor);
  }
  EXPECT_EQ(factors, (std::set<float>{1, 0.5f, 0.1f}));
}

TEST_F(RunTest, ABudgetDoesNotChangeAScheduledLearningRate) {
  TrainRequest wanted = request("makyek");
  wanted.overrides.emplace_back("evaluations", "2000");
  wanted.overrides.emplace_back("learning.warmup_steps", "0");
  wanted.overrides.emplace_back("learning.schedule", "1G:0.5");
  run_training(wanted, {});
  const std::vector<nlohmann::json> metrics = metrics_of(wanted.run);
  EXPECT_GE(metrics.back()["evaluations"], 2000);
  EXPECT_EQ(metrics.back()["learning_rate"], metrics.front()["learning_rate"]);
}

TEST_F(RunTest, ADeterministicRunRepeatsItselfAndAnotherSeedDoesNot) {
  const auto first = deterministic_run("first", 1);
  EXPECT_EQ(deterministic_run("second", 1), first);
  EXPECT_NE(deterministic_run("third", 2), first);
}

TEST_F(RunTest, ADeterministicRunRepeatsItsPolicyOpeningsAndForks) {
  const Overrides openings = {{"opening.policy_share", "0.5"}, {"opening.fork_share", "0.5"}};
  const auto first = deterministic_run("first", 1, openings);
  EXPECT_EQ(deterministic_run("second", 1, openings), first);
  EXPECT_NE(deterministic_run("third", 1), first);
}

TEST(RunFolderTest, HasTheNamesOfTheRulesetsHoweverTheyAreSpelled) {
  const auto folder = [](const std::string& game, const char* run = "") {
    TrainRequest request;
    request.game = game;
    request.run = run;
    return run_folder(request);
  };
  EXPECT_EQ(folder("Thai chess"), "runs/makruk");
  EXPECT_EQ(folder("Mak-yek:max_plies=90,jump=on"), "runs/makyek:jump=on,max_plies=90");
  EXPECT_EQ(folder("makyek, Apit-sodok,rek"), "runs/makyek,apit,rek");
  EXPECT_EQ(folder("custodial"), "runs/custodial");
  EXPECT_EQ(folder("Thai chess", "elsewhere"), "elsewhere");
}

class EveryRulesetTest : public RunTest, public testing::WithParamInterface<std::string> {};

TEST_P(EveryRulesetTest, TrainsTwoGenerationsWhoseCheckpointsLoad) {
  train_to(request(GetParam()), 2);
  const auto stored = models::CheckpointStore(folder_ / "run" / "checkpoints").list();
  ASSERT_EQ(stored.size(), 3u);
  for (const models::StoredCheckpoint& checkpoint : stored)
    EXPECT_EQ(models::read_model(checkpoint.path).manifest.ruleset(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryRulesetTest, testing::ValuesIn(game::ruleset_names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_F(RunTest, EveryStoredGameFitsTheRulesAndHasItsOwnNumber) {
  train_to(request("makyek"), 2);
  const game::GamePtr game = make("makyek");
  const ReplayStore store(RunPaths(folder_ / "run").replay(), 20);
  std::set<std::uint64_t> numbers;
  for (const auto& record : store.window()) {
    EXPECT_NO_THROW(replay_game(*game, *record, {}));
    numbers.insert(record->number());
  }
  EXPECT_EQ(numbers.size(), static_cast<size_t>(store.games()));
  EXPECT_EQ(*numbers.rbegin(), static_cast<std::uint64_t>(store.games() - 1));
}

TEST_F(RunTest, AResumedRunGoesOnAndLosesNothing) {
  train_to(request("makyek"), 1);
  const auto before = *models::CheckpointStore(RunPaths(folder_ / "run").checkpoints()).latest();
  const std::int64_t games = ReplayStore(RunPaths(folder_ / "run").replay(), 20).games();
  const auto steps = models::read_manifest(before.path).steps();
  TrainRequest resumed;
  resumed.game = "makyek";
  resumed.run = folder_ / "run";
  train_to(resumed, before.generation + 1);
  const auto after = *models::CheckpointStore(RunPaths(folder_ / "run").checkpoints()).latest();
  EXPECT_GT(after.generation, before.generation);
  EXPECT_GT(models::read_manifest(after.path).steps(), steps);
  EXPECT_EQ(models::read_manifest(after.path).parent().size(), 12u);
  EXPECT_GE(ReplayStore(RunPaths(folder_ / "run").replay(), 20).games(), games);
  const std::vector<nlohmann::json> metrics = metrics_of(folder_ / "run");
  for (size_t i = 0; i < metrics.size(); ++i) EXPECT_EQ(metrics[i]["generation"], i + 1);
  EXPECT_THAT(text_of(RunPaths(folder_ / "run").log()),
              HasSubstr("resume generation=" + std::to_string(before.generation)));
}

TEST_F(RunTest, AStopBeforeTheFirstGameLeavesARunThatResumes) {
  EXPECT_EQ(failure_of(request("makyek")), "no failure");
  EXPECT_EQ(models::CheckpointStore(RunPaths(folder_ / "run").checkpoints()).latest()->generation, 0);
  train_to(request("makyek"), 1);
}

TEST_F(RunTest, ALostLearnerStateIsReplacedByTheNewestCheckpoint) {
  train_to(request("makyek"), 1);
  const RunPaths paths(folder_ / "run");
  const auto before = *models::CheckpointStore(paths.checkpoints()).latest();
  models::put_file(paths.learner(), models::flipped(text_of(paths.learner()), 200));
  train_to(request("makyek"), before.generation + 1);
  EXPECT_THAT(text_of(paths.log()), HasSubstr("without the optimiser's state"));
  EXPECT_THAT(text_of(paths.log()), HasSubstr("resume generation=" + std::to_string(before.generation)));
}

TEST_F(RunTest, ACheckpointThatWasNotYetWrittenIsWrittenAtTheResume) {
  train_to(request("makyek"), 1);
  const models::CheckpointStore store(RunPaths(folder_ / "run").checkpoints());
  const auto latest = *store.latest();
  const auto id = models::read_model(latest.path).id();
  std::filesystem::remove(latest.path);
  EXPECT_EQ(failure_of(request("makyek")), "no failure");
  EXPECT_EQ(models::read_model(store.latest()->path).id(), id);
}

TEST_F(RunTest, WhatCannotChangeIsRefusedWithTheMend) {
  EXPECT_EQ(failure_of(request("makyek")), "no failure");
  TrainRequest deeper = request("makyek");
  deeper.overrides = {{"network.hidden", "16"}};
  EXPECT_THAT(failure_of(deeper), HasSubstr("network.hidden is 8 in this run and cannot become 16"));
  EXPECT_THAT(failure_of(request("makruk")), HasSubstr("game is"));
  TrainRequest other = request("makyek");
  other.preset = "cpu";
  EXPECT_THAT(failure_of(other), HasSubstr("preset is \"quick\" in this run"));
}

TEST_F(RunTest, ARunGoesOnWithALargerNetworkWhereOneIsAskedFor) {
  train_to(request("makyek"), 1);
  TrainRequest wider = request("makyek");
  wider.overrides.emplace_back("network.channels", "16");
  const RunPaths paths(folder_ / "run");
  train_to(wider, 2);
  EXPECT_THAT(text_of(paths.log()), HasSubstr("grow blocks=1 channels=16"));
  const auto stored = models::CheckpointStore(paths.checkpoints()).list();
  EXPECT_EQ(models::architecture_of(models::read_manifest(stored[1].path)).channels, 8);
  EXPECT_EQ(models::architecture_of(models::read_manifest(stored.back().path)).channels, 16);
  train_to(wider, stored.back().generation + 1);
}

TEST_F(RunTest, ARunBeginsWithTheNetworkOfAnotherGame) {
  const std::filesystem::path source = network_of_another_run();
  TrainRequest second = request("rek");
  second.overrides.emplace_back("from", source.string());
  second.overrides.emplace_back("network.blocks", "2");
  second.overrides.emplace_back("self_play.bootstrap_evaluator",
                                "UNIFORM");  // Not where a network knows something.
  train_to(second, 1);
  const auto stored = models::CheckpointStore(RunPaths(second.run).checkpoints()).list();
  const models::Model begin = models::read_model(stored.front().path);
  const models::Model origin = models::read_model(source);
  EXPECT_EQ(begin.manifest.parent(), origin.id());
  const auto tensor = [](const models::Model& checkpoint, const std::string& name) {
    for (const nn::NamedTensor& each : checkpoint.tower.weights) {
      if (each.name == name) return each.data;
    }
    return std::vector<float>();
  };
  EXPECT_EQ(tensor(begin, "policy.project.weight"), tensor(origin, "policy.project.weight"));
  EXPECT_NE(tensor(begin, "input.conv.weight").size(), tensor(origin, "input.conv.weight").size());
  // Its own network plays from the first game on.
  EXPECT_GT(models::read_manifest(stored[1].path).evaluations(), 0);
}

TEST_F(RunTest, ATrainingGoesOnFromACheckpointAlone) {
  TrainRequest first = request("makyek");
  first.run = folder_ / "first";
  first.overrides.emplace_back("evaluations", "100000");
  first.overrides.emplace_back("search.draw_score", "-0.3");
  first.overrides.emplace_back("self_play.bootstrap_evaluator", "MATERIAL");
  train_to(first, 2);
  const auto source = models::CheckpointStore(RunPaths(first.run).checkpoints()).latest()->path;
  const models::Model origin = models::read_model(source);

  TrainRequest second;
  second.game = "makyek";
  second.run = folder_ / "second";
  second.overrides = {{"from", source.string()}, {"replay.minimum_window", "500"}};
  train_to(second, 4);
  const RunPaths paths(second.run);
  const auto stored = models::CheckpointStore(paths.checkpoints()).list();
  ASSERT_EQ(stored.size(), 3u);
  const models::Model begin = models::read_model(stored.front().path);
  EXPECT_EQ(begin.tower.weights, origin.tower.weights);
  EXPECT_EQ(begin.manifest.parent(), origin.manifest.parent());
  EXPECT_EQ(begin.manifest.generation(), 2);
  EXPECT_EQ(begin.manifest.evaluations(), origin.manifest.evaluations());
  EXPECT_EQ(begin.manifest.steps(), origin.manifest.steps());
  EXPECT_FLOAT_EQ(begin.manifest.search().draw_score(), -0.3f);
  EXPECT_THAT(text_of(paths.config()), AllOf(HasSubstr("evaluations: 100000"), HasSubstr("channels: 8")));
  EXPECT_THAT(text_of(paths.config()), testing::Not(HasSubstr("seed: 3\n"))) << "its games are others";

  // The window is filled by the network's own games, then generations are as long as ever.
  const std::vector<nlohmann::json> metrics = metrics_of(second.run);
  EXPECT_GE(metrics[0]["games/new_rows"], 500);
  EXPECT_GT(metrics[0]["evaluations"], origin.manifest.evaluations());
  EXPECT_LT(metrics[1]["games/new_rows"], 500);
  const ReplayStore replay(paths.replay(), 20);
  for (const auto& record : replay.window()) EXPECT_GE(record->generation(), 2);
}

// The rulesets of a run's games with their rows.
std::map<std::string, std::int64_t> rows_by_ruleset(const RunPaths& paths) {
  std::map<std::string, std::int64_t> rows;
  const ReplayStore replay(paths.replay(), 20);
  for (const auto& record : replay.window()) {
    EXPECT_NO_THROW(replay_game(*make(record->ruleset()), *record, {}));
    for (const PlyRecord& ply : record->plies()) rows[record->ruleset()] += ply.full_search();
  }
  return rows;
}

TEST_F(RunTest, SeveralGamesTeachOneNetworkThatPlaysThemAll) {
  const TrainRequest wanted = request("makyek,rek:limit_result=material");
  train_to(wanted, 2);
  const RunPaths paths(wanted.run);
  EXPECT_THAT(text_of(paths.config()), HasSubstr("game: \"makyek,rek:limit_result=material\""));
  const auto stored = models::CheckpointStore(paths.checkpoints()).list();
  ASSERT_EQ(stored.size(), 3u);
  const models::Model last = models::read_model(stored.back().path);
  EXPECT_THAT(models::games_trained(last.manifest),
              testing::ElementsAre("makyek", "rek:limit_result=material"));
  for (const char* spec : {"makyek", "rek", "makyek-line:jump=on"}) {
    const game::GamePtr game = make(spec);
    EXPECT_NO_THROW(models::make_evaluator(*game, last, {}));
  }
  const game::GamePtr apit = make("apit");
  EXPECT_THAT(models::error_of([&] { models::make_evaluator(*apit, last, {}); }),
              HasSubstr("cannot play 'apit'"));
  const auto rows = rows_by_ruleset(paths);
  EXPECT_GT(rows.at("makyek"), 50);
  EXPECT_GT(rows.at("rek:limit_result=material"), 50);
  EXPECT_EQ(metrics_of(paths.root).size(), 2u);
}

TEST_F(RunTest, AFamilyPlaysNamedAndSampledRulesetsInEqualShares) {
  TrainRequest wanted = request("custodial");
  wanted.overrides.emplace_back("learning.bootstrap_rows", "3000");
  train_to(wanted, 1);
  std::map<std::string, std::int64_t> by_game;
  int sampled = 0;
  for (const auto& [ruleset, rows] : rows_by_ruleset(RunPaths(wanted.run))) {
    by_game[std::string(game::game_of(ruleset))] += rows;
    sampled += ruleset.find(':') != std::string::npos;
  }
  EXPECT_EQ(by_game.size(), 6u);
  EXPECT_GT(sampled, 5);
  for (const auto& [game, rows] : by_game) EXPECT_NEAR(static_cast<double>(rows), 500, 250) << game;
  const auto latest = models::CheckpointStore(RunPaths(wanted.run).checkpoints()).latest();
  EXPECT_EQ(models::games_trained(models::read_manifest(latest->path)).size(), 6u);
}

TEST_F(RunTest, ARunOfSeveralGamesGoesOnWithAndWithoutItsLearnerState) {
  const TrainRequest wanted = request("makyek,rek");
  train_to(wanted, 1);
  const RunPaths paths(wanted.run);
  train_to(wanted, 2);
  EXPECT_THAT(text_of(paths.log()), HasSubstr("resume generation=1"));
  const auto learnt = models::read_learner_state(paths.learner(), nullptr).ema_weights;
  std::filesystem::remove(paths.learner());
  EXPECT_EQ(failure_of(wanted), "no failure");
  EXPECT_EQ(models::read_learner_state(paths.learner(), nullptr).ema_weights, learnt);
}

TEST_F(RunTest, SeveralGamesBeginWithTheNetworkOfOne) {
  const std::filesystem::path source = network_of_another_run();
  TrainRequest several = request("rek,makyek");
  several.overrides.emplace_back("from", source.string());
  EXPECT_EQ(failure_of(several), "no failure");
  const models::Model one = models::read_model(source);
  const models::Model begin =
      models::read_model(models::CheckpointStore(RunPaths(several.run).checkpoints()).path(0));
  for (size_t i = 0; i < one.tower.weights.size(); ++i) {
    if (one.tower.weights[i].name.starts_with("input.") || one.tower.weights[i].name.starts_with("rules."))
      continue;
    EXPECT_EQ(begin.tower.weights[i], one.tower.weights[i]) << one.tower.weights[i].name;
  }
}

TEST_F(RunTest, AListOfGamesIsCheckedWhole) {
  EXPECT_THAT(failure_of(request("makyek,rekk,makyek")),
              AllOf(HasSubstr("did you mean 'rek'?"), HasSubstr("'makyek' is named twice")));
  EXPECT_THAT(failure_of(request("makyek,")), HasSubstr("unknown game ''"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run"));
}

TEST_F(RunTest, TheFirstGamesArePlayedByMaterialWithItsOwnSimulations) {
  TrainRequest wanted = request("makyek");
  wanted.overrides.emplace_back("self_play.bootstrap_evaluator", "MATERIAL");
  wanted.overrides.emplace_back("self_play.bootstrap_simulations", "32");
  train_to(wanted, 2);
  const auto stored = models::CheckpointStore(RunPaths(wanted.run).checkpoints()).list();
  EXPECT_EQ(models::read_manifest(stored[1].path).evaluations(), 0);  // Of the network.
  EXPECT_GT(models::read_manifest(stored[2].path).evaluations(), 0);
  // Without knowledge no position of an opening is far from even.
  const auto most_certain = [this](const char* evaluator) {
    TrainRequest other = request("makyek");
    other.run = folder_ / evaluator;
    other.overrides.emplace_back("self_play.bootstrap_evaluator", evaluator);
    train_to(other, 1);
    float most = 0;
    const ReplayStore replay(RunPaths(other.run).replay(), 20);
    for (const auto& record : replay.window()) {
      for (const PlyRecord& ply : record->plies()) most = std::max(most, std::abs(ply.white() - ply.black()));
    }
    return most;
  };
  EXPECT_GT(most_certain("MATERIAL"), 0.2f);
  EXPECT_LT(most_certain("UNIFORM"), 0.05f);
}

TEST_F(RunTest, ANetworkThatDoesNotFitIsNoBeginning) {
  TrainRequest first = request("makyek");
  first.run = folder_ / "first";
  EXPECT_EQ(failure_of(first), "no failure");
  TrainRequest second = request("apit");
  second.overrides.emplace_back(
      "from", models::CheckpointStore(RunPaths(first.run).checkpoints()).latest()->path.string());
  second.overrides.emplace_back("network.hidden", "16");
  EXPECT_THAT(failure_of(second), HasSubstr("cannot begin with it"));
  second.overrides = tiny_run();
  second.overrides.emplace_back("from", "missing.mzc");
  EXPECT_THAT(failure_of(second), HasSubstr("missing.mzc"));
  const std::string small = folder_ / "small.mzc";
  const game::GamePtr apit = *game::make_game("apit");
  models::write_model(small, models::make_model(mcts::material_small_network(apit->info())));
  second.overrides.back().second = small;
  EXPECT_THAT(failure_of(second), HasSubstr("small.mzc: holds a small network alone"));
  EXPECT_FALSE(std::filesystem::exists(second.run));
}

TEST_F(RunTest, AChangeIsLoggedAndKept) {
  EXPECT_EQ(failure_of(request("makyek")), "no failure");
  TrainRequest changed = request("makyek");
  changed.overrides = {{"self_play.simulations", "6"}};
  EXPECT_EQ(failure_of(changed), "no failure");
  EXPECT_THAT(text_of(RunPaths(folder_ / "run").log()), HasSubstr("self_play.simulations: 4 -> 6"));
  EXPECT_THAT(text_of(RunPaths(folder_ / "run").config()), HasSubstr("simulations: 6"));
}

TEST_F(RunTest, AWrongRequestLeavesNoFolder) {
  TrainRequest wrong = request("makyek");
  wrong.overrides.emplace_back("self_play.simulatons", "3");
  EXPECT_THROW(run_training(wrong, stopped()), UsageError);
  EXPECT_THAT(failure_of(wrong), HasSubstr("did you mean 'self_play.simulations'?"));
  wrong.overrides.back() = {"learning.schedule", "20M:2"};
  EXPECT_THROW(run_training(wrong, stopped()), UsageError);
  EXPECT_FALSE(std::filesystem::exists(wrong.run));
}

TEST_F(RunTest, AMissingDeviceLeavesNoFolder) {
  TrainRequest wrong = request("makyek");
  wrong.overrides.emplace_back("device", "gpu9");
  EXPECT_THAT(failure_of(wrong), HasSubstr("'gpu9' names no device: use cpu, cuda or cuda:N"));
  wrong.overrides.back().second = "cpu,gpu9";
  EXPECT_THAT(failure_of(wrong), HasSubstr("'gpu9' names no device"));
  wrong.overrides.back().second = "";
  EXPECT_THAT(failure_of(wrong), HasSubstr("no device is named"));
  EXPECT_FALSE(std::filesystem::exists(wrong.run));
}

TEST_F(RunTest, SelfPlayGoesOnBesideLearningAndItsRowsAreLearntOnce) {
  TrainRequest beside = request("makyek");
  beside.overrides.emplace_back("learning.beside_self_play", "true");
  beside.overrides.emplace_back("learning.replay_ratio", "12");  // Learning takes longer than self-play.
  beside.overrides.emplace_back("threads", "2");
  train_to(beside, 3);
  // The rows of the shards that generation learns from, and all that were learnt from.
  const auto rows_for = [&](std::int64_t generation) {
    ReplayStore store(RunPaths(beside.run).replay(), 20);
    std::int64_t rows = 0;
    for (const auto& record : store.window())
      for (const PlyRecord& ply : record->plies())
        rows += record->generation() == generation && ply.full_search();
    return std::pair(rows, store.rows());
  };
  const auto learnt = [&] {
    std::int64_t rows = 0;
    for (const nlohmann::json& line : metrics_of(beside.run))
      rows += line["games/new_rows"].get<std::int64_t>();
    return rows;
  };
  const auto [ahead, all] = rows_for(3);
  EXPECT_GT(ahead, 0);
  EXPECT_EQ(learnt(), all - ahead);
  // A run that resumes learns from what was played ahead.
  train_to(beside, 4);
  const auto [later, more] = rows_for(4);
  EXPECT_EQ(learnt(), more - later);
}

// The CPU stands in for each of two cards: one network for all workers there, a replica of the learner.
TEST_F(RunTest, SeveralDevicesPlayAndLearn) {
  TrainRequest several = request("makyek");
  several.overrides.emplace_back("device", "cpu,cpu");
  several.overrides.emplace_back("precision", "fp32");
  several.overrides.emplace_back("threads", "3");
  train_to(several, 2);
  const std::vector<nlohmann::json> metrics = metrics_of(several.run);
  ASSERT_EQ(metrics.size(), 2u);
  EXPECT_GT(metrics[1]["self_play/rows_per_batch"].get<double>(), 0) << metrics[1].dump();
  EXPECT_GT(metrics[1]["loss/total"].get<double>(), 0) << metrics[1].dump();
  for (const char* share : {"self_play/core_share", "self_play/card_share"}) {
    EXPECT_GT(metrics[1][share].get<double>(), 0) << share;
    EXPECT_LT(metrics[1][share].get<double>(), 1.1) << share;
  }
  // As configured, but for the last batch, which is whole.
  const double wanted =
      parse_config(models::read_text_file(RunPaths(several.run).config()), "")->learning().replay_ratio();
  EXPECT_NEAR(metrics[1]["replay_ratio"].get<double>(), wanted, 0.3 * wanted);
}

TEST_F(RunTest, TwoTrainingsDoNotShareARun) {
  const RunLock lock(folder_ / "run");
  EXPECT_THAT(failure_of(request("makyek")), HasSubstr("another training uses this run"));
}

// With the baseline of a zoo, until generation 4; the id of the last network.
std::string measured_run(TrainRequest wanted, const std::filesystem::path& zoo, const char* annealed_share) {
  std::filesystem::create_directories(zoo / "makyek");
  std::ofstream(zoo / "makyek" / "baseline.tsv")
      << "position\tjudge\texpected\nmmmmmmmm/8/mmmmmmmm/8/8/MMMMMMMM/8/MMMMMMMM w\ta3a4\t0.500\n";
  wanted.overrides.emplace_back("deterministic", "true");
  wanted.overrides.emplace_back("learning.annealed_share", annealed_share);
  wanted.overrides.emplace_back("generations", "4");
  setenv("MAKZERO_ZOO", zoo.c_str(), 1);
  run_training(wanted, {});
  setenv("MAKZERO_ZOO", "", 1);
  return models::read_model(models::CheckpointStore(RunPaths(wanted.run).checkpoints()).path(4)).id();
}

TEST_F(RunTest, NetworksAndAnAnnealedCopyAreMeasuredByTheBaselineOfTheZoo) {
  TrainRequest wanted = request("makyek");
  const std::string id = measured_run(wanted, folder_ / "zoo", "0.5");
  const std::vector<nlohmann::json> rows = metrics_of(wanted.run);
  ASSERT_EQ(rows.size(), 4u);
  for (const nlohmann::json& row : rows) {
    EXPECT_TRUE(row["baseline/agreement"] == 0 || row["baseline/agreement"] == 1);
    EXPECT_GT(row["baseline/policy"], 0.0);
    EXPECT_LT(row["baseline/value"], 0.3);
    EXPECT_EQ(row.contains("annealed/policy"), row["generation"] == 4);
    EXPECT_EQ(row.contains("annealed/baseline_policy"), row["generation"] == 4);
  }
  const auto annealed = models::read_manifest(RunPaths(wanted.run).annealed(4));
  EXPECT_EQ(annealed.steps(), std::ceil(1.5 * rows.back()["steps"].get<double>()));
  EXPECT_NE(models::id_of(annealed), id);
  wanted.run = folder_ / "without";
  EXPECT_EQ(measured_run(wanted, folder_ / "zoo", "0"), id);  // The run learns as if there were no copy.
  EXPECT_FALSE(std::filesystem::exists(RunPaths(wanted.run).annealed(4)));
}

TEST_F(RunTest, AnnealingLearnsInACopyAndLeavesTheRunAlone) {
  const TrainRequest wanted = request("makyek");
  train_to(wanted, 2);
  const RunPaths paths(wanted.run);
  const std::string learner = text_of(paths.learner());
  std::ostringstream shown;
  Display display(&shown, false);
  EXPECT_THAT(models::error_of([&] { anneal({.run = wanted.run}, &display, stopped()); }),
              HasSubstr("nothing was written"));
  EXPECT_FALSE(std::filesystem::exists(wanted.run / "annealed"));
  const AnnealResult result = anneal({.run = wanted.run, .share = 1}, &display, {});
  EXPECT_EQ(result.network, wanted.run / "annealed" / "000002.mzc");
  const models::Model before = models::read_model(models::CheckpointStore(paths.checkpoints()).path(2));
  const models::Model after = models::read_model(result.network);
  EXPECT_EQ(result.steps, before.manifest.steps());
  EXPECT_EQ(after.manifest.steps(), 2 * before.manifest.steps());
  EXPECT_EQ(after.manifest.parent(), before.id());
  EXPECT_EQ(after.manifest.generation(), 2);
  EXPECT_THAT(after.manifest.games_trained(), testing::ElementsAre("makyek"));
  EXPECT_NE(after.tower.weights, before.tower.weights);
  EXPECT_NO_THROW(models::make_evaluator(*make("makyek"), after, {}));
  EXPECT_EQ(text_of(paths.learner()), learner);
}

TEST_F(RunTest, AnnealingBeginsWithTheRateOfTheSchedule) {
  TrainRequest wanted = request("makyek");
  wanted.overrides.emplace_back("learning.warmup_steps", "0");
  wanted.overrides.emplace_back("learning.learning_rate", "0.004");
  wanted.overrides.emplace_back("learning.schedule", "300:0.1,1G:0.01");
  train_to(wanted, 2);
  std::ostringstream shown;
  Display display(&shown, false);
  const AnnealResult result = anneal({.run = wanted.run, .share = 1}, &display, {});
  ASSERT_GT(result.steps, 1);
  const auto last = 0.004 * 0.1 / static_cast<double>(result.steps);  // The last step has no more.
  EXPECT_NEAR(result.learning.learning_rate, last, 0.01 * last);
  const AnnealResult one_step = anneal({.run = wanted.run, .share = 1e-9}, &display, {});
  EXPECT_FLOAT_EQ(one_step.learning.learning_rate, 0.0004f);
}

TEST_F(RunTest, AFitBeginsWithRandomWeightsOfTheWantedSizeAndLeavesTheRunAlone) {
  const TrainRequest wanted = request("makyek");
  train_to(wanted, 2);
  const std::string learner = text_of(RunPaths(wanted.run).learner());
  std::ostringstream shown;
  Display display(&shown, false);
  FitRequest request{.run = wanted.run,
                     .changes = {{"network.blocks", "2"}, {"network.channels", "12"}},
                     .steps = 3,
                     .validation_rows = 256,
                     .network = folder_ / "fitted" / "2x12.mzc"};
  EXPECT_THAT(models::error_of([&] { fit(request, &display, stopped()); }), HasSubstr("nothing was written"));
  EXPECT_FALSE(std::filesystem::exists(request.network));
  const FitResult result = fit(request, &display, {});
  EXPECT_EQ(result.architecture.blocks, 2);
  const models::Model fitted = models::read_model(request.network);
  EXPECT_EQ(fitted.manifest.steps(), 3);
  EXPECT_EQ(fitted.manifest.parent(), "");
  EXPECT_THAT(fitted.manifest.config(), HasSubstr("channels: 12"));
  EXPECT_NO_THROW(models::make_evaluator(*make("makyek"), fitted, {}));
  EXPECT_EQ(text_of(RunPaths(wanted.run).learner()), learner);
}

TEST_F(RunTest, FitsOfEqualSeedSeeEqualRowsAndLearn) {
  const TrainRequest wanted = request("makyek");
  train_to(wanted, 2);
  std::ostringstream shown;
  Display display(&shown, false);
  const auto held_out_loss = [&](std::int64_t steps, double decay_share, const char* weight_decay) {
    return fit({.run = wanted.run,
                .changes = {{"learning.weight_decay", weight_decay}, {"learning.warmup_steps", "0"}},
                .steps = steps,
                .decay_share = decay_share,
                .validation_rows = 256},
               &display, {})
        .validation.total;
  };
  const float loss = held_out_loss(60, 0.5, "0");
  EXPECT_EQ(loss, held_out_loss(60, 0.5, "0"));
  EXPECT_NE(loss, held_out_loss(60, 0.5, "1"));
  EXPECT_NE(loss, held_out_loss(60, 0, "0")) << "the learning rate must fall";
  const float untrained = held_out_loss(1, 0, "0");
  EXPECT_LT(loss, untrained);
}

TEST_F(RunTest, TheTimeLimitEndsTheRun) {
  TrainRequest brief = request("makyek");
  brief.minutes = 0.01;
  run_training(brief, {});
  EXPECT_EQ(nlohmann::json::parse(text_of(RunPaths(brief.run).status()))["phase"], "stopped");
}

TEST_F(RunTest, TheStatusTellsHowFarTheFirstGenerationIs) {
  TrainRequest brief = request("makyek");
  brief.minutes = 0.01;
  std::erase_if(brief.overrides, [](const auto& entry) { return entry.first == "learning.bootstrap_rows"; });
  brief.overrides.emplace_back("learning.bootstrap_rows", "1000000");
  run_training(brief, {});
  const nlohmann::json status = nlohmann::json::parse(text_of(RunPaths(brief.run).status()));
  EXPECT_EQ(status["generation"], 0);
  EXPECT_EQ(status["total"], 1000000);
  EXPECT_GT(status["done"], 0);
  EXPECT_GT(status["phase_seconds_left"], 0);
  EXPECT_EQ(status["played"]["games"], status["games"]);
  EXPECT_GT(status["played"]["plies"], 0);
  EXPECT_FALSE(status["played"]["reasons"].empty());
  EXPECT_THAT(text_of(RunPaths(brief.run).games() / "000000.txt"), HasSubstr("[Game "));
}

TEST_F(RunTest, RatingsAreKeptAndReported) {
  TrainRequest rated = request("makyek");
  rated.overrides.insert(rated.overrides.end(),
                         {{"rating.time_share", "1"}, {"rating.games", "2"}, {"rating.simulations", "2"}});
  std::erase_if(rated.overrides, [](const auto& entry) {
    return entry == std::pair<std::string, std::string>("rating.time_share", "0");
  });
  train_to(rated, 3);
  EXPECT_THAT(text_of(RunPaths(rated.run).log()), HasSubstr("opponent=random games=2"));
  EXPECT_TRUE(metrics_of(rated.run).back().contains("elo"));
}

TEST_F(RunTest, EndsOnceTheOpponentIsBeaten) {
  TrainRequest until = request("makyek");
  until.until = "random";
  EXPECT_THAT(failure_of(until), HasSubstr("rating.time_share is 0"));
  until.overrides.emplace_back("rating.time_share", "0.1");
  MatchRecord won;
  won.set_ruleset("makyek");
  won.set_player_a("1:64");
  won.set_player_b("random");
  won.set_generation_b(-1);
  won.set_a_is_white(true);
  won.set_result(static_cast<std::uint32_t>(game::Result::kWhiteWins));
  const std::filesystem::path store = RunPaths(until.run).ratings_of("until/makyek");
  std::filesystem::create_directories(store);
  RatingStore(store).add(std::vector<MatchRecord>(20, won));
  run_training(until, {});
  EXPECT_EQ(nlohmann::json::parse(text_of(RunPaths(until.run).status()))["phase"],
            "stopped, random is beaten");
  EXPECT_THAT(text_of(RunPaths(until.run).log()), HasSubstr("makyek: random is beaten: 100.0 % by material"));

  until.until = "alphabeta:999";
  EXPECT_THAT(failure_of(until), HasSubstr("player 'alphabeta:999': needs a depth from 1 to "));
}

TEST_F(RunTest, ALineBehindATornOneBeginsAnew) {
  models::put_file(folder_ / "lines", "{\"generation\": 1}\n{\"gener");
  append_line(folder_ / "lines", "{\"generation\": 2}");
  EXPECT_EQ(text_of(folder_ / "lines"), "{\"generation\": 1}\n{\"gener\n{\"generation\": 2}\n");
}

}  // namespace
}  // namespace makzero::train
