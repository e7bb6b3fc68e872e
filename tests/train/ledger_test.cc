// The ledger of a run: whatever is done to any of its files is named, and what was deleted on purpose is not.
#include "train/run/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "models/framed_file.h"
#include "models/store.h"
#include "tests/support/file_tools.h"
#include "tests/support/tiny_run.h"
#include "train/config.h"
#include "train/rating/rating.h"
#include "train/replay/replay_store.h"
#include "train/run/file_kinds.h"
#include "train/run/fsck.h"
#include "train/run/kept_checkpoints.h"
#include "train/run/start_training.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;
using models::put_file;
using models::read_text_file;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

void train(const fs::path& run, int generations, int seed, const Overrides& more = {}) {
  TrainRequest request;
  request.game = "makyek";
  request.run = run;
  request.seed = seed;
  request.overrides = tiny_run();
  for (const auto& [key, value] : Overrides{{"generations", std::to_string(generations)},
                                            {"rating.time_share", "1"},
                                            {"rating.games", "2"},
                                            {"rating.simulations", "2"},
                                            {"replay.minimum_window", "200"}})
    request.overrides.emplace_back(key, value);
  request.overrides.insert(request.overrides.end(), more.begin(), more.end());
  run_training(request, {});
}

std::vector<fs::path> files_of(const fs::path& run) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(run)) {
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(run));
  }
  std::sort(files.begin(), files.end());
  return files;
}

class LedgerTest : public models::FolderTest {
 protected:
  LedgerTest() : run_(folder_ / "run"), paths_(run_) { train(run_, 2, 1); }

  fs::path run_;
  RunPaths paths_;
};

// Where half of the frames or lines end; in the middle of events.
std::size_t frame_end(const fs::path& file, const std::string& content) {
  if (const auto kind = models::find_file_kind(file)) {
    std::size_t end = 24;  // The header alone, of a file of one frame.
    models::FrameReader reader(file, *kind);
    while (reader.next() && reader.good_bytes() <= std::max<std::size_t>(24, content.size() / 2))
      end = reader.good_bytes();
    return end;
  }
  if (file.filename().string().starts_with("events.")) return content.size() / 2;
  return content.find('\n', content.size() / 2) + 1 < content.size()
             ? content.find('\n', content.size() / 2) + 1
             : content.find('\n') + 1;
}

// The file of another run in the place of this one; of the events, whose names hold the time, any.
fs::path other_file(const fs::path& other, const fs::path& name) {
  if (fs::exists(other / name)) return other / name;
  return fs::directory_iterator(other / name.parent_path())->path();
}

TEST_F(LedgerTest, WhateverHappensToAnyFileIsNamed) {
  const fs::path other = folder_ / "other";
  train(other, 2, 2);
  ASSERT_TRUE(fsck_run(run_, false).whole()) << fsck_run(run_, false).text();
  EXPECT_THAT(fsck_run(run_, false).findings, IsEmpty());
  for (const fs::path& name : files_of(run_)) {
    const RunFileKind* kind = kind_of(name);
    ASSERT_NE(kind, nullptr) << name << " is in no row of the table";
    std::cout << name.string() << ": " << kind->what
              << (kind->uncovered.empty() ? "" : ", not covered: " + std::string(kind->uncovered)) << "\n";
    if (!kind->uncovered.empty()) continue;
    const fs::path file = run_ / name;
    const std::string whole = read_text_file(file);
    ASSERT_GT(whole.size(), 2u) << name;
    const std::map<std::string, std::function<void()>> damages = {
        {"delete", [&] { fs::remove(file); }},
        {"cut at a frame", [&] { put_file(file, whole.substr(0, frame_end(file, whole))); }},
        {"cut inside one", [&] { put_file(file, whole.substr(0, whole.size() - 2)); }},
        {"empty", [&] { put_file(file, ""); }},
        {"swap", [&] { put_file(file, read_text_file(other_file(other, name))); }},
        {"flip a bit", [&] { put_file(file, models::flipped(whole, whole.size() / 2)); }}};
    for (const auto& [damage, apply] : damages) {
      apply();
      if (fs::exists(file) && read_text_file(file) == whole) {
        EXPECT_EQ(damage, "cut at a frame") << name;  // A single line.
        continue;
      }
      const FsckReport report = fsck_run(run_, false);
      EXPECT_TRUE(std::ranges::any_of(report.findings,
                                      [&](const FsckFinding& finding) {
                                        return finding.path == file && finding.state == FsckState::kDamaged;
                                      }))
          << name << ", " << damage << ":\n"
          << report.text();
      put_file(file, whole);
    }
  }
  EXPECT_TRUE(fsck_run(run_, false).whole());
}

TEST_F(LedgerTest, ARepairedRunIsWholeAndTrainsOn) {
  const fs::path config = paths_.config();
  const std::string before = read_text_file(config);
  put_file(config, "");
  fs::remove(paths_.replay() / "index");
  fs::remove(run_ / "ledger");
  fs::remove(paths_.learner());
  fs::resize_file(run_ / "matches.mzm", 24);
  EXPECT_FALSE(fsck_run(run_, false).whole());
  EXPECT_TRUE(fsck_run(run_, true).whole());
  EXPECT_TRUE(fsck_run(run_, false).whole()) << fsck_run(run_, false).text();
  EXPECT_EQ(read_text_file(config), before);
  EXPECT_TRUE(fs::exists(paths_.replay() / "index"));
  train(run_, 3, 1);
  EXPECT_TRUE(fsck_run(run_, false).whole()) << fsck_run(run_, false).text();
}

TEST_F(LedgerTest, AStartNamesWhatIsLostAndDoesNotHideIt) {
  const fs::path shard = shard_path(paths_.replay(), 0);
  fs::remove(shard);
  train(run_, 3, 1);
  EXPECT_THAT(read_text_file(paths_.log()), HasSubstr(shard.string() + ": is missing; the ledger"));
  EXPECT_FALSE(fsck_run(run_, false).whole());
}

TEST_F(LedgerTest, AnEmptyConfigurationIsSaidToBeDamaged) {
  put_file(paths_.config(), "\n");
  EXPECT_THAT(models::error_of([&] { train(run_, 3, 1); }),
              testing::AllOf(HasSubstr("config.textproto: is empty"), HasSubstr("--repair")));
}

TEST_F(LedgerTest, ThinningKeepsTheNewestTheRatedAndTheNamed) {
  train(run_, 12, 1, {{"rating.time_share", "0"}});
  std::set<std::int64_t> rated;
  const RatingStore matches(run_);
  for (const auto& [player, generation] : matches.generations()) rated.insert(generation);
  keep_checkpoint(models::CheckpointStore(paths_.checkpoints()).path(3), "a test");
  const std::int64_t games = ReplayStore(paths_.replay(), 20, 0).games();
  const std::size_t shards = list_shards(paths_.replay()).size();
  train(run_, 13, 1,
        {{"rating.time_share", "0"},
         {"checkpoints.keep", "2"},
         {"replay.gigabytes", "0.000001"},
         {"replay.maximum_window", "400"}});
  std::set<std::int64_t> left;
  for (const auto& stored : models::CheckpointStore(paths_.checkpoints()).list())
    left.insert(stored.generation);
  rated.insert({3, 12, 13});
  EXPECT_EQ(left, rated);
  EXPECT_LT(list_shards(paths_.replay()).size(), shards);
  const ReplayStore replay(paths_.replay(), 20);
  EXPECT_GE(replay.games(), games) << "deleted games are still counted";
  EXPECT_GE(replay.window_rows(), 400);
  EXPECT_THAT(fsck_run(run_, false).findings, IsEmpty()) << fsck_run(run_, false).text();
  fs::remove(paths_.replay() / "index");
  EXPECT_TRUE(fsck_run(run_, true).whole());
  EXPECT_EQ(ReplayStore(paths_.replay(), 20, 0).games(), replay.games());
}

}  // namespace
}  // namespace makzero::train
