// The spool of a worker: no game is lost before it is durable, and no sequence is given twice.
#include "train/hub/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/file_io.h"
#include "models/frame.h"
#include "tests/support/file_tools.h"
#include "tests/train/hub/hub_samples.h"

namespace makzero::train {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kMegabyte = 1 << 20;

class SpoolTest : public models::FolderTest {
 protected:
  Spool open(std::size_t most_bytes = kMegabyte) const { return Spool(folder_ / "spool", most_bytes); }

  std::filesystem::path segment(const char* name) const { return folder_ / "spool" / name; }
};

std::vector<std::uint64_t> sequences(const Spool& spool) {
  std::vector<std::uint64_t> all;
  for (const SpooledGame& game : spool.games()) all.push_back(game.sequence);
  return all;
}

void add_games(Spool* spool, int count) {
  for (int i = 0; i < count; ++i) spool->add(worker_game(i));
}

TEST_F(SpoolTest, GamesComeBackWithTheirSequencesUnderTheSameName) {
  std::string worker, frame;
  {
    Spool spool = open();
    add_games(&spool, 3);
    worker = spool.worker();
    frame = spool.games()[1].frame;
    EXPECT_EQ(spool.starts(), 1u);
  }
  Spool spool = open();
  EXPECT_EQ(spool.worker(), worker);
  EXPECT_EQ(spool.starts(), 2u);
  EXPECT_THAT(sequences(spool), ElementsAre(1, 2, 3));
  EXPECT_EQ(spool.games()[1].frame, frame);
  const ParsedRecord record = parse_record(models::decode_frame(frame).plain);
  EXPECT_EQ(record.record->worker(), worker);
  EXPECT_EQ(record.record->sequence(), 2u);
  add_games(&spool, 1);
  EXPECT_EQ(spool.games().back().sequence, 4u);
  EXPECT_THAT(spool.warnings(), IsEmpty());
}

TEST_F(SpoolTest, TwoSpoolsHaveTwoNames) {
  const Spool first(folder_ / "a", kMegabyte), second(folder_ / "b", kMegabyte);
  EXPECT_NE(first.worker(), second.worker());
  EXPECT_TRUE(is_worker_name(first.worker()));
}

TEST_F(SpoolTest, TheNameBeginsWithTheAccountThatSendsTheGames) {
  const auto open_with = [&](const std::string& account) {
    return Spool(folder_ / "spool", kMegabyte, account).worker();
  };
  const std::string worker = open_with("makyek-worker");
  EXPECT_THAT(worker, testing::StartsWith("makyek-worker."));
  EXPECT_EQ(open_with("makyek-worker"), worker);
  EXPECT_THAT(models::error_of([&] { open_with("makyek"); }), HasSubstr("account 'makyek' may not send"));
}

TEST_F(SpoolTest, DurableGamesAreForgottenAndTheSequenceGoesOn) {
  {
    Spool spool = open();
    add_games(&spool, 150);  // Three segments.
    spool.drop_through(70);
    EXPECT_EQ(spool.games().front().sequence, 71u);
    EXPECT_FALSE(std::filesystem::exists(segment("000000000001.mzg")));
    EXPECT_TRUE(std::filesystem::exists(segment("000000000065.mzg")));
  }
  {
    Spool spool = open();
    EXPECT_EQ(sequences(spool).front(), 65u) << "a segment goes as a whole";
    spool.drop_through(150);
    EXPECT_EQ(spool.bytes(), 0u);
  }
  Spool spool = open();
  spool.drop_through(150);
  add_games(&spool, 1);
  EXPECT_THAT(sequences(spool), ElementsAre(151));
}

TEST_F(SpoolTest, IsFullAtItsBoundAndNotBelow) {
  Spool spool = open(1000);
  int games = 0;
  for (; !spool.full(); ++games) add_games(&spool, 1);
  EXPECT_GE(spool.bytes(), 1000u);
  EXPECT_GT(games, 1);
  spool.drop_through(1);
  EXPECT_FALSE(spool.full());
}

TEST_F(SpoolTest, ATornLastGameIsCutOffAndItsSequenceIsFree) {
  {
    Spool spool = open();
    add_games(&spool, 3);
  }
  const auto path = segment("000000000001.mzg");
  const std::string whole = models::read_text_file(path);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    models::put_file(path, whole.substr(0, size));
    Spool spool = open();
    ASSERT_THAT(spool.warnings(), IsEmpty()) << size;
    add_games(&spool, 1);
    ASSERT_EQ(spool.games().back().sequence, spool.games().size()) << size;
  }
}

TEST_F(SpoolTest, AnyFlippedByteCostsAGameAtMostAndNoSequenceIsGivenTwice) {
  {
    Spool spool = open();
    add_games(&spool, 3);
  }
  const std::string worker = models::read_text_file(segment("worker"));
  const std::string whole = models::read_text_file(segment("000000000001.mzg"));
  for (std::size_t offset = 0; offset < whole.size(); offset += 11) {
    std::filesystem::remove_all(folder_ / "spool");
    std::filesystem::create_directories(folder_ / "spool");
    models::put_file(segment("worker"), worker);
    models::put_file(segment("000000000001.mzg"), models::flipped(whole, offset));
    Spool spool = open();
    ASSERT_THAT(spool.warnings(), testing::SizeIs(1)) << offset;
    ASSERT_GE(spool.games().size(), 2u) << offset;
    add_games(&spool, 1);
    ASSERT_GT(spool.games().back().sequence, 3u) << offset;
  }
}

TEST_F(SpoolTest, GamesOfAnotherSpoolAreLeftOut) {
  {
    Spool spool = open();
    add_games(&spool, 2);
  }
  models::put_file(folder_ / "spool" / "worker", "another\n");
  const Spool spool = open();
  EXPECT_THAT(spool.games(), IsEmpty());
  EXPECT_THAT(spool.warnings(), testing::Contains(HasSubstr("no game of worker another")));
}

TEST_F(SpoolTest, OneProcessHasItAtATime) {
  const Spool spool = open();
  EXPECT_THAT(models::error_of([&] { open(); }), HasSubstr("another worker uses this spool"));
}

}  // namespace
}  // namespace makzero::train
