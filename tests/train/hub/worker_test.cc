// A trainer and a worker over the hub in memory: the worker plays what the run itself would have played.
#include "train/hub/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "game/catalog.h"
#include "mcts/rng.h"
#include "models/file_io.h"
#include "models/frame.h"
#include "models/model.h"
#include "models/store.h"
#include "tests/support/file_tools.h"
#include "tests/support/stopped.h"
#include "tests/support/tiny_run.h"
#include "tests/train/hub/hub_samples.h"
#include "tests/train/hub/memory_hub.h"
#include "train/hub/remote_games.h"
#include "train/hub/run_metadata.h"
#include "train/hub/spool.h"
#include "train/hub/trainer_lease.h"
#include "train/replay/record_check.h"
#include "train/run/start_training.h"
#include "train/run/training_run.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

milliseconds wall_clock() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

class WorkerTest : public models::FolderTest {
 protected:
  WorkerTest() { hub_->now = wall_clock; }

  HubOpener opener() {
    return [hub = hub_] { return hub; };
  }

  WorkerRequest request() {
    WorkerRequest request;
    request.open = opener();
    request.spools = folder_ / "spools";
    request.precision = "fp32";
    request.fetch_span = {};
    request.log = [this](const std::string& line) { log_ += line + "\n"; };
    return request;
  }

  Config config(const Overrides& more = {}) const {
    Overrides overrides = tiny_run();
    overrides.insert(overrides.end(), {{"seed", "3"}, {"rating.time_share", "0"}, {"precision", "fp32"}});
    overrides.insert(overrides.end(), more.begin(), more.end());
    return *override_config(*preset_config("quick", "makyek"), overrides);
  }

  // Publishes the first network of a run, as its trainer does.
  std::string publish(const std::filesystem::path& run) {
    const auto stored = *models::CheckpointStore(RunPaths(run).checkpoints()).latest();
    const std::string bytes = models::read_text_file(stored.path);
    const std::string id = models::id_of(models::read_manifest(stored.path));
    hub_->set_about(1, run_metadata(*game::make_games("makyek"), "makyek"));
    hub_->publish_network(1, {id, stored.generation}, bytes);
    return id;
  }

  // A run that ends before it plays: its first network.
  void make_run(const Config& config, const std::filesystem::path& run) { train(config, run, true); }

  void train(const Config& config, const std::filesystem::path& run, bool stop) {
    const RunLock lock(run);
    TrainingRun(*game::make_games("makyek"), config, RunPaths(run),
                {stop ? stopped() : std::stop_token(), {}, ""})
        .train();
  }

  std::shared_ptr<MemoryHub> hub_ = std::make_shared<MemoryHub>();
  std::string log_;
};

TEST_F(WorkerTest, PlaysTheGamesOfASmallNetworkWithoutATower) {
  make_run(config({{"self_play.small_share", "1"}, {"self_play.small_nodes", "20"}}), folder_ / "run");
  const std::string id = publish(folder_ / "run");
  std::stop_source stop;
  hub_->step = [&, is_asking = false]() mutable {
    if (std::exchange(is_asking, true)) return;
    if (hub_->backlog() >= 3) stop.request_stop();
    is_asking = false;
  };
  run_worker(request(), stop.get_token());
  hub_->step = [] {};
  const std::vector<Delivery> sent = hub_->read(hub_->senders(), 10'000);
  ASSERT_GE(sent.size(), 3u);
  for (const Delivery& delivery : sent) {
    const GameRecord record = *parse_record(models::decode_frame(delivery.game.frame).plain).record;
    EXPECT_EQ(record.small_network(), id);
    EXPECT_EQ(find_record_fault(**game::make_game("makyek"), record), std::nullopt);
  }
}

TEST_F(WorkerTest, WaitingItLooksFourTimesASecond) {
  std::atomic<int> steps = 0;
  hub_->step = [&] { ++steps; };
  std::stop_source stop;
  std::thread worker([&] { run_worker(request(), stop.get_token()); });
  std::this_thread::sleep_for(milliseconds(1500));
  stop.request_stop();
  worker.join();
  EXPECT_THAT(log_, HasSubstr("waits for the trainer of the run"));
  EXPECT_LE(steps, 2 * 8) << "a step before and after each look, and those of the end";
}

// The records of a run of one generation and those of a worker with its seed, but for what the trainer fills
// in and what the worker adds.
TEST_F(WorkerTest, ADeterministicWorkerPlaysTheGamesOfTheRunItself) {
  for (const char* bootstrap : {"UNIFORM", "MATERIAL", "NETWORK"}) {
    const auto folder = folder_ / bootstrap;
    const Config wanted = config(
        {{"deterministic", "true"}, {"generations", "1"}, {"self_play.bootstrap_evaluator", bootstrap}});
    make_run(wanted, folder / "first");
    hub_->flush();
    publish(folder / "first");
    train(wanted, folder / "run", false);
    const ReplayStore store(RunPaths(folder / "run").replay(), 20);

    std::stop_source stop;
    WorkerRequest playing = request();
    playing.spools = folder / "spools";
    playing.seed = mcts::Rng(wanted.seed()).next();
    hub_->step = [&, is_asking = false]() mutable {
      if (std::exchange(is_asking, true)) return;
      if (hub_->backlog() >= static_cast<std::size_t>(store.games())) stop.request_stop();
      is_asking = false;
    };
    run_worker(playing, stop.get_token());
    hub_->step = [] {};

    const std::vector<Delivery> sent = hub_->read(hub_->senders(), 10'000);
    ASSERT_GE(sent.size(), static_cast<std::size_t>(store.games()));
    ASSERT_GT(store.games(), 5);
    for (std::size_t i = 0; i < store.window().size(); ++i) {
      GameRecord theirs = *parse_record(models::decode_frame(sent[i].game.frame).plain).record;
      theirs.clear_worker();
      theirs.clear_sequence();
      theirs.clear_evaluations();
      ASSERT_EQ(bytes_of_worker(theirs), bytes_of_worker(*store.window()[i])) << bootstrap << " " << i;
    }
  }
}

TEST_F(WorkerTest, ARunOfOtherRulesEncoderOrMoveIndexIsRefusedNamingBoth) {
  make_run(config(), folder_ / "run");
  publish(folder_ / "run");
  const RunMetadata metadata = hub_->about();
  for (const auto& [name, other] : {std::pair("encoder", "7"), std::pair("move_index", "9"),
                                    std::pair("rules", "makyek=0123"), std::pair("format", "3")}) {
    RunMetadata changed = metadata;
    changed[name] = other;
    hub_->set_about(1, changed);
    const std::string why = models::error_of([&] { run_worker(request(), {}); });
    EXPECT_THAT(why, HasSubstr(std::string(name) + " of the run is " + other + ", of this worker " +
                               metadata.at(name)));
  }
  RunMetadata unknown = metadata;
  unknown["games"] = "chaturanga";
  hub_->set_about(1, unknown);
  EXPECT_THAT(models::error_of([&] { run_worker(request(), {}); }), HasSubstr("chaturanga"));
}

TEST_F(WorkerTest, AWorkerStopsWhileItWaitsForItsRun) {
  std::stop_source stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(200));
    stop.request_stop();
  });
  run_worker(request(), stop.get_token());
  stopper.join();
  EXPECT_THAT(log_, HasSubstr("waits for the trainer of the run"));
}

TEST_F(WorkerTest, AWorkerStopsPlayingAtTheBoundOfStreamAndSpool) {
  make_run(config(), folder_ / "run");
  publish(folder_ / "run");
  std::stop_source stop;
  WorkerRequest bounded = request();
  bounded.spool_bytes = 40'000;
  bounded.stream_limit = 5;
  bounded.log = [&](const std::string& line) {
    log_ += line + "\n";
    if (line.starts_with("spool full")) stop.request_stop();
  };
  run_worker(bounded, stop.get_token());
  EXPECT_THAT(log_, HasSubstr("spool full"));
  EXPECT_EQ(hub_->backlog(), 5u);
}

// --- A trainer without players of its own.

TEST_F(WorkerTest, ATrainerLearnsFromWorkersAloneAndEveryGameIsKeptOnce) {
  const Config wanted = config({{"generations", "6"}, {"self_play.threads", "0"}});
  const auto run = folder_ / "run";
  std::stop_source stop;
  std::string worker_log;
  WorkerRequest playing = request();
  playing.spool_bytes =
      20'000;  // Less than the run needs: it never ends with games of the first network alone.
  playing.stream_limit = 5;
  playing.log = [&](const std::string& line) { worker_log += line + "\n"; };
  std::thread worker([&] { run_worker(playing, stop.get_token()); });
  std::int64_t kept = 0;
  {
    const RunLock lock(run);
    RemoteGames remote({opener(), run, {}, [](const std::string&) {}});
    TrainingRun(*game::make_games("makyek"), wanted, RunPaths(run), {{}, {}, ""}, &remote).train();
    kept = remote.counts().kept;
    EXPECT_EQ(remote.counts().refused, 0);
  }
  stop.request_stop();
  worker.join();
  EXPECT_EQ(models::CheckpointStore(RunPaths(run).checkpoints()).latest()->generation, 6);
  const ReplayStore store(RunPaths(run).replay(), 20);
  EXPECT_EQ(store.games(), kept);
  ASSERT_EQ(store.marks().size(), 1u);
  EXPECT_EQ(store.marks().begin()->second, static_cast<std::uint64_t>(kept)) << "each sequence once";
  std::int64_t evaluations = 0;
  for (const auto& game : store.window()) evaluations += game->evaluations();
  EXPECT_GT(evaluations, 0);
  EXPECT_THAT(models::read_text_file(RunPaths(run).status()),
              HasSubstr("\"evaluations\": " + std::to_string(evaluations) + ","));
  std::set<std::int64_t> generations;
  for (const auto& game : store.window()) {
    EXPECT_FALSE(game->network().empty());
    EXPECT_LE(game->network_generation(), game->generation());
    generations.insert(game->network_generation());
  }
  EXPECT_GT(generations.size(), 1u) << "the worker plays with newer networks";
  EXPECT_EQ(hub_->lease().holder, "") << "the lease is given back";
}

TEST_F(WorkerTest, PositionsThatComeFasterThanTheyAreLearntFromAreLearntFromLessOften) {
  const auto alone = [this](const char* rows) {
    return config({{"self_play.small_share", "1"},
                   {"self_play.small_nodes", "20"},
                   {"learning.small_rows_per_generation", rows},
                   {"learning.small_replay_ratio", "40"},
                   {"generations", "1"}});
  };
  const auto run = folder_ / "run";
  train(alone("2000"), folder_ / "first", false);
  std::filesystem::create_directories(run);
  std::filesystem::copy(folder_ / "first/small", run / "small");
  {
    RemoteGames remote({opener(), run, {}, [](const std::string&) {}});
    const Config wanted = alone("50");
    TrainingRun(*game::make_games("makyek"), wanted, RunPaths(run), {{}, {}, ""}, &remote).train();
  }
  const auto latest = *models::CheckpointStore(RunPaths(run).checkpoints()).latest();
  EXPECT_EQ(models::read_manifest(latest.path).steps(), 2) << "of 4 generations, and not of 40";
}

TEST_F(WorkerTest, ATrainerThatLostItsLeaseWritesNothingMore) {
  std::filesystem::create_directories(folder_ / "run");
  TrainerLease lease(opener(), folder_ / "run", {}, [](const std::string&) {});
  lease.wait_until_held();
  const std::int64_t first = lease.epoch();
  hub_->flush();
  ASSERT_GT(hub_->take_lease("another", TrainerLease::kTime, first), first);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW(
      {
        while (std::chrono::steady_clock::now() - begin < std::chrono::seconds(15)) {
          lease.wait_until_held();
          std::this_thread::sleep_for(milliseconds(20));
        }
      },
      LeaseLost);
}

TEST_F(WorkerTest, ATrainerOfTheSameFolderGoesOnAtOnceWithALaterEpoch) {
  std::filesystem::create_directories(folder_ / "run");
  std::int64_t first = 0;
  {
    const TrainerLease lease(opener(), folder_ / "run", {}, [](const std::string&) {});
    first = lease.epoch();
  }
  hub_->flush();
  const TrainerLease lease(opener(), folder_ / "run", {}, [](const std::string&) {});
  EXPECT_GT(lease.epoch(), first) << "the folder knows the epoch that the hub has forgotten";
}

TEST_F(WorkerTest, DrainingSendsWhatADeadWorkerHasLeft) {
  std::string worker;
  {
    Spool spool(folder_ / "spools" / "0", 1 << 20);
    worker = spool.worker();
    for (int i = 0; i < 10; ++i) spool.add(worker_game(i));
  }
  ShardSink sink(folder_ / "replay", 10);
  Intake intake(&sink, 1, {});
  std::stop_source stop;
  std::atomic<bool> done = false;
  bool are_empty = false;
  std::thread drainer([&] {
    are_empty = drain_spools(request(), stop.get_token());
    done = true;
  });
  for (int i = 0; i < 2000 && !done; ++i) {
    intake.collect(hub_.get());
    std::this_thread::sleep_for(milliseconds(5));
  }
  stop.request_stop();
  drainer.join();
  EXPECT_TRUE(are_empty);
  EXPECT_EQ(sink.store().games(), 10);
  EXPECT_EQ(hub_->mark(worker), 10u);
}

}  // namespace
}  // namespace makzero::train
