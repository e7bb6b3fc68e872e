// Batches made ahead are those that would be made one by one, and the learner does not wait for them.
#include "train/learning/batch_pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace makzero::train {
namespace {

using Seeds = std::vector<std::uint64_t>;

// A pipeline of which only the seeds are looked at.
class BatchPipelineTest : public testing::Test {
 protected:
  // What every make was told, in the order in which they are handed out.
  Seeds seeds_of(std::int64_t count, int ahead) {
    std::map<const nn::StagedBatch*, std::uint64_t> seed_of;
    std::mutex mutex;
    BatchPipeline pipeline(
        [&](std::uint64_t seed) {
          auto batch = some_batch();
          const std::lock_guard lock(mutex);
          seed_of[batch.get()] = seed;
          made_.push_back(batch);
          return batch;
        },
        count, ahead, 7);
    Seeds seeds;
    while (const auto batch = pipeline.next()) seeds.push_back(seed_of.at(batch.get()));
    return seeds;
  }

  std::shared_ptr<const nn::StagedBatch> some_batch() const {
    nn::TrainBatch batch;
    batch.add_rows(1, 1, 0);
    batch.move_begin = {0, 1};
    batch.move_index = {1};
    batch.targets[nn::Head::kPolicy] = {{1}, {1}};
    *batch.target(nn::Head::kMovesLeft, 0) = 1;
    for (const nn::Head head : {nn::Head::kValue, nn::Head::kShortTerm}) *batch.target(head, 0) = 1;
    return learner_.stage(batch);
  }

  nn::Learner learner_{{.planes = {"own man"}, .blocks = 1, .channels = 8}, {.threads = 1}, 1};
  std::vector<std::shared_ptr<const nn::StagedBatch>> made_;
};

TEST_F(BatchPipelineTest, TheSameBatchesHoweverManyAreMadeAhead) {
  const Seeds one_by_one = seeds_of(20, 1);
  EXPECT_EQ(one_by_one.size(), 20u);
  EXPECT_EQ(std::set(one_by_one.begin(), one_by_one.end()).size(), 20u);
  EXPECT_EQ(seeds_of(20, 4), one_by_one);
  EXPECT_EQ(seeds_of(3, 8), Seeds(one_by_one.begin(), one_by_one.begin() + 3));
  EXPECT_TRUE(seeds_of(0, 2).empty());
}

TEST_F(BatchPipelineTest, WaitingIsMeasuredAndMoreAheadEndsIt) {
  using std::chrono::milliseconds;
  const auto waited = [&](int ahead) {
    BatchPipeline pipeline(
        [&](std::uint64_t) {
          std::this_thread::sleep_for(milliseconds(60));
          return some_batch();
        },
        6, ahead, 7);
    while (pipeline.next()) std::this_thread::sleep_for(milliseconds(30));
    return pipeline.waited_seconds();
  };
  EXPECT_GT(waited(1), 0.1);   // 5 batches of 30 ms.
  EXPECT_LT(waited(4), 0.09);  // Made in time, were the machine not busy.
}

TEST_F(BatchPipelineTest, EndsWhereThereIsNothingAndTellsWhatFailed) {
  BatchPipeline nothing([](std::uint64_t) { return nullptr; }, 5, 2, 7);
  EXPECT_EQ(nothing.next(), nullptr);
  BatchPipeline broken(
      [](std::uint64_t) -> std::shared_ptr<const nn::StagedBatch> {
        throw std::runtime_error("a bad record");
      },
      5, 2, 7);
  EXPECT_THAT([&] { broken.next(); }, testing::ThrowsMessage<std::runtime_error>("a bad record"));
}

}  // namespace
}  // namespace makzero::train
