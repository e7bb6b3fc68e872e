// `makzero inspect` describes every file of a run.
#include "train/run/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "game/catalog.h"
#include "models/framed_file.h"
#include "tests/support/file_tools.h"
#include "tests/train/small_run.h"
#include "train/match/arena.h"
#include "train/replay/shard_index.h"
#include "train/run/fsck.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using models::put_file;
using models::read_text_file;
using testing::AllOf;
using testing::HasSubstr;

class InspectRunTest : public models::FolderTest {
 protected:
  InspectRunTest() : paths_(folder_ / "run") { make_small_run(paths_.root); }

  RunPaths paths_;
};

TEST_F(InspectRunTest, EveryFileOfARunIsDescribed) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(paths_.root)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_THAT(inspect_file(entry.path()), HasSubstr(entry.path().string()));
  }
}

TEST_F(InspectRunTest, AShardShowsItsCountsAndItsFirstGamesAsMoves) {
  const std::string text = inspect_file(shard_path(paths_.replay(), 0));
  EXPECT_THAT(text, AllOf(HasSubstr("every byte verified"), HasSubstr("3, 6.0 plies each"),
                          HasSubstr("18 to learn from"), HasSubstr("makyek 3"), HasSubstr("1/2-1/2 3"),
                          HasSubstr("0123456789ab 3"), HasSubstr("[Game \"0\"]"), HasSubstr("[Game \"1\"]"),
                          HasSubstr("1. ")));
  EXPECT_THAT(text, testing::Not(HasSubstr("[Game \"2\"]")));
}

TEST_F(InspectRunTest, AnUnfinishedLastGameIsMentionedAndDamageIsAnError) {
  const std::filesystem::path shard = shard_path(paths_.replay(), 0);
  const std::string whole = read_text_file(shard);
  put_file(shard, whole.substr(0, whole.size() - 4));
  EXPECT_THAT(inspect_file(shard), AllOf(HasSubstr("unfinished"), HasSubstr("2, 6.0 plies each")));
  put_file(shard, models::flipped(whole, 50));
  EXPECT_THAT(models::error_of([&] { inspect_file(shard); }),
              AllOf(HasSubstr("bytes 24-"), HasSubstr("fsck")));
}

TEST_F(InspectRunTest, MatchRecordsShowPlayersAndMoves) {
  EXPECT_THAT(inspect_file(paths_.root / "matches.mzm"),
              AllOf(HasSubstr("alphabeta:1 v random 4"), HasSubstr("alphabeta:1 (White) against random"),
                    HasSubstr("random (White) against alphabeta:1"), HasSubstr("1. ")));
}

TEST_F(InspectRunTest, AFileOfAFormerKindIsUnknownAndNotDamaged) {
  const std::filesystem::path file = paths_.root / "leaves/000000.mzf";
  std::filesystem::create_directories(file.parent_path());
  models::FrameAppender(file, static_cast<models::FileKind>(5)).add("evaluations of self-play");
  EXPECT_THAT(inspect_file(file), AllOf(HasSubstr("unknown contents " + file.string()), HasSubstr("1, 24")));
  EXPECT_THAT(fsck_run(paths_.root, false).findings, testing::IsEmpty());
}

TEST_F(InspectRunTest, AMatchGameFromAWrittenStartIsPlayedThrough) {
  const game::GamePtr game = *game::make_game("makruk");
  const auto openings = parse_openings(*game, "4k3/8/8/3n4/8/8/3R4/4K3 b - - 0 1", "file");
  const models::PlayerSpec random{models::PlayerSpec::BuiltIn{"random"}};
  const MatchResult result = play_match(*game, random, random, {.games = 2, .openings = openings->openings},
                                        [](const MatchProgress&) { return true; });
  const std::filesystem::path path = folder_ / "matches.mzm";
  models::FrameAppender records(path, models::FileKind::kMatches);
  for (const MatchRecord& record : result.games) records.add(record.SerializeAsString());
  EXPECT_THAT(inspect_file(path), AllOf(HasSubstr("[FEN \"4k3/8/8/3n4/8/8/3R4/4K3 b"), HasSubstr("\n1. d5")));
}

TEST_F(InspectRunTest, ADatabaseOfBeforeIsSaidToBeUnused) {
  const std::string database = MAKZERO_TEST_DATA "/runs/makyek-2026-10/ratings.sqlite";
  EXPECT_EQ(inspect_file(database),
            "database " + database + ": written by former releases and not read any more\n");
}

TEST_F(InspectRunTest, MetricsShowTheLastLine) {
  EXPECT_THAT(inspect_file(paths_.metrics()),
              AllOf(HasSubstr("lines         2"), HasSubstr("generation=1"), HasSubstr("loss/policy=2.5")));
  append_line(paths_.metrics(), "{\"gen");
  EXPECT_THAT(inspect_file(paths_.metrics()), HasSubstr("damaged       lines 3"));
}

TEST_F(InspectRunTest, EventsAreNamed) {
  const std::filesystem::path events = std::filesystem::directory_iterator(paths_.tensorboard())->path();
  EXPECT_THAT(inspect_file(events), HasSubstr("the figures of metrics.jsonl"));
}

TEST_F(InspectRunTest, AWrongConfigurationSaysWhereItIsWrong) {
  put_file(paths_.config(), "sed: 1\n");
  EXPECT_THAT(models::error_of([&] { inspect_file(paths_.config()); }), HasSubstr("config.textproto:1:"));
}

TEST_F(InspectRunTest, ForeignBinariesAreRefused) {
  put_file(folder_ / "zip", std::string("PK\3\4\0\0", 6));
  EXPECT_THAT(models::error_of([&] { inspect_file(folder_ / "zip"); }), HasSubstr("none of the files"));
  EXPECT_THAT(models::error_of([&] { inspect_file(folder_ / "missing"); }), HasSubstr("No such file"));
}

TEST_F(InspectRunTest, EmptyFilesAreRefusedWhateverTheirNames) {
  for (const char* name : {"a.mzc", "a.mzs", "a.mzl", "a.mzg", "a.mzm", "a.mzf", "a.sqlite", "a.jsonl",
                           "a.textproto", "status.json", "a.txt", "a"}) {
    const std::filesystem::path file = folder_ / name;
    std::ofstream(file).close();
    EXPECT_EQ(models::error_of([&] { inspect_file(file); }), file.string() + ": is empty");
  }
}

TEST_F(InspectRunTest, TextThatATerminalWouldObeyIsRefused) {
  for (const char* foreign : {"\x1b]0;title\a",
                              "a\x9b"
                              "31m",
                              "\xc2\x9b"
                              "31m",
                              "\x7f"
                              "ELF",
                              "\xff\xd8", "bell\a"}) {
    put_file(folder_ / "foreign", foreign);
    EXPECT_THAT(models::error_of([&] { inspect_file(folder_ / "foreign"); }), HasSubstr("none of the files"));
  }
  put_file(folder_ / "object.json", "{\"\\u001b[31m\": 1}");
  EXPECT_THAT(inspect_file(folder_ / "object.json"), HasSubstr("\\x1b[31m=1"));
  put_file(folder_ / "text", "Rek, \xe0\xb9\x84\xe0\xb8\x97\xe0\xb8\xa2\tand \xe2\x80\xa6\n");
  EXPECT_THAT(inspect_file(folder_ / "text"), HasSubstr("Rek"));
}

}  // namespace
}  // namespace makzero::train
