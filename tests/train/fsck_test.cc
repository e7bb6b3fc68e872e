// The check of a run: every damage is named, what is good stays in its place.
#include "train/run/fsck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "game/catalog.h"
#include "models/framed_file.h"
#include "models/model.h"
#include "models/store.h"
#include "tests/support/file_tools.h"
#include "tests/support/small_network.h"
#include "tests/train/small_run.h"
#include "train/config.h"
#include "train/rating/rating.h"
#include "train/replay/replay_store.h"
#include "train/replay/shard_index.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using makzero::testing::random_small_network;
using models::flipped;
using models::put_file;
using models::read_text_file;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FsckTest : public models::FolderTest {
 protected:
  FsckTest() : run_(folder_ / "run"), paths_(run_) { make_small_run(run_); }

  void damage(const std::filesystem::path& path, std::size_t offset) {
    put_file(path, flipped(read_text_file(path), offset));
  }

  std::filesystem::path checkpoint(int generation) const {
    return paths_.checkpoints() / ("00000" + std::to_string(generation) + ".mzc");
  }

  std::filesystem::path run_;
  RunPaths paths_;
};

// A finding of this state whose text has this part.
auto finding(FsckState state, const std::string& part) {
  return ::testing::AllOf(Field(&FsckFinding::state, state), Field(&FsckFinding::what, HasSubstr(part)));
}

TEST_F(FsckTest, ASoundRunHasNoFindings) {
  const FsckReport report = fsck_run(run_, false);
  EXPECT_THAT(report.findings, IsEmpty()) << report.text();
  EXPECT_TRUE(report.whole());
  EXPECT_GE(report.files, 10);
}

TEST_F(FsckTest, AnyFlippedByteOfAChecksummedFileIsNamedWithItsFile) {
  for (const std::filesystem::path& path :
       {checkpoint(0), paths_.learner(), shard_path(paths_.replay(), 0), run_ / "matches.mzm"}) {
    const std::string whole = read_text_file(path);
    // Every seventh byte: the tests of each format flip them all.
    for (std::size_t offset = 0; offset < whole.size(); offset += 7) {
      put_file(path, flipped(whole, offset));
      const FsckReport report = fsck_run(run_, false);
      ASSERT_FALSE(report.whole()) << path << " byte " << offset;
      ASSERT_THAT(report.text(), ::testing::AllOf(HasSubstr(path.string() + ": "), HasSubstr("bytes ")))
          << offset;
    }
    put_file(path, whole);
  }
  EXPECT_TRUE(fsck_run(run_, false).whole());
}

TEST_F(FsckTest, WithoutRepairNothingIsChanged) {
  damage(checkpoint(0), 60);
  damage(shard_path(paths_.replay(), 0), 60);
  put_file(run_ / "x.tmp", "half");
  const auto names = [&] {
    std::map<std::string, std::string> contents;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run_)) {
      if (entry.is_regular_file()) contents[entry.path()] = read_text_file(entry.path());
    }
    return contents;
  };
  const auto before = names();
  fsck_run(run_, false);
  EXPECT_EQ(names(), before);
}

TEST_F(FsckTest, ADamagedCheckpointIsSetAsideAndTheOthersStay) {
  damage(checkpoint(1), 60);
  const FsckReport report = fsck_run(run_, true);
  EXPECT_THAT(report.findings, ElementsAre(finding(FsckState::kRepaired, "set aside as 000001.mzc.damaged")));
  EXPECT_TRUE(report.whole());
  EXPECT_TRUE(std::filesystem::exists(checkpoint(1).string() + ".damaged"));
  EXPECT_EQ(models::CheckpointStore(paths_.checkpoints()).latest()->generation, 0);
  EXPECT_THAT(fsck_run(run_, true).findings, ElementsAre(finding(FsckState::kNote, "set aside earlier")));
}

TEST_F(FsckTest, ACheckpointUnderAnotherNameIsNoticed) {
  std::filesystem::copy_file(checkpoint(1), checkpoint(5));
  EXPECT_THAT(fsck_run(run_, false).findings,
              ElementsAre(finding(FsckState::kDamaged, "holds generation 1")));
}

TEST_F(FsckTest, ADamagedLearnerStateIsSetAside) {
  damage(paths_.learner(), 100);
  EXPECT_THAT(fsck_run(run_, true).findings,
              ElementsAre(finding(FsckState::kRepaired, "learner.mzl.damaged")));
  EXPECT_FALSE(std::filesystem::exists(paths_.learner()));
}

TEST_F(FsckTest, ADamagedSmallNetworkIsSetAside) {
  const std::filesystem::path path = run_ / "makyek.mzs";
  std::filesystem::copy_file(MAKZERO_TEST_DATA "/models/gala_version_1.mzs", path);
  models::write_model(run_ / "makyek.mzc", models::read_model(path));
  EXPECT_THAT(fsck_run(run_, false).findings, IsEmpty());
  damage(path, std::filesystem::file_size(path) / 2);
  EXPECT_THAT(fsck_run(run_, true).findings, ElementsAre(finding(FsckState::kRepaired, "set aside")));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(FsckTest, TheGoodGamesOfADamagedShardStay) {
  damage(shard_path(paths_.replay(), 0), 60);
  const FsckReport report = fsck_run(run_, true);
  EXPECT_THAT(report.findings, ElementsAre(finding(FsckState::kRepaired, "2 good records are kept")));
  const ReplayStore store(paths_.replay(), 3);
  EXPECT_EQ(store.games(), kSmallRunGames - 1);
  EXPECT_THAT(store.warnings(), IsEmpty());
}

TEST_F(FsckTest, ATornLastGameIsANoteAndIsCutOffByRepair) {
  const std::filesystem::path shard = shard_path(paths_.replay(), 1);
  std::filesystem::remove(paths_.replay() / "index");
  std::filesystem::resize_file(shard, std::filesystem::file_size(shard) - 3);
  EXPECT_THAT(fsck_run(run_, false).findings, ElementsAre(finding(FsckState::kNote, "unfinished")));
  EXPECT_THAT(fsck_run(run_, true).findings, ElementsAre(finding(FsckState::kRepaired, "2 good records")));
  EXPECT_THAT(fsck_run(run_, true).findings, IsEmpty());
}

TEST_F(FsckTest, AShardThatLostWholeGamesIsKnownByTheIndex) {
  const std::filesystem::path shard = shard_path(paths_.replay(), 0);
  std::uint64_t two_games = 24;
  models::FrameReader reader(shard, models::FileKind::kGames);
  for (int i = 0; i < 2; ++i) reader.next();
  two_games = reader.good_bytes();
  std::filesystem::resize_file(shard, two_games);
  EXPECT_THAT(fsck_run(run_, false).findings, ElementsAre(finding(FsckState::kDamaged, "last seen whole")));
  EXPECT_TRUE(fsck_run(run_, true).whole());
  EXPECT_THAT(fsck_run(run_, false).findings, IsEmpty());
}

TEST_F(FsckTest, AMissingShardIsKnownByTheIndex) {
  std::filesystem::remove(shard_path(paths_.replay(), 0));
  EXPECT_THAT(fsck_run(run_, false).findings,
              ElementsAre(finding(FsckState::kDamaged, "with 3 games is missing")));
}

TEST_F(FsckTest, AMissingShardOfSmallNetworksIsKnownByItsIndex) {
  ReplayStore store(paths_.small_replay(), 2, 0);
  for (int i = 0; i < 5; ++i) store.add(random_game(i, 4));
  std::filesystem::remove(shard_path(paths_.small_replay(), 1));
  EXPECT_THAT(fsck_run(run_, false).findings,
              ElementsAre(finding(FsckState::kDamaged, "with 2 games is missing")));
}

TEST_F(FsckTest, AWholeRecordOfAnIllegalGameIsReported) {
  GameRecord game = random_game(50, 4);
  game.mutable_plies(2)->set_move(game.plies(0).move());
  models::FrameAppender(shard_path(paths_.replay(), 1), models::FileKind::kGames)
      .add(game.SerializeAsString());
  game = random_game(51, 4);
  game.set_ruleset("chess");
  models::FrameAppender(shard_path(paths_.replay(), 1), models::FileKind::kGames)
      .add(game.SerializeAsString());
  const FsckReport report = fsck_run(run_, false);
  ASSERT_THAT(report.findings, ElementsAre(finding(FsckState::kDamaged, "2 records do not fit the rules")));
  EXPECT_THAT(report.findings[0].what, HasSubstr("record 3: game 50, ply 2: the move is not legal"));
}

TEST_F(FsckTest, MatchRecordsAreRecoveredAndTheRatingsFollow) {
  damage(run_ / "matches.mzm", 60);
  EXPECT_TRUE(fsck_run(run_, true).whole());
  EXPECT_EQ(RatingStore(run_).score("alphabeta:1", "random").games, kSmallRunMatches - 1);
}

TEST_F(FsckTest, DamagedMetricsLinesAreNamedAndTheOthersStay) {
  append_line(paths_.metrics(), "{\"generation\": 2, \"ga");
  append_line(paths_.metrics(), "{\"generation\": 3}");
  EXPECT_THAT(fsck_run(run_, true).findings, ElementsAre(finding(FsckState::kRepaired, "no JSON in line 3")));
  const std::string text = read_text_file(paths_.metrics());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_THAT(text, HasSubstr("{\"generation\": 3}\n"));
}

TEST_F(FsckTest, DamagedLossesAreNamedAndSetAside) {
  put_file(paths_.losses(), "{\"generation\": 1, \"rows\": [");
  EXPECT_THAT(fsck_run(run_, true).findings,
              ElementsAre(finding(FsckState::kRepaired, "losses.json.damaged")));
  EXPECT_TRUE(fsck_run(run_, true).whole());
}

TEST_F(FsckTest, ALostConfigurationComesBackFromACheckpoint) {
  put_file(paths_.config(), "seed: 1\nnonsense");
  EXPECT_THAT(fsck_run(run_, true).findings,
              ElementsAre(finding(FsckState::kRepaired, "config.textproto.damaged")));
  EXPECT_TRUE(parse_config(read_text_file(paths_.config()), "config"));
}

TEST_F(FsckTest, UnfinishedFilesAreRemovedByRepair) {
  put_file(checkpoint(2).string() + ".tmp", "half a checkpoint");
  EXPECT_THAT(fsck_run(run_, false).findings, ElementsAre(finding(FsckState::kNote, "unfinished")));
  EXPECT_TRUE(fsck_run(run_, true).whole());
  EXPECT_FALSE(std::filesystem::exists(checkpoint(2).string() + ".tmp"));
}

TEST_F(FsckTest, ForeignFilesUnderOurNamesAreSetAside) {
  put_file(checkpoint(1), "PK\3\4");
  put_file(shard_path(paths_.replay(), 1), "a text");
  const FsckReport report = fsck_run(run_, true);
  EXPECT_THAT(report.findings, Contains(finding(FsckState::kRepaired, "is not a file of MakZero")).Times(2));
  EXPECT_TRUE(report.whole());
}

TEST_F(FsckTest, RepairRefusesARunThatIsTrained) {
  const RunLock lock(run_);
  EXPECT_THAT(models::error_of([&] { fsck_run(run_, true); }), HasSubstr("another training uses this run"));
  EXPECT_TRUE(fsck_run(run_, false).whole());
}

TEST_F(FsckTest, OtherFoldersAreRefused) {
  EXPECT_THAT(models::error_of([&] { fsck_run(folder_, true); }), HasSubstr("is no run"));
  EXPECT_THAT(models::error_of([&] { fsck_run(folder_ / "none", false); }), HasSubstr("is no folder"));
}

}  // namespace
}  // namespace makzero::train
