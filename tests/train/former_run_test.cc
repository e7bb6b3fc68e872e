// A run folder that an earlier version wrote stays usable: it is resumed, replayed, inspected, checked and
// published. What tests/data/runs holds is never made anew; a format that changes must go on reading it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "game/catalog.h"
#include "models/file_io.h"
#include "models/model.h"
#include "models/store.h"
#include "models/zoo.h"
#include "tests/support/file_tools.h"
#include "train/replay/game_replay.h"
#include "train/replay/replay_store.h"
#include "train/run/fsck.h"
#include "train/run/inspect.h"
#include "train/run/start_training.h"
#include "train/run_folder.h"
#include "train/zoo/model_card.h"
#include "train/zoo/publish.h"

namespace makzero::train {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kGames = 51;  // Of the run, in three generations.

class FormerRunTest : public models::FolderTest {
 protected:
  FormerRunTest() {
    std::filesystem::copy(MAKZERO_TEST_DATA "/runs/makyek-2026-10", run_,
                          std::filesystem::copy_options::recursive);
  }

  models::Manifest latest() const {
    return models::read_manifest(models::CheckpointStore(paths_.checkpoints()).latest()->path);
  }

  // Trains until there are so many generations.
  void train_to(int generation) const {
    TrainRequest request;
    request.game = "makyek";
    request.run = run_;
    request.overrides = {{"generations", std::to_string(generation)}, {"rating.time_share", "0"}};
    run_training(request, {});
  }

  std::filesystem::path run_ = folder_ / "run";
  RunPaths paths_{run_};
};

TEST_F(FormerRunTest, GoesOnWhereItWasWithTheNetworkThatItHas) {
  const models::Manifest before = latest();
  const nn::LearnerState state = models::read_learner_state(paths_.learner(), nullptr);
  EXPECT_EQ(state.steps, 78);
  EXPECT_EQ(state.moment_steps, 78);
  train_to(4);
  const models::Manifest after = latest();
  EXPECT_EQ(after.generation(), 4);
  EXPECT_EQ(after.parent(), models::id_of(before));
  EXPECT_GT(after.steps(), before.steps());
  EXPECT_GT(after.evaluations(), before.evaluations());
  EXPECT_EQ(models::architecture_of(after), models::architecture_of(before)) << "it sees the same planes";
  EXPECT_THAT(models::read_text_file(paths_.log()),
              HasSubstr("resume generation=3 games=51 rows=2460 new_rows=0 steps=78"));
  EXPECT_THAT(models::read_text_file(paths_.config()),
              AllOf(HasSubstr("max_game_length: 60"), HasSubstr("bootstrap_evaluator: MATERIAL")));
}

TEST_F(FormerRunTest, KeysThatItUsesAndThatWereDeletedAreNamedInALineEachOnce) {
  std::string config = models::read_text_file(paths_.config());
  const std::string key = "full_search_share: ";
  config.replace(config.find(key) + key.size(), 1, "0.5");
  models::put_file(paths_.config(), config);
  std::string lines;
  for (const char* deleted : {"playout_cap_full_share", "material_blend_weight"})
    lines += fmt::format("{}: self_play.{} = 0.5 has no effect any more: the key was deleted\n",
                         paths_.config().string(), deleted);
  testing::internal::CaptureStderr();
  train_to(4);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), lines);
  testing::internal::CaptureStderr();
  train_to(5);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(models::read_text_file(paths_.log()), HasSubstr(lines));
}

TEST_F(FormerRunTest, GoingOnDeletesNothingAndBeginsALedger) {
  const auto contents = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run_)) {
      if (entry.is_regular_file()) files[entry.path()] = models::read_text_file(entry.path());
    }
    return files;
  };
  const auto before = contents();
  train_to(6);
  const auto after = contents();
  for (const auto& [file, content] : before) {
    ASSERT_TRUE(after.contains(file)) << file;
    const bool is_replaced = file.ends_with("learner.mzl") || file.ends_with("status.json") ||
                             file.ends_with("config.textproto") || file.ends_with("index");
    EXPECT_TRUE(is_replaced || after.at(file).starts_with(content)) << file;
  }
  EXPECT_THAT(models::read_text_file(paths_.config()),
              AllOf(HasSubstr("keep: 0"), HasSubstr("gigabytes: 0")));
  EXPECT_TRUE(std::filesystem::exists(run_ / "ledger"));
  EXPECT_THAT(fsck_run(run_, false).findings, IsEmpty()) << fsck_run(run_, false).text();
}

TEST_F(FormerRunTest, GoesOnFromItsCheckpointWithoutALearnerState) {
  std::filesystem::remove(paths_.learner());
  train_to(4);
  EXPECT_EQ(latest().generation(), 4);
  EXPECT_EQ(models::architecture_of(latest()).planes.back(), "board");
}

TEST_F(FormerRunTest, ItsGamesAreReplayedAndThoseThatWereCutAreKnown) {
  const game::GamePtr game = *game::make_game("makyek");
  const ReplayStore replay(paths_.replay(), 20);
  EXPECT_THAT(replay.warnings(), IsEmpty());
  ASSERT_EQ(replay.window().size(), static_cast<size_t>(kGames));
  int cut = 0;
  for (const auto& record : replay.window()) {
    const GameReplay played = replay_game(*game, *record, {});
    // Drawn games that were cut have the reason of the rules' own limit, which none of them reached.
    const auto reason = static_cast<game::Reason>(record->reason());
    EXPECT_EQ(played.cut, reason == game::Reason::kPlyLimit || reason == game::Reason::kMaterialAtPlyCap)
        << record->number();
    cut += played.cut;
  }
  EXPECT_GT(cut, kGames / 2);
}

TEST_F(FormerRunTest, IsInspectedAndFoundWhole) {
  const std::string id = models::id_of(latest());
  EXPECT_THAT(inspect_file(models::CheckpointStore(paths_.checkpoints()).latest()->path),
              AllOf(HasSubstr("id            " + id), HasSubstr("2 blocks x 32 channels"),
                    HasSubstr("quiet plies, ply, board")));
  EXPECT_THAT(inspect_file(paths_.learner()), HasSubstr("78 steps"));
  EXPECT_THAT(inspect_file(paths_.replay() / "000000.mzg"), HasSubstr("makyek"));
  EXPECT_THAT(inspect_file(run_ / "matches.mzm"), HasSubstr("random"));
  const FsckReport report = fsck_run(run_, false);
  EXPECT_TRUE(report.whole()) << report.text();
  EXPECT_THAT(report.findings, IsEmpty()) << report.text();
}

TEST_F(FormerRunTest, ItsNetworkIsPublished) {
  const models::Zoo zoo(folder_ / "zoo");
  const auto latest = models::CheckpointStore(paths_.checkpoints()).latest();
  const PublishOptions brief{.opponents = {"random"}, .simulations = 2, .match = {.games = 2, .threads = 1}};
  ASSERT_TRUE(publish(latest->path, zoo, brief, [](const Progress&) {}));
  EXPECT_THAT(check_zoo(zoo), IsEmpty());
  EXPECT_EQ(zoo.find("makyek"), zoo.entry("makyek").network());
  EXPECT_EQ(zoo.find("makyek:no_progress=0,repetition=5,max_plies=0"), zoo.entry("makyek").network());
  EXPECT_EQ(zoo.find("makyek:jump=on"), std::nullopt);
}

}  // namespace
}  // namespace makzero::train
