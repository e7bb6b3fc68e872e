// The store of a run's checkpoints: what is listed, which one is best.
#include "models/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "models/framed_file.h"
#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using testing::HasSubstr;

class CheckpointStoreTest : public FolderTest {
 protected:
  // Adds a checkpoint of this generation.
  StoredCheckpoint add(std::int64_t generation) {
    Model checkpoint;
    checkpoint.tower.weights = {{"w", {1}, {static_cast<float>(generation)}}};
    checkpoint.manifest.set_generation(generation);
    return store_.add(checkpoint);
  }

  CheckpointStore store_{folder_ / "checkpoints"};
};

std::vector<std::int64_t> generations(const CheckpointStore& store) {
  std::vector<std::int64_t> all;
  for (const StoredCheckpoint& checkpoint : store.list()) all.push_back(checkpoint.generation);
  return all;
}

TEST_F(CheckpointStoreTest, AMissingFolderIsAnEmptyStore) {
  EXPECT_TRUE(store_.list().empty());
  EXPECT_FALSE(store_.latest());
}

TEST_F(CheckpointStoreTest, CheckpointsAreListedByGeneration) {
  for (const std::int64_t generation : {12, 2, 1000000, 999999}) add(generation);
  EXPECT_THAT(generations(store_), testing::ElementsAre(2, 12, 999999, 1000000));
  EXPECT_EQ(store_.latest()->generation, 1000000);
  EXPECT_EQ(store_.list()[1].path.filename(), "000012.mzc");
  EXPECT_EQ(read_model(store_.list()[1].path).tower.weights[0].data[0], 12);
}

TEST_F(CheckpointStoreTest, UnfinishedDamagedAndForeignFilesAreNotListed) {
  add(3);
  for (const char* name :
       {"000004.mzc.tmp", "000005.mzc.damaged", "6.mzc", "notes.txt", "-00007.mzc", "00000x.mzc"}) {
    put_file(folder_ / "checkpoints" / name, "x");
  }
  EXPECT_THAT(generations(store_), testing::ElementsAre(3));
}

}  // namespace
}  // namespace makzero::models
