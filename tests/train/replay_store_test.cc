// The record store: nothing that was added is lost, a big run opens quickly.
#include "train/replay/replay_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "models/file_io.h"
#include "tests/support/file_tools.h"
#include "train/replay/shard_index.h"

namespace makzero::train {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class ReplayStoreTest : public models::FolderTest {
 protected:
  // Opening counts the last shard too.
  void complete_index(int games_per_shard) const { const ReplayStore store(folder_, games_per_shard, 0); }
};

// A game with this number and `rows` rows, every other ply.
GameRecord game_of(std::uint64_t number, int rows) {
  GameRecord game;
  game.set_number(number);
  for (int i = 0; i < 2 * rows; ++i) {
    PlyRecord* ply = game.add_plies();
    ply->set_move(static_cast<std::uint32_t>(i));
    ply->set_full_search(i % 2 == 1);
  }
  return game;
}

void add_games(ReplayStore* store, std::uint64_t first, int count, int rows) {
  for (int i = 0; i < count; ++i) store->add(game_of(first + i, rows));
}

std::vector<std::uint64_t> numbers(const ReplayStore& store) {
  std::vector<std::uint64_t> all;
  for (const auto& game : store.window()) all.push_back(game->number());
  return all;
}

void flip(const std::filesystem::path& path, std::size_t offset) {
  models::put_file(path, models::flipped(models::read_text_file(path), offset));
}

TEST_F(ReplayStoreTest, GamesComeBackInTheirOrderAcrossShards) {
  {
    ReplayStore store(folder_, 3);
    add_games(&store, 0, 8, 2);
  }
  const ReplayStore store(folder_, 3);
  EXPECT_EQ(store.games(), 8);
  EXPECT_EQ(store.rows(), 16);
  EXPECT_EQ(store.window_rows(), 16);
  EXPECT_THAT(numbers(store), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(store.warnings(), IsEmpty());
  EXPECT_EQ(store.window()[5]->SerializeAsString(), game_of(5, 2).SerializeAsString());
}

TEST_F(ReplayStoreTest, AShardHoldsAsManyGamesAsAskedForAndIsFilledUpAfterReopening) {
  for (int i = 0; i < 5; ++i) ReplayStore(folder_, 2).add(game_of(i, 1));
  const std::vector<Shard> shards = list_shards(folder_);
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(shards[2].path.filename(), "000002.mzg");
  EXPECT_EQ(ReplayStore(folder_, 2).games(), 5);
}

TEST_F(ReplayStoreTest, TheWindowForgetsTheOldestGamesAsLongAsEnoughRowsRemain) {
  ReplayStore store(folder_, 4);
  add_games(&store, 0, 10, 3);
  store.set_window(8);
  EXPECT_THAT(numbers(store), testing::ElementsAre(7, 8, 9));
  EXPECT_EQ(store.window_rows(), 9);
  EXPECT_EQ(store.games(), 10);
  EXPECT_EQ(store.rows(), 30);
}

TEST_F(ReplayStoreTest, AGrowingWindowLoadsForgottenGamesAgain) {
  ReplayStore store(folder_, 4);
  add_games(&store, 0, 10, 3);
  store.set_window(1);
  store.set_window(15);
  EXPECT_THAT(numbers(store), testing::ElementsAre(5, 6, 7, 8, 9));
  add_games(&store, 10, 1, 3);
  store.set_window(ReplayStore::kEverything);
  EXPECT_THAT(numbers(store), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_EQ(store.window_rows(), 33);
}

TEST(WindowSizeTest, GrowsMoreSlowlyThanTheRowsBetweenItsBounds) {
  ReplayConfig config;
  config.set_minimum_window(1000);
  config.set_maximum_window(50'000);
  EXPECT_EQ(window_size(config, 0), 1000);
  EXPECT_EQ(window_size(config, 1000), 1000);
  EXPECT_EQ(window_size(config, 10'000), 4466);
  EXPECT_EQ(window_size(config, 100'000), 19'952);
  EXPECT_EQ(window_size(config, 1'000'000), 50'000);
}

TEST_F(ReplayStoreTest, AnEmptyWindowGoesOnWithTheGamesThatAreAdded) {
  ReplayStore(folder_, 2).add(game_of(0, 1));
  ReplayStore store(folder_, 2, 0);
  EXPECT_EQ(store.rows(), 1);
  EXPECT_EQ(store.window_rows(), 0);
  add_games(&store, 1, 4, 1);
  EXPECT_THAT(numbers(store), testing::ElementsAre(1, 2, 3, 4));
  store.set_window(2);
  store.set_window(4);
  EXPECT_THAT(numbers(store), testing::ElementsAre(1, 2, 3, 4));
  store.set_window(0);
  EXPECT_THAT(store.window(), IsEmpty());
  store.set_window(ReplayStore::kEverything);
  EXPECT_THAT(numbers(store), testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(ReplayStoreTest, MemoryStaysBoundedAndTheNextWindowIsReadFromTheDisk) {
  ReplayStore store(folder_, 3, 0);
  store.set_window(8);
  store.set_most_rows(16);
  add_games(&store, 0, 30, 2);
  EXPECT_EQ(store.window_rows(), 16);
  EXPECT_THAT(numbers(store), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(store.games(), 30);
  EXPECT_EQ(store.rows(), 60);
  store.set_window(8);
  EXPECT_THAT(numbers(store), testing::ElementsAre(26, 27, 28, 29));
  add_games(&store, 30, 2, 2);
  EXPECT_THAT(numbers(store), testing::ElementsAre(26, 27, 28, 29, 30, 31)) << "it goes on in memory";
  store.set_window(12);
  EXPECT_THAT(numbers(store), testing::ElementsAre(26, 27, 28, 29, 30, 31));
  add_games(&store, 32, 20, 2);
  store.set_window(ReplayStore::kEverything);
  EXPECT_EQ(store.window().size(), 52u) << "nothing is lost on disk";
  EXPECT_THAT(store.warnings(), IsEmpty());
}

TEST_F(ReplayStoreTest, ABigRunOpensWithoutReadingTheShardsBeforeTheWindow) {
  {
    ReplayStore store(folder_, 10);
    add_games(&store, 0, 100, 2);
  }
  complete_index(10);
  // Made unreadable without a change of size: reading it would be reported.
  flip(shard_path(folder_, 0), 60);
  ReplayStore store(folder_, 10, 30);
  EXPECT_EQ(store.games(), 100);
  EXPECT_EQ(store.window_rows(), 30);
  EXPECT_THAT(store.warnings(), IsEmpty());
  store.set_window(ReplayStore::kEverything);
  EXPECT_EQ(store.games(), 99);
  EXPECT_EQ(store.window_rows(), 198);
  EXPECT_THAT(store.warnings(), testing::ElementsAre(HasSubstr("000000.mzg")));
}

TEST_F(ReplayStoreTest, TheRowsOfAllGamesAreCountedWithoutOpeningTheStore) {
  EXPECT_EQ(stored_rows(folder_), 0);
  ReplayStore store(folder_, 2, 6);
  add_games(&store, 0, 7, 3);  // The last shard is not in the index yet.
  EXPECT_EQ(stored_rows(folder_), 21);
  store.set_window(6);
  const auto deleted = store.delete_oldest(1, 6);
  ASSERT_FALSE(deleted.empty());
  EXPECT_EQ(stored_rows(folder_), 21) << "a process was killed before it had deleted them";
  for (const std::filesystem::path& file : deleted) std::filesystem::remove(file);
  EXPECT_EQ(stored_rows(folder_), 21);
  std::filesystem::remove(list_shards(folder_).front().path);
  EXPECT_LT(stored_rows(folder_), 21) << "a shard that is missing has no rows";
}

TEST_F(ReplayStoreTest, TheIndexIsMadeAnewWhenItIsLostOrDamaged) {
  {
    ReplayStore store(folder_, 3);
    add_games(&store, 0, 7, 2);
  }
  complete_index(3);
  const std::string whole = models::read_text_file(folder_ / "index");
  std::vector<std::string> contents = {"", "nonsense", whole.substr(0, whole.size() - 1)};
  for (std::size_t offset = 0; offset < whole.size(); ++offset)
    contents.push_back(models::flipped(whole, offset));
  for (const std::string& content : contents) {
    models::put_file(folder_ / "index", content);
    const ReplayStore store(folder_, 3, 0);
    ASSERT_EQ(store.games(), 7) << content;
    ASSERT_EQ(store.rows(), 14) << content;
    ASSERT_EQ(models::read_text_file(folder_ / "index"), whole) << content;
  }
  std::filesystem::remove(folder_ / "index");
  EXPECT_EQ(ReplayStore(folder_, 3, 0).games(), 7);
}

TEST_F(ReplayStoreTest, TheMarksOfWorkersAreThoseOfAllGamesOnDisk) {
  const auto add = [this](const std::string& worker, std::uint64_t sequence) {
    ReplayStore store(folder_, 2, 0);
    GameRecord game = game_of(store.next_number(), 1);
    game.set_worker(worker);
    game.set_sequence(sequence);
    store.add(std::move(game));
    return store.marks();
  };
  EXPECT_THAT(ReplayStore(folder_, 2).marks(), IsEmpty());
  WorkerMarks marks;
  for (std::uint64_t i = 1; i <= 5; ++i) {
    marks = {{"a", i}, {"b", 10 * i}};
    add("a", i);
    ASSERT_EQ(add("b", 10 * i), marks);
  }
  EXPECT_EQ(ReplayStore(folder_, 2, 0).marks(), marks);
  // A shard that the index knows is not read: its marks are those of the index.
  EXPECT_THAT(models::read_text_file(folder_ / "index"), HasSubstr("worker a 5\nworker b 50\n"));
  flip(shard_path(folder_, 0), 60);
  EXPECT_EQ(ReplayStore(folder_, 2, 0).marks(), marks);
  std::filesystem::remove(folder_ / "index");
  EXPECT_EQ(ReplayStore(folder_, 2, 0).marks(), marks);
}

TEST_F(ReplayStoreTest, AnIndexWithoutWorkersIsThatOfBefore) {
  ReplayStore(folder_, 2).add(game_of(0, 3));
  complete_index(2);
  EXPECT_THAT(models::read_text_file(folder_ / "index"),
              testing::MatchesRegex("# shard bytes games rows, xxh3 [0-9a-f]+\n000000.mzg [0-9]+ 1 3\n"));
}

TEST_F(ReplayStoreTest, ATornLastGameIsCutOffAndTheStoreGoesOn) {
  {
    ReplayStore store(folder_, 10);
    add_games(&store, 0, 3, 4);
  }
  const std::filesystem::path shard = shard_path(folder_, 0);
  std::filesystem::resize_file(shard, std::filesystem::file_size(shard) - 5);
  {
    ReplayStore store(folder_, 10);
    EXPECT_THAT(store.warnings(), testing::ElementsAre(HasSubstr("unfinished")));
    store.add(game_of(7, 1));
    EXPECT_THAT(numbers(store), testing::ElementsAre(0, 1, 7));
  }
  const ReplayStore store(folder_, 10);
  EXPECT_THAT(store.warnings(), IsEmpty());
  EXPECT_THAT(numbers(store), testing::ElementsAre(0, 1, 7));
  EXPECT_FALSE(std::filesystem::exists(shard.string() + ".damaged"));
}

TEST_F(ReplayStoreTest, TruncationAtAnyLengthLosesOnlyTheGamesThatWereCut) {
  std::vector<std::uint64_t> ends;
  const std::filesystem::path shard = shard_path(folder_, 0);
  {
    ReplayStore store(folder_, 10);
    for (int i = 0; i < 3; ++i) {
      store.add(game_of(i, 2));
      ends.push_back(std::filesystem::file_size(shard));
    }
  }
  const std::string whole = models::read_text_file(shard);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    models::put_file(shard, whole.substr(0, size));
    std::filesystem::remove(folder_ / "index");
    const auto kept = std::count_if(ends.begin(), ends.end(), [&](std::uint64_t end) { return end <= size; });
    ReplayStore store(folder_, 10);
    ASSERT_EQ(store.games(), kept) << size;
    store.add(game_of(9, 1));
    ASSERT_EQ(ReplayStore(folder_, 10).games(), kept + 1) << size;
  }
}

TEST_F(ReplayStoreTest, AnyFlippedByteIsNamedAndCostsOneGameAtMost) {
  const std::filesystem::path shard = shard_path(folder_, 0);
  {
    ReplayStore store(folder_, 10);
    add_games(&store, 0, 3, 2);
  }
  const std::string whole = models::read_text_file(shard);
  for (std::size_t offset = 0; offset < whole.size(); ++offset) {
    const std::string damaged = models::flipped(whole, offset);
    models::put_file(shard, damaged);
    const ReplayStore store(folder_, 10);
    ASSERT_THAT(store.warnings(), testing::Contains(HasSubstr("bytes "))) << offset;
    ASSERT_GE(store.games(), 2) << offset;
    ASSERT_EQ(models::read_text_file(shard.string() + ".damaged"), damaged) << offset;
    std::filesystem::remove(shard.string() + ".damaged");
  }
}

// A number that a lost game leaves free must not go to another: who knows games by number would mix them up.
TEST_F(ReplayStoreTest, TheNextNumberIsAboveThatOfEveryGameOnDisk) {
  EXPECT_EQ(ReplayStore(folder_, 3).next_number(), 0u);
  {
    ReplayStore store(folder_, 3);
    add_games(&store, 0, 8, 2);
    EXPECT_EQ(store.next_number(), 8u);
  }
  const auto damage_middle = [](const std::filesystem::path& shard) {
    flip(shard, std::filesystem::file_size(shard) / 2);
  };
  damage_middle(shard_path(folder_, 0));
  EXPECT_EQ(ReplayStore(folder_, 3, 0).next_number(), 8u);
  std::filesystem::remove(shard_path(folder_, 0));
  ReplayStore store(folder_, 3);
  EXPECT_EQ(store.games(), 5);
  EXPECT_EQ(store.next_number(), 8u);
  add_games(&store, store.next_number(), 1, 2);
  EXPECT_EQ(store.next_number(), 9u);
}

// Plies of alpha-beta have a depth in place of a full search.
TEST_F(ReplayStoreTest, TheWindowCountsTheRowsOfAlphaBetaToo) {
  ReplayStore store(folder_, 10, 0);
  store.set_most_rows(8);
  for (int i = 0; i < 9; ++i) {
    GameRecord game = game_of(i, 3);
    for (PlyRecord& ply : *game.mutable_plies()) {
      ply.set_depth(ply.full_search() ? 4 : 0);
      ply.set_full_search(false);
    }
    store.add(std::move(game));
  }
  EXPECT_EQ(store.window_rows(), 9) << "then games go to the disk alone";
  store.set_window(6);
  EXPECT_EQ(store.window_rows(), 6);
  EXPECT_THAT(numbers(store), testing::ElementsAre(7, 8));
}

TEST_F(ReplayStoreTest, AMissingShardIsReported) {
  {
    ReplayStore store(folder_, 2);
    add_games(&store, 0, 6, 1);
  }
  complete_index(2);
  std::filesystem::remove(shard_path(folder_, 1));
  const ReplayStore store(folder_, 2);
  EXPECT_THAT(store.warnings(), testing::ElementsAre(HasSubstr("is missing")));
  EXPECT_THAT(numbers(store), testing::ElementsAre(0, 1, 4, 5));
}

TEST_F(ReplayStoreTest, AFolderThatCannotBeMadeIsNamed) {
  models::put_file(folder_ / "replay", "a file");
  EXPECT_THAT(models::error_of([&] { ReplayStore(folder_ / "replay", 2); }),
              HasSubstr((folder_ / "replay").string()));
}

}  // namespace
}  // namespace makzero::train
