// The stream of rating pairs: what both hubs do alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "models/file_io.h"
#include "tests/support/file_tools.h"
#include "tests/train/hub/redis_server.h"
#include "train/hub/memory_hub.h"
#include "train/hub/redis_hub.h"

namespace makzero::train {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int> numbers(const std::vector<TakenPair>& taken) {
  std::vector<int> all;
  for (const TakenPair& pair : taken) all.push_back(pair.pair);
  return all;
}

class PairsTest : public models::FolderTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "memory") {
      hub_ = std::make_unique<MemoryHub>();
      return;
    }
    server_ = std::make_unique<RedisServer>(folder_);
    hub_ = std::make_unique<RedisHub>(server_->address(), "run");
  }

  void offer(const std::string& id, const std::vector<int>& pairs) {
    hub_->offer_job(1, {id, std::string("text\0\xff", 6)}, pairs);
  }

  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Hub> hub_;
};

TEST_P(PairsTest, WithoutAJobThereIsNothingToTake) {
  EXPECT_FALSE(hub_->job());
  EXPECT_THAT(hub_->take_pairs("a", 5), IsEmpty());
  EXPECT_NO_THROW(hub_->renew_pairs("a", std::vector{TakenPair{"1-1", "1.1", 0}}));
  EXPECT_FALSE(hub_->finish_pair({"1-1", "1.1", 0}, {0, "a", "frame"}));
  EXPECT_THAT(hub_->played_pairs(std::vector{0, 1}), IsEmpty());
  EXPECT_NO_THROW(hub_->withdraw_job(1));
}

TEST_P(PairsTest, EachPairGoesToOneTaker) {
  offer("1.1", {0, 1, 2, 7});
  ASSERT_TRUE(hub_->job());
  EXPECT_EQ(hub_->job()->id, "1.1");
  EXPECT_EQ(hub_->job()->text, std::string("text\0\xff", 6));
  const auto first = hub_->take_pairs("a", 2);
  EXPECT_THAT(numbers(first), ElementsAre(0, 1));
  EXPECT_EQ(first[0].job, "1.1");
  EXPECT_THAT(numbers(hub_->take_pairs("b", 9)), ElementsAre(2, 7));
  EXPECT_THAT(hub_->take_pairs("a", 9), IsEmpty());
}

TEST_P(PairsTest, WhatIsReturnedGoesToTheNextAndWhatIsRenewedDoesNot) {
  offer("1.1", {0, 1});
  const auto taken = hub_->take_pairs("a", 2);
  hub_->return_pairs("a", taken);
  hub_->renew_pairs("a", std::vector{taken[0]});
  EXPECT_THAT(numbers(hub_->take_pairs("b", 9)), ElementsAre(1));
  EXPECT_THAT(hub_->take_pairs("c", 9), IsEmpty());
}

TEST_P(PairsTest, APairCountsOnceWhoeverFinishesIt) {
  offer("1.1", {0, 1});
  const auto taken = hub_->take_pairs("a", 2);
  hub_->return_pairs("a", taken);
  const auto again = hub_->take_pairs("b", 2);
  EXPECT_TRUE(hub_->finish_pair(again[1], {1, "b", "of b"}));
  EXPECT_FALSE(hub_->finish_pair(taken[1], {1, "a", "of a"}));
  EXPECT_FALSE(hub_->finish_pair(again[1], {1, "b", "of b"}));
  const auto played = hub_->played_pairs(std::vector{0, 1});
  ASSERT_EQ(played.size(), 1u);
  EXPECT_EQ(played[0].pair, 1);
  EXPECT_EQ(played[0].worker, "b");
  EXPECT_EQ(played[0].frame, "of b");
  hub_->return_pairs("b", again);
  EXPECT_THAT(numbers(hub_->take_pairs("c", 9)), ElementsAre(0)) << "what is finished is not offered";
}

TEST_P(PairsTest, AJobThatIsOfferedAgainKeepsItsResultsAndAnotherOneDoesNot) {
  offer("1.1", {0, 1});
  const auto taken = hub_->take_pairs("a", 2);
  ASSERT_TRUE(hub_->finish_pair(taken[0], {0, "a", "x"}));
  offer("1.1", {1});
  EXPECT_EQ(hub_->played_pairs(std::vector{0, 1}).size(), 1u);
  EXPECT_THAT(numbers(hub_->take_pairs("b", 9)), ElementsAre(1));
  offer("2.1", {0, 1});
  EXPECT_THAT(hub_->played_pairs(std::vector{0, 1}), IsEmpty());
  EXPECT_FALSE(hub_->finish_pair(taken[1], {1, "a", "late"})) << "of the job before";
  EXPECT_THAT(hub_->played_pairs(std::vector{0, 1}), IsEmpty());
  hub_->withdraw_job(2);
  EXPECT_FALSE(hub_->job());
  EXPECT_THAT(hub_->take_pairs("b", 9), IsEmpty());
}

TEST_P(PairsTest, ATrainerOfAnEarlierEpochOffersNothing) {
  ASSERT_EQ(hub_->take_lease("another", milliseconds(10'000), 1), 2);
  EXPECT_THROW(offer("1.1", {0}), LeaseLost);
  EXPECT_THROW(hub_->withdraw_job(1), LeaseLost);
  EXPECT_THROW(hub_->lend_network(1, "aaa", "bytes"), LeaseLost);
  EXPECT_FALSE(hub_->job());
}

TEST_P(PairsTest, ALentNetworkCanBeFetched) {
  hub_->publish_network(1, {"newest", 2}, "new");
  hub_->lend_network(1, "old", "old bytes");
  hub_->lend_network(1, "newest", "new");
  EXPECT_EQ(hub_->fetch_network("old"), "old bytes");
  EXPECT_EQ(hub_->fetch_network("newest"), "new");
  EXPECT_EQ(hub_->newest_network()->id, "newest");
}

INSTANTIATE_TEST_SUITE_P(Hubs, PairsTest, testing::Values("memory", "redis"),
                         [](const auto& info) { return info.param; });

TEST(MemoryPairsTest, APairGoesToTheNextOnceItsLeaseHasRunOut) {
  MemoryHub hub;
  milliseconds now{1};
  hub.now = [&] { return now; };
  hub.offer_job(1, {"1.1", ""}, std::vector{0, 1});
  const auto taken = hub.take_pairs("dead", 2);
  now += Hub::kPairLease - milliseconds(1);
  hub.renew_pairs("dead", std::vector{taken[1]});
  EXPECT_THAT(hub.take_pairs("b", 9), IsEmpty());
  now += milliseconds(1);
  EXPECT_THAT(numbers(hub.take_pairs("b", 9)), ElementsAre(0));
}

class RedisPairsTest : public models::FolderTest {};

// The worker of users.acl plays pairs, and can neither offer nor change what is not its own.
TEST_F(RedisPairsTest, TheUsersOfOurConfigurationAreEnoughForTheirRoles) {
  models::put_file(folder_ / "users.acl", models::read_text_file(MAKZERO_HUB_FILES "/users.acl"));
  const RedisServer server(folder_, {"--aclfile", (folder_ / "users.acl").string()});
  HubAddress trainer_address = server.address(), worker_address = server.address();
  trainer_address.user = "trainer", trainer_address.password = "TRAINER-PASSWORD";
  worker_address.user = "worker", worker_address.password = "WORKER-PASSWORD";
  RedisHub trainer(trainer_address, "run"), worker(worker_address, "run");
  trainer.lend_network(1, "aaa", "bytes");
  trainer.offer_job(1, {"1.1", "text"}, std::vector{0, 1, 2});
  EXPECT_EQ(worker.job()->text, "text");
  EXPECT_EQ(worker.fetch_network("aaa"), "bytes");
  const auto taken = worker.take_pairs("w", 2);
  worker.renew_pairs("w", taken);
  worker.return_pairs("w", std::vector{taken[1]});
  EXPECT_TRUE(worker.finish_pair(taken[0], {0, "w", "frame"}));
  EXPECT_THAT(numbers(trainer.take_pairs("trainer", 1)), ElementsAre(2));
  EXPECT_THAT(numbers(trainer.take_pairs("trainer", 1)), ElementsAre(1));
  EXPECT_EQ(trainer.played_pairs(std::vector{0}).size(), 1u);
  EXPECT_THROW(worker.offer_job(1, {"9.9", ""}, std::vector{0}), HubError);
  EXPECT_THROW(worker.withdraw_job(1), HubError);
  EXPECT_THROW(worker.set_about(1, {{"game", "other"}}), HubError);
  EXPECT_EQ(worker.job()->id, "1.1");
  trainer.withdraw_job(1);
}

}  // namespace
}  // namespace makzero::train
