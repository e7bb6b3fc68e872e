// The audit: it finds what is lost or twice, and nothing in a run that is sound.
#include "train/hub/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/file_io.h"
#include "tests/support/file_tools.h"
#include "tests/train/hub/hub_samples.h"
#include "tests/train/hub/memory_hub.h"
#include "train/hub/spool.h"
#include "train/replay/shard_index.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class AuditTest : public models::FolderTest {
 protected:
  // Puts games of a worker with these sequences into the shards of towers' games, or into others.
  void keep(const std::string& worker, const std::vector<std::uint64_t>& sequences,
            const std::string& folder = "replay") {
    ReplayStore store(folder_ / folder, 3, 0);
    for (const std::uint64_t sequence : sequences) {
      GameRecord game = worker_game(sequence);
      game.set_number(store.next_number());
      game.set_worker(worker);
      game.set_sequence(sequence);
      store.add(std::move(game));
    }
  }

  AuditReport audit() { return audit_run(folder_, &hub_); }

  MemoryHub hub_;
};

TEST_F(AuditTest, ASoundRunHasNoFaults) {
  keep("a", {1, 2, 3, 4, 5});
  keep("b", {1});
  hub_.settle(1, {}, {{"a", 4}, {"b", 1}});
  hub_.append(std::vector<GameMessage>{{"a", 5, 4, "x"}, {"a", 6, 5, "x"}}, 10);
  const AuditReport report = audit();
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_THAT(report.lines[0], HasSubstr("worker a: 5 games in shards, last 5, mark 4, 0 quarantined"));
  EXPECT_THAT(report.lines[0], HasSubstr("1 in the stream, 1 sent again"));
  EXPECT_THAT(report.text(), HasSubstr("is there once"));
  EXPECT_EQ(hub_.backlog(), 2u) << "nothing is changed";
}

TEST_F(AuditTest, GamesThatAreTwiceOrMissingAreFaults) {
  keep("a", {1, 2, 2, 5});
  EXPECT_THAT(audit().faults,
              ElementsAre("worker a: 2 games are missing of 3 to 4", "worker a: 1 games are there twice"));
}

TEST_F(AuditTest, GamesOfShardsThatWereDeletedOnPurposeAreNotMissing) {
  const std::filesystem::path replay = RunPaths(folder_).replay();
  keep("a", {1, 2, 3, 4, 5, 6, 7});
  std::filesystem::remove(shard_path(replay, 0));
  EXPECT_THAT(audit().faults, ElementsAre("worker a: 3 games are missing of 1 to 3"));
  ShardIndex index = read_shard_index(replay);
  index.shards.front().bytes = 0;
  write_shard_index(replay, index);
  EXPECT_THAT(audit().faults, IsEmpty());
}

TEST_F(AuditTest, GamesOfSmallNetworksCountToo) {
  keep("a", {1, 3, 6, 7}, "replay");
  keep("a", {2, 4, 5}, "small");
  EXPECT_THAT(audit().faults, IsEmpty());
  keep("b", {1, 3, 8});
  keep("b", {2, 4, 6, 7}, "small");  // 5 is nowhere.
  EXPECT_THAT(audit().faults, ElementsAre("worker b: 1 games are missing of 5 to 5"));
}

TEST_F(AuditTest, AMarkAheadOfTheShardsIsALoss) {
  keep("a", {1, 2});
  hub_.settle(1, {}, {{"a", 4}, {"gone", 1}});
  EXPECT_THAT(audit().faults, ElementsAre("worker a: 2 games are missing of 3 to 4",
                                          "worker gone: 1 games are missing of 1 to 1"));
}

TEST_F(AuditTest, AMarkFarAheadOfTheShardsIsALossToo) {
  keep("a", {1, 2});
  hub_.settle(1, {}, {{"a", 1'000'002}});
  EXPECT_THAT(audit().faults, ElementsAre("worker a: 1000000 games are missing of 3 to 1000002"));
}

TEST_F(AuditTest, WhatIsInQuarantineIsNotMissing) {
  keep("a", {1, 3});
  std::filesystem::create_directories(folder_ / "quarantine");
  models::put_file(folder_ / "quarantine" / "a-2.frame", "x");
  const AuditReport report = audit();
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_THAT(report.lines[0], HasSubstr("1 quarantined"));
}

TEST_F(AuditTest, TheJumpOfADamagedSpoolIsAGap) {
  keep("a", {1, 70'000});
  EXPECT_THAT(audit().faults, ElementsAre("worker a: 69998 games are missing of 2 to 69999"));
}

TEST_F(AuditTest, GamesOfASpoolBelowTheMarkAreNamedBeforeTheirWorkerForgetsThem) {
  Spool spool(folder_ / "spool", 1 << 20);
  for (int i = 0; i < 3; ++i) spool.add(worker_game(i));
  keep(spool.worker(), {1});
  hub_.settle(1, {}, {{spool.worker(), 100}});
  EXPECT_THAT(audit_run(folder_, &hub_, {folder_ / "spool"}).faults,
              ElementsAre(HasSubstr("99 games are missing of 2 to 100"),
                          HasSubstr("2 games of its spool are below the mark and in no shard")));
}

TEST_F(AuditTest, SpoolsSayWhatHasNotArrived) {
  Spool spool(folder_ / "spool", 1 << 20);
  for (int i = 0; i < 3; ++i) spool.add(worker_game(i));
  keep(spool.worker(), {1});
  const AuditReport report = audit_run(folder_, &hub_, {folder_ / "spool"});
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_THAT(report.lines[0], HasSubstr("2 in the spool"));
}

TEST_F(AuditTest, ADamagedShardIsAFault) {
  keep("a", {1, 2, 3});
  const auto shard = shard_path(RunPaths(folder_).replay(), 0);
  models::put_file(shard, models::flipped(models::read_text_file(shard), 100));
  EXPECT_THAT(audit().faults, testing::Contains(HasSubstr("000000.mzg: bytes ")));
}

}  // namespace
}  // namespace makzero::train
