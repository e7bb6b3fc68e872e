// What both hubs do alike, and what only the real server shows.
#include "train/hub/hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "tests/support/file_tools.h"
#include "tests/train/hub/hub_samples.h"
#include "tests/train/hub/memory_hub.h"
#include "tests/train/hub/redis_server.h"
#include "train/hub/redis_hub.h"
#include "train/hub/spool.h"
#include "train/hub/spool_sender.h"

namespace makzero::train {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr milliseconds kLease{10'000};

GameMessage game(std::uint64_t sequence, const std::string& frame = std::string("a\0\xff\n", 4)) {
  return {"worker-1", sequence, sequence - 1, frame};
}

std::vector<std::uint64_t> sequences(const std::vector<Delivery>& deliveries) {
  std::vector<std::uint64_t> all;
  for (const Delivery& delivery : deliveries) all.push_back(delivery.game.sequence);
  return all;
}

// --- The contract.

class HubTest : public models::FolderTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "memory") {
      hub_ = std::make_unique<MemoryHub>();
      return;
    }
    server_ = std::make_unique<RedisServer>(folder_);
    hub_ = std::make_unique<RedisHub>(server_->address(), "a run");
  }

  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Hub> hub_;
};

TEST_P(HubTest, SaysWhatTheRunIs) {
  EXPECT_THAT(hub_->about(), IsEmpty());
  hub_->set_about(1, {{"game", "makyek"}, {"old", "x"}});
  hub_->set_about(1, {{"game", "makruk"}, {"encoder", "1"}});
  EXPECT_THAT(hub_->about(), ElementsAre(Pair("encoder", "1"), Pair("game", "makruk")));
}

TEST_P(HubTest, TheNewestNetworkIsAnnouncedAndOlderOnesCanStillBeFetched) {
  EXPECT_EQ(hub_->newest_network(), std::nullopt);
  const std::string first("\0bytes\xff", 7), second(3'000'000, 'x');
  hub_->publish_network(1, {"aaa", 3}, first);
  hub_->publish_network(1, {"bbb", 4}, second);
  EXPECT_EQ(hub_->newest_network()->id, "bbb");
  EXPECT_EQ(hub_->newest_network()->generation, 4);
  EXPECT_EQ(hub_->fetch_network("bbb"), second);
  EXPECT_EQ(hub_->fetch_network("aaa"), first);
  EXPECT_EQ(hub_->fetch_network("ccc"), std::nullopt);
}

TEST_P(HubTest, GamesAreReadOnceAndAgainUntilTheyAreSettled) {
  const auto ids = hub_->append(std::vector{game(1), game(2), game(3)}, 100);
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_EQ(hub_->backlog(), 3u);
  EXPECT_THAT(hub_->read_again("", 10), IsEmpty());
  const std::vector<Delivery> first = hub_->read(2);
  EXPECT_THAT(sequences(first), ElementsAre(1, 2));
  EXPECT_EQ(first[1].id, ids[1]);
  EXPECT_EQ(first[1].game.worker, "worker-1");
  EXPECT_EQ(first[1].game.previous, 1u);
  EXPECT_EQ(first[1].game.frame, game(2).frame);
  EXPECT_THAT(sequences(hub_->read(10)), ElementsAre(3));
  EXPECT_THAT(sequences(hub_->read(10)), IsEmpty());
  EXPECT_THAT(sequences(hub_->read_again("", 2)), ElementsAre(1, 2));
  EXPECT_THAT(sequences(hub_->read_again(ids[1], 2)), ElementsAre(3));
  EXPECT_TRUE(hub_->holds(ids[0]));
  hub_->settle(1, std::vector{ids[0], ids[2]}, {{"worker-1", 3}});
  EXPECT_FALSE(hub_->holds(ids[0]));
  EXPECT_TRUE(hub_->holds(ids[1]));
  EXPECT_THAT(sequences(hub_->read_again("", 10)), ElementsAre(2));
  EXPECT_EQ(hub_->backlog(), 1u);
}

TEST_P(HubTest, TheStreamHoldsNoMoreThanItsBound) {
  EXPECT_EQ(hub_->append(std::vector{game(1), game(2), game(3)}, 2).size(), 2u);
  EXPECT_EQ(hub_->append(std::vector{game(3)}, 2).size(), 0u);
  EXPECT_EQ(hub_->backlog(), 2u);
}

TEST_P(HubTest, MarksOnlyRise) {
  EXPECT_EQ(hub_->mark("a"), 0u);
  hub_->settle(1, {}, {{"a", 9}, {"b", 1}});
  hub_->settle(1, {}, {{"a", 10}, {"b", 0}});
  hub_->settle(1, {}, {{"a", 2}});
  EXPECT_EQ(hub_->mark("a"), 10u);
  EXPECT_THAT(hub_->marks(), ElementsAre(Pair("a", 10u), Pair("b", 1u)));
}

TEST_P(HubTest, OneTrainerHasTheLeaseAndALaterEpochShutsTheEarlierOut) {
  EXPECT_EQ(hub_->lease().holder, "");
  ASSERT_EQ(hub_->take_lease("a", kLease, 4), 5);
  EXPECT_EQ(hub_->take_lease("b", kLease, 0), std::nullopt);
  EXPECT_TRUE(hub_->renew_lease("a", 5, kLease));
  EXPECT_EQ(hub_->lease().holder, "a");
  EXPECT_GT(hub_->lease().left, milliseconds(5000));
  hub_->release_lease("b", 5);
  EXPECT_EQ(hub_->lease().holder, "a");
  hub_->release_lease("a", 5);
  ASSERT_EQ(hub_->take_lease("b", kLease, 0), 6);
  EXPECT_FALSE(hub_->renew_lease("a", 5, kLease));
  EXPECT_THROW(hub_->settle(5, {}, {{"w", 1}}), LeaseLost);
  EXPECT_THROW(hub_->set_about(5, {}), LeaseLost);
  EXPECT_THROW(hub_->publish_network(5, {"aaa", 1}, "bytes"), LeaseLost);
  EXPECT_EQ(hub_->mark("w"), 0u);
  EXPECT_EQ(hub_->newest_network(), std::nullopt);
  hub_->settle(6, {}, {{"w", 1}});
  EXPECT_EQ(hub_->mark("w"), 1u);
}

TEST_P(HubTest, ALeaseThatTheHubHasLostIsPutBack) {
  EXPECT_TRUE(hub_->renew_lease("a", 7, kLease));
  EXPECT_EQ(hub_->lease().holder, "a");
  EXPECT_EQ(hub_->lease().epoch, 7);
}

TEST_P(HubTest, WorkersReportInTheirOwnWords) {
  hub_->report_worker("a", "first");
  hub_->report_worker("a", "{\"games\": 3}");
  EXPECT_THAT(hub_->worker_reports(), ElementsAre(Pair("a", "{\"games\": 3}")));
}

INSTANTIATE_TEST_SUITE_P(Hubs, HubTest, testing::Values("memory", "redis"),
                         [](const auto& info) { return info.param; });

// --- The server.

class RedisTest : public models::FolderTest {};

TEST_F(RedisTest, AFailedServerIsAnErrorAndItsReturnIsEnough) {
  RedisServer server(folder_, {"--appendonly", "yes"});
  RedisHub hub(server.address(), "run");
  hub.append(std::vector{game(1)}, 10);
  server.kill();
  EXPECT_THROW(hub.backlog(), HubError);
  EXPECT_THAT(models::error_of([&] { hub.backlog(); }), HasSubstr("is Redis running there?"));
  server.start();
  EXPECT_NO_THROW(hub.backlog());
}

TEST_F(RedisTest, RunsOfOneServerDoNotMix) {
  const RedisServer server(folder_);
  RedisHub first(server.address(), "first"), second(server.address(), "second");
  first.append(std::vector{game(1)}, 10);
  EXPECT_EQ(second.backlog(), 0u);
}

TEST_F(RedisTest, AWrongPasswordIsNamedAndTheRightOneIsNotShown) {
  const RedisServer server(folder_, {"--requirepass", "secret"});
  HubAddress address = server.address();
  EXPECT_THAT(models::error_of([&] { RedisHub(address, "run").backlog(); }), HasSubstr("NOAUTH"));
  address.password = "wrong";
  EXPECT_THAT(models::error_of([&] { RedisHub(address, "run").backlog(); }), HasSubstr("WRONGPASS"));
  address.password = "secret";
  EXPECT_NO_THROW(RedisHub(address, "run").backlog());
  EXPECT_THAT(address.text(), testing::Not(HasSubstr("secret")));
}

TEST_F(RedisTest, AFullServerRefusesGamesInsteadOfForgettingOthers) {
  const RedisServer server(folder_, {"--maxmemory", "4mb", "--maxmemory-policy", "noeviction"});
  RedisHub hub(server.address(), "run");
  std::string why;
  std::size_t kept = 0;
  try {
    for (std::uint64_t i = 1; i < 1000; ++i)
      kept += hub.append(std::vector{game(i, std::string(10'000, 'x'))}, 1000).size();
  } catch (const HubError& error) {
    why = error.what();
  }
  EXPECT_THAT(why, HasSubstr("OOM"));
  EXPECT_EQ(hub.backlog(), kept);
}

// The users of users.acl can do what their role does, and a worker cannot do what the trainer does beside it.
TEST_F(RedisTest, TheUsersOfOurConfigurationAreEnoughForTheirRoles) {
  std::string users = models::read_text_file(MAKZERO_HUB_FILES "/users.acl");
  models::put_file(folder_ / "users.acl", users);
  const RedisServer server(folder_, {"--aclfile", (folder_ / "users.acl").string()});
  HubAddress trainer_address = server.address(), worker_address = server.address();
  trainer_address.user = "trainer", trainer_address.password = "TRAINER-PASSWORD";
  worker_address.user = "worker", worker_address.password = "WORKER-PASSWORD";
  RedisHub trainer(trainer_address, "run"), worker(worker_address, "run"), nobody(server.address(), "run");
  EXPECT_THROW(nobody.backlog(), HubError);
  ASSERT_EQ(trainer.take_lease("a", kLease, 0), 1);
  ASSERT_TRUE(trainer.renew_lease("a", 1, kLease));
  trainer.set_about(1, {{"game", "makyek"}});
  trainer.publish_network(1, {"aaa", 1}, "bytes");
  trainer.publish_network(1, {"bbb", 2}, "bytes");
  EXPECT_EQ(worker.about().size(), 1u);
  EXPECT_EQ(worker.newest_network()->id, "bbb");
  EXPECT_EQ(worker.fetch_network("bbb"), "bytes");
  const auto ids = worker.append(std::vector{game(1)}, 10);
  EXPECT_TRUE(worker.holds(ids[0]));
  worker.report_worker("worker-1", "well");
  EXPECT_THAT(sequences(trainer.read(10)), ElementsAre(1));
  EXPECT_THAT(sequences(trainer.read_again("", 10)), ElementsAre(1));
  EXPECT_THAT(sequences(trainer.list("", 10)), ElementsAre(1));
  trainer.settle(1, ids, {{"worker-1", 1}});
  EXPECT_EQ(worker.mark("worker-1"), 1u);
  EXPECT_EQ(trainer.marks().size(), 1u);
  EXPECT_FALSE(trainer.server_info("memory").empty());
  trainer.release_lease("a", 1);
  EXPECT_THROW(worker.read(10), HubError);
  EXPECT_THROW(worker.settle(1, ids, {}), HubError);
  EXPECT_THROW(worker.publish_network(1, {"ccc", 3}, "bytes"), HubError);
}

// The games of a spool reach the shards through a server that forgets everything on the way.
TEST_F(RedisTest, GamesSurviveAServerThatForgets) {
  RedisServer server(folder_);
  Spool spool(folder_ / "spool", 1 << 20);
  ShardSink sink(folder_ / "replay", 10);
  SpoolSender sender(&spool, 20);
  RedisHub worker_hub(server.address(), "run"), trainer_hub(server.address(), "run");
  Intake intake(&sink, 1, {});
  const auto attempt = [&](const auto& action, const auto& recover) {
    try {
      action();
    } catch (const HubError&) {
      recover();
    }
  };
  std::chrono::steady_clock::time_point now{};
  int games = 0;
  for (int round = 0; round < 60 || !spool.games().empty(); ++round) {
    ASSERT_LT(round, 1000);
    now += milliseconds(300);
    for (int i = 0; i < 3 && round < 60; ++i) spool.add(worker_game(games++));
    attempt([&] { sender.pump(&worker_hub, now); }, [&] { sender.forget_sent(); });
    if (round % 20 == 10) {
      server.kill();
      server.start();
    }
    attempt([&] { intake.collect(&trainer_hub, now); }, [&] { intake.restart(); });
    intake.publish_all_marks();
  }
  EXPECT_EQ(sink.store().games(), games);
  EXPECT_EQ(worker_hub.backlog(), 0u);
}

// --- Addresses.

TEST(HubAddressTest, AreReadAndShownWithoutTheirPassword) {
  const HubAddress full = *parse_hub_address("redis://worker:pass@hub.example.org:7000/2");
  EXPECT_EQ(full.host, "hub.example.org");
  EXPECT_EQ(full.port, 7000);
  EXPECT_EQ(full.database, 2);
  EXPECT_EQ(full.user, "worker");
  EXPECT_EQ(full.password, "pass");
  EXPECT_EQ(full.text(), "redis://hub.example.org:7000/2");
  EXPECT_FALSE(full.is_local());
  EXPECT_EQ(parse_hub_address("redis://localhost")->text(), "redis://localhost:6379/0");
  EXPECT_TRUE(parse_hub_address("redis://localhost")->is_local());
  EXPECT_EQ(parse_hub_address("redis://[::1]:7000")->text(), "redis://[::1]:7000/0");
  EXPECT_EQ(parse_hub_address("unix:///run/redis.sock?db=3")->text(), "unix:///run/redis.sock?db=3");
}

TEST(HubAddressTest, AreRefusedWithTheReason) {
  for (const auto& [text, why] :
       {std::pair("localhost:6379", "is no address of a hub"), std::pair("redis://", "no host"),
        std::pair("redis://host:port", "'port'"), std::pair("redis://host:0", "'0' is no port"),
        std::pair("redis://host/x", "no number of a database"),
        std::pair("unix://sock", "no path from the root"), std::pair("unix:///sock?x=1", "db=NUMBER")})
    EXPECT_THAT(parse_hub_address(text).why(), HasSubstr(why)) << text;
}

}  // namespace
}  // namespace makzero::train
