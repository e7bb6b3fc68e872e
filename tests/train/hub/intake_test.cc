// Games on their way from spools to shards: each exactly once, byte for byte, whatever is lost on the way.
#include "train/hub/intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "mcts/rng.h"
#include "models/frame.h"
#include "tests/support/file_tools.h"
#include "tests/train/hub/hub_samples.h"
#include "tests/train/hub/memory_hub.h"
#include "train/hub/spool.h"
#include "train/hub/spool_sender.h"

namespace makzero::train {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMegabyte = 1 << 20;

GameMessage message(const std::string& worker, std::uint64_t sequence, std::uint64_t previous,
                    GameRecord record) {
  record.set_worker(worker);
  record.set_sequence(sequence);
  return {worker, sequence, previous, models::encode_frame(record.SerializeAsString())};
}

class IntakeTest : public models::FolderTest {
 protected:
  // Hands the messages over and takes them in.
  void take(const std::vector<GameMessage>& games) {
    hub_.append(games, 1000);
    while (intake_.collect(&hub_) > 0) {
    }
  }

  std::vector<std::uint64_t> seeds() {
    std::vector<std::uint64_t> all;
    sink_.store().set_window(ReplayStore::kEverything);
    for (const auto& game : sink_.store().window()) all.push_back(game->seed());
    return all;
  }

  MemoryHub hub_;
  ShardSink sink_{folder_ / "replay", 10};
  Intake intake_{&sink_, 1, {}};
};

TEST_F(IntakeTest, GamesOfAWorkerAreKeptInTheirOrder) {
  const GameMessage second = message("w", 2, 1, worker_game(2)), third = message("w", 3, 2, worker_game(3));
  take({second, third});
  EXPECT_THAT(seeds(), IsEmpty());
  EXPECT_EQ(intake_.counts().early, 2) << "they are sent again";
  take({message("w", 1, 0, worker_game(1)), second, third});
  EXPECT_THAT(seeds(), ElementsAre(1, 2, 3));
  EXPECT_EQ(hub_.backlog(), 0u);
  EXPECT_EQ(hub_.mark("w"), 3u);
}

TEST_F(IntakeTest, ARepeatedGameIsKnownByItsSequence) {
  take({message("w", 1, 0, worker_game(1)), message("w", 1, 0, worker_game(1)),
        message("x", 1, 0, worker_game(2))});
  take({message("w", 1, 0, worker_game(1))});
  EXPECT_THAT(seeds(), ElementsAre(1, 2));
  EXPECT_EQ(intake_.counts().repeated, 2);
  EXPECT_EQ(hub_.backlog(), 0u);
}

// Found by the journey: the hub lost its marks, and the trainer died before it had published them all again.
TEST_F(IntakeTest, ARepeatedGamePublishesTheMarkAgainThatTheHubHasLost) {
  take({message("w", 1, 0, worker_game(1))});
  hub_.flush();
  ASSERT_EQ(hub_.mark("w"), 0u);
  take({message("w", 1, 0, worker_game(1))});
  EXPECT_EQ(hub_.mark("w"), 1u);
}

TEST_F(IntakeTest, AGapThatASpoolHasLostIsPassed) {
  take({message("w", 1, 0, worker_game(1)), message("w", 70'000, 1, worker_game(2))});
  EXPECT_THAT(seeds(), ElementsAre(1, 2));
}

TEST_F(IntakeTest, TheHeadOfASpoolIsTakenEvenIfTheShardsHaveLostTheGamesBefore) {
  take({message("w", 9, 0, worker_game(1)), message("w", 10, 9, worker_game(2))});
  EXPECT_THAT(seeds(), ElementsAre(1, 2));
}

TEST_F(IntakeTest, ARecordWithAFaultIsRefusedAndThoseBehindItAreTaken) {
  GameRecord bad = worker_game(1);
  bad.set_result(9);
  take({message("w", 1, 0, bad), message("w", 2, 1, worker_game(2))});
  EXPECT_THAT(sink_.refused, ElementsAre(HasSubstr("w: result 9 does not exist")));
  EXPECT_THAT(seeds(), ElementsAre(2));
  EXPECT_EQ(hub_.mark("w"), 2u);
}

TEST_F(IntakeTest, MessagesThatHoldNoGameOfTheirSenderAreRefused) {
  const GameMessage good = message("w", 1, 0, worker_game(1));
  GameMessage forged = good, oversized = good, far = good, nameless = good, backwards = good, longer = good;
  forged.worker = "v";
  oversized.frame.resize(Intake::kMostFrameBytes + 1);
  far.sequence = std::uint64_t{1} << 40;
  nameless.worker = "../v";
  backwards.previous = 1;
  longer.frame += "x";
  take({forged, oversized, far, nameless, backwards, longer});
  EXPECT_THAT(sink_.refused,
              UnorderedElementsAre(
                  HasSubstr("v: the record is game 1 of worker 'w'"), HasSubstr("too many for a game"),
                  HasSubstr("w: the record is game 1 of worker 'w'"), HasSubstr("no name of a worker"),
                  HasSubstr("sequence 1 behind 1"), HasSubstr("bytes behind the frame")));
  EXPECT_EQ(hub_.mark("w"), 0u);
  EXPECT_EQ(hub_.backlog(), 0u);
  take({good});
  EXPECT_THAT(seeds(), ElementsAre(1)) << "what was refused did not take the sequence";
}

TEST_F(IntakeTest, AGameThatComesDamagedIsTriedAgainAndPassedWithTheNextThatCanBeRead) {
  GameMessage damaged = message("w", 1, 0, worker_game(1));
  damaged.frame = models::flipped(damaged.frame, 40);
  const GameMessage next = message("w", 2, 1, worker_game(2));
  for (int i = 0; i < 2; ++i) {
    take({damaged, next});
    EXPECT_EQ(hub_.mark("w"), 0u);
  }
  EXPECT_THAT(sink_.refused[0], HasSubstr("the checksum of the frame is wrong"));
  take({damaged});
  EXPECT_EQ(hub_.mark("w"), 0u) << "it was not read";
  take({next});
  EXPECT_EQ(hub_.mark("w"), 2u);
  EXPECT_THAT(seeds(), ElementsAre(2));
}

// As one worker could send in another's name before each had a stream of its own.
TEST_F(IntakeTest, GarbageNeitherMovesTheMarkNorSilencesTheWorker) {
  take({message("w", 1, 0, worker_game(1))});
  for (const std::uint64_t ahead : {1'000'000, 100'000, 1}) {
    for (int i = 0; i < 3; ++i) take({{"w", 1 + ahead, 0, "garbage"}});
    EXPECT_EQ(hub_.mark("w"), 1u) << ahead;
  }
  take({message("w", 2, 1, worker_game(2))});
  EXPECT_EQ(hub_.mark("w"), 2u);
  EXPECT_THAT(seeds(), ElementsAre(1, 2));
}

TEST_F(IntakeTest, AMarkMovesOverOneDamageAtMost) {
  take({message("w", 1, 0, worker_game(1))});
  take({message("w", 2 + 2 * kDamageJump, 1, worker_game(2))});
  EXPECT_THAT(sink_.refused, ElementsAre(HasSubstr("is far from 1")));
  EXPECT_EQ(hub_.mark("w"), 1u);
  take({message("w", 1 + 2 * kDamageJump, 1, worker_game(3))});
  EXPECT_THAT(seeds(), ElementsAre(1, 3));
}

TEST_F(IntakeTest, NothingIsSettledBeforeTheShardsAreSynced) {
  int calls = 0;
  sink_.step = [&] { ++calls; };
  hub_.append(std::vector{message("w", 1, 0, worker_game(1))}, 10);
  hub_.step = [&] {
    EXPECT_TRUE(calls == 4 || hub_.mark_now("w") == 0);
  };  // Two for the game, two for the sync.
  intake_.collect(&hub_);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(hub_.mark_now("w"), 1u);
}

TEST_F(IntakeTest, ATrainerOfAnEarlierEpochSettlesNothing) {
  ASSERT_EQ(hub_.take_lease("another", std::chrono::milliseconds(10), 1), 2);
  hub_.append(std::vector{message("w", 1, 0, worker_game(1))}, 10);
  EXPECT_THROW(intake_.collect(&hub_), LeaseLost);
  EXPECT_EQ(hub_.backlog(), 1u);
}

TEST_F(IntakeTest, NoWorkerWaitsForAnothersBacklog) {
  std::vector<GameMessage> many;
  for (std::uint64_t i = 1; i <= 600; ++i) many.push_back(message("a", i, i - 1, worker_game(i)));
  hub_.append(many, 1000);
  hub_.append(std::vector{message("z", 1, 0, worker_game(1))}, 10);
  EXPECT_EQ(intake_.collect(&hub_), Intake::kBatch / 2 + 1);
  EXPECT_EQ(hub_.mark("z"), 1u);
}

// --- The whole way, with crashes between any two steps.

struct Crash {};

// Workers and a trainer over a hub that loses, repeats, reorders and fails; everything may crash anywhere,
// and the trainer's disk loses what was not synced.
class Journey {
 public:
  Journey(std::filesystem::path folder, std::uint64_t seed)
      : folder_(std::move(folder)), rng_(seed), hub_(seed) {
    hub_.step = [this] { maybe_crash(); };
    for (int i = 0; i < kWorkers; ++i) workers_.push_back({folder_ / std::to_string(i), nullptr, nullptr});
  }

  void run(int events) {
    hub_.faults = {.drop = 0.1, .repeat = 0.1, .reorder = 0.3, .fail = 0.05};
    crash_share_ = 0.01;
    for (int i = 0; i < events; ++i) happen();
    // All is well from here on: everything must arrive.
    hub_.faults = {};
    crash_share_ = 0;
    for (int round = 0; round < 10'000 && !is_drained(); ++round) {
      for (Peer& worker : workers_) act(&worker, [&] { pump(&worker); });
      act(nullptr, [&] { collect(); });
      now_ += std::chrono::milliseconds(250);
    }
  }

  bool is_drained() {
    return std::ranges::all_of(
        workers_, [](const Peer& worker) { return worker.spool && worker.spool->games().empty(); });
  }

  // The spooled games without faults, and those in the shards, by worker and sequence.
  std::multimap<std::string, std::string> spooled() const { return spooled_; }
  std::multimap<std::string, std::string> stored() {
    trainer_.reset();
    ReplayStore store(folder_ / "replay", 8);
    std::multimap<std::string, std::string> found;
    for (const auto& game : store.window()) found.emplace(key(*game), bytes_of_worker(*game));
    EXPECT_EQ(found.size(), static_cast<std::size_t>(store.games()));
    return found;
  }

  int crashes() const { return crashes_; }
  int flushes() const { return flushes_; }

 private:
  static constexpr int kWorkers = 3;

  struct Peer {
    std::filesystem::path folder;
    std::unique_ptr<Spool> spool;
    std::unique_ptr<SpoolSender> sender;
  };
  struct Trainer {
    explicit Trainer(const std::filesystem::path& folder)
        : sink(folder, 8), intake(&sink, 1, sink.store().marks()) {}
    ShardSink sink;
    Intake intake;
  };

  static std::string key(const GameRecord& game) {
    return game.worker() + " " + std::to_string(game.sequence());
  }

  void maybe_crash() {
    if (rng_.uniform() < crash_share_) throw Crash();
  }

  // What a worker does (of the trainer: null), and what is forgotten when the hub fails or the process dies;
  // the others die with it now and then.
  void act(Peer* worker, const std::function<void()>& action) {
    try {
      action();
    } catch (const HubError&) {
      if (worker && worker->sender) worker->sender->forget_sent();
    } catch (const Crash&) {
      ++crashes_;
      if (!worker || rng_.below(4) == 0) crash_trainer();
      for (Peer& other : workers_) {
        if (&other == worker || rng_.below(4) == 0) other.spool.reset(), other.sender.reset();
      }
    }
  }

  // With what the disk had not been told to keep, half of the time.
  void crash_trainer() {
    if (!trainer_) return;
    const Shard synced = trainer_->sink.synced;
    trainer_.reset();
    const std::vector<Shard> shards = list_shards(folder_ / "replay");
    if (shards.empty() || rng_.below(2) == 0) return;
    const auto& [path, bytes] = std::pair(shards.back().path, shards.back().bytes);
    const std::uint64_t kept = synced.path == path ? synced.bytes : 0;
    if (bytes > kept) std::filesystem::resize_file(path, kept + rng_.below(bytes - kept));
  }

  void happen() {
    const auto choice = rng_.below(100);
    Peer& worker = workers_[rng_.below(kWorkers)];
    if (choice < 30) {
      act(&worker, [&] { add_game(&worker); });
    } else if (choice < 60) {
      act(&worker, [&] { pump(&worker); });
    } else if (choice < 99) {
      act(nullptr, [&] { collect(); });
    } else {
      hub_.flush();
      ++flushes_;
    }
    now_ += std::chrono::milliseconds(rng_.below(500));
  }

  void open(Peer* worker) {
    if (worker->spool) return;
    worker->spool = std::make_unique<Spool>(worker->folder, kMegabyte);
    worker->sender = std::make_unique<SpoolSender>(worker->spool.get(), 50);
  }

  void add_game(Peer* worker) {
    open(worker);
    const std::uint64_t number = next_game_++;
    worker->spool->add(worker_game(number, true));
    const SpooledGame& game = worker->spool->games().back();
    GameRecord record = *parse_record(models::decode_frame(game.frame).plain).record;
    if (!find_field_fault(record)) spooled_.emplace(key(record), record.SerializeAsString());
  }

  void pump(Peer* worker) {
    open(worker);
    worker->sender->pump(&hub_, now_);
  }

  void collect() {
    if (!trainer_) {
      trainer_ = std::make_unique<Trainer>(folder_ / "replay");
      trainer_->sink.step = [this] { maybe_crash(); };
      return;
    }
    trainer_->intake.collect(&hub_);
    if (hub_.about().empty()) {
      hub_.set_about(1, {{"a", "b"}});
      trainer_->intake.publish_all_marks();
    }
  }

  std::filesystem::path folder_;
  mcts::Rng rng_;
  MemoryHub hub_;
  std::vector<Peer> workers_;
  std::unique_ptr<Trainer> trainer_;
  std::multimap<std::string, std::string> spooled_;
  std::uint64_t next_game_ = 0;
  Clock::time_point now_;
  double crash_share_ = 0;
  int crashes_ = 0, flushes_ = 0;
};

// The games of one side that the other does not have, by worker and sequence.
std::vector<std::string> difference(const std::multimap<std::string, std::string>& one,
                                    std::multimap<std::string, std::string> other) {
  std::vector<std::string> missing;
  for (const auto& [key, bytes] : one) {
    const auto [begin, end] = other.equal_range(key);
    const auto found = std::find_if(begin, end, [&](const auto& game) { return game.second == bytes; });
    if (found == end)
      missing.push_back(key);
    else
      other.erase(found);
  }
  return missing;
}

class JourneyTest : public models::FolderTest {};

TEST_F(JourneyTest, EverySpooledGameIsInAShardExactlyOnceByteForByte) {
  int crashes = 0, flushes = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Journey journey(folder_ / std::to_string(seed), seed);
    journey.run(400);
    ASSERT_TRUE(journey.is_drained()) << seed;
    const auto stored = journey.stored(), spooled = journey.spooled();
    ASSERT_THAT(difference(spooled, stored), IsEmpty()) << "lost, seed " << seed;
    ASSERT_THAT(difference(stored, spooled), IsEmpty()) << "twice, seed " << seed;
    ASSERT_GT(journey.spooled().size(), 50u) << seed;
    crashes += journey.crashes();
    flushes += journey.flushes();
  }
  EXPECT_GT(crashes, 100);
  EXPECT_GT(flushes, 20);
}

}  // namespace
}  // namespace makzero::train
