// What both hubs do alike, and what only the real server shows.
#include "train/hub/hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "tests/support/file_tools.h"
#include "tests/train/hub/hub_samples.h"
#include "tests/train/hub/memory_hub.h"
#include "tests/train/hub/redis_server.h"
#include "train/hub/network_fetch.h"
#include "train/hub/redis_hub.h"
#include "train/hub/spool.h"
#include "train/hub/spool_sender.h"

namespace makzero::train {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::Not;
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

// Whole, chunk by chunk; empty: it is not there.
std::string fetch(Hub* hub, const std::string& id) {
  std::string bytes;
  for (;;) {
    const std::string chunk = hub->fetch_network(id, bytes.size());
    EXPECT_LE(chunk.size(), Hub::kChunk);
    if (chunk.empty()) return bytes;
    bytes += chunk;
  }
}

TEST_P(HubTest, TheNewestNetworkIsAnnouncedAndOlderOnesCanStillBeFetched) {
  EXPECT_EQ(hub_->newest_network(), std::nullopt);
  const std::string first("\0bytes\xff", 7), second(3'000'000, 'x');
  hub_->publish_network(1, {"aaa", 3}, first);
  hub_->publish_network(1, {"bbb", 4}, second);
  EXPECT_EQ(hub_->newest_network()->id, "bbb");
  EXPECT_EQ(hub_->newest_network()->generation, 4);
  EXPECT_EQ(hub_->newest_network()->bytes, second.size());
  EXPECT_EQ(fetch(hub_.get(), "bbb"), second);
  EXPECT_EQ(fetch(hub_.get(), "aaa"), first);
  EXPECT_EQ(fetch(hub_.get(), "ccc"), "");
}

TEST_P(HubTest, GamesAreThereUntilTheyAreSettledInAStreamForEachWorker) {
  const auto ids = hub_->append(std::vector{game(1), game(2), game(3)}, 100);
  GameMessage other = game(7);
  other.worker = "w[2]";
  hub_->append(std::vector{other}, 100);
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_EQ(hub_->backlog(), 4u);
  EXPECT_THAT(hub_->senders(), ElementsAre("w[2]", "worker-1"));
  const std::vector<std::string> first = {"worker-1"}, both = hub_->senders();
  const std::vector<Delivery> read = hub_->read(first, 2);
  EXPECT_THAT(sequences(read), ElementsAre(1, 2));
  EXPECT_EQ(read[1].id, ids[1]);
  EXPECT_EQ(read[1].game.worker, "worker-1");
  EXPECT_EQ(read[1].game.previous, 1u);
  EXPECT_EQ(read[1].game.frame, game(2).frame);
  EXPECT_THAT(sequences(hub_->read(both, 10)), ElementsAre(7, 1, 2, 3));
  EXPECT_TRUE(hub_->holds("worker-1", ids[0]));
  hub_->settle(1, std::vector<Entry>{{"worker-1", ids[0]}, {"worker-1", ids[2]}}, {{"worker-1", 3}});
  EXPECT_FALSE(hub_->holds("worker-1", ids[0]));
  EXPECT_TRUE(hub_->holds("worker-1", ids[1]));
  EXPECT_THAT(sequences(hub_->read(first, 10)), ElementsAre(2));
  EXPECT_EQ(hub_->backlog(), 2u);
}

TEST_P(HubTest, AStreamHoldsNoMoreThanItsBound) {
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
  EXPECT_THAT(address.text(), Not(HasSubstr("secret")));
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

TEST_F(RedisTest, TwoNetworksAreKeptHoweverFastTheyFollow) {
  const RedisServer server(folder_);
  RedisHub hub(server.address(), "run");
  for (const char* id : {"a", "b", "c", "b"}) hub.publish_network(1, {id, 1}, id);
  EXPECT_EQ(fetch(&hub, "a"), "");
  EXPECT_EQ(fetch(&hub, "b"), "b") << "published again";
  EXPECT_EQ(fetch(&hub, "c"), "c");
}

TEST_F(RedisTest, ANetworkThatItsTrainerHasNotAnnouncedExpires) {
  const RedisServer server(folder_, {"--maxmemory", "6mb", "--maxmemory-policy", "noeviction"});
  RedisHub hub(server.address(), "run");
  const std::string too_much(std::size_t{16} << 20, 'x');
  const auto expiry = [&](const std::string& id) {
    return std::stoi(server.answer_to("default", "none", {"TTL", "makzero:{run}:network:" + id}));
  };
  hub.publish_network(1, {"a", 1}, "bytes");
  EXPECT_THROW(hub.publish_network(1, {"b", 2}, too_much), HubError);
  EXPECT_THAT(expiry("b"), AllOf(Gt(0), Le(90)));
  server.answer_to("default", "none", {"CONFIG", "SET", "maxmemory", "0"});
  hub.publish_network(1, {"b", 2}, too_much);
  EXPECT_THAT(expiry("a"), AllOf(Gt(0), Le(90)));
  EXPECT_EQ(expiry("b"), -1) << "never";
  server.answer_to("default", "none", {"CONFIG", "SET", "maxmemory", "6mb"});
  EXPECT_THROW(hub.publish_network(1, {"b", 2}, too_much), HubError);
  EXPECT_EQ(expiry("b"), -1) << "workers go on loading it";
}

// A full hub would else never be emptied, and its trainer lose the run.
TEST_F(RedisTest, AFullServerIsEmptiedByItsTrainer) {
  const RedisServer server(folder_, {"--maxmemory-policy", "noeviction"});
  RedisHub hub(server.address(), "run");
  ASSERT_EQ(hub.take_lease("a", kLease, 0), 1);
  for (std::uint64_t i = 1; i <= 500; ++i) hub.append(std::vector{game(i, std::string(10'000, 'x'))}, 1000);
  ASSERT_THAT(server.answer_to("default", "none", {"CONFIG", "SET", "maxmemory", "4mb"}), HasSubstr("OK"));
  EXPECT_THROW(hub.append(std::vector{game(501)}, 1000), HubError);
  EXPECT_TRUE(hub.renew_lease("a", 1, kLease));
  const std::vector<std::string> workers = hub.senders();
  std::vector<Entry> entries;
  for (const Delivery& delivery : hub.read(workers, 1000)) entries.push_back({workers[0], delivery.id});
  hub.settle(1, entries, {{workers[0], 500}});
  EXPECT_EQ(hub.mark(workers[0]), 500u);
  EXPECT_EQ(hub.append(std::vector{game(501)}, 1000).size(), 1u);
}

// All ask at once and nobody reads yet: the most that the hub ever holds for them.
TEST_F(RedisTest, TwoHundredReadersOfANetworkLeaveRoomForGamesAndTheLease) {
  const RedisServer server(folder_, {"--maxmemory", "200mb", "--maxmemory-policy", "noeviction"});
  RedisHub hub(server.address(), "run");
  ASSERT_EQ(hub.take_lease("a", kLease, 0), 1);
  const std::string bytes(12'500'000, 'x');
  hub.publish_network(1, {"aaa", 1}, bytes);
  std::atomic<int> whole = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 200; ++i) {
    readers.emplace_back([&] {
      RedisHub own(server.address(), "run");
      NetworkFetch fetch(*own.newest_network(), {}, {}, 0);
      whole += fetch.pump(&own) && fetch.bytes() == bytes ? 1 : 0;
    });
  }
  std::uint64_t games = 0;
  while (whole < 200) {
    ASSERT_TRUE(hub.renew_lease("a", 1, kLease));
    ASSERT_EQ(hub.append(std::vector{game(++games)}, 1 << 20).size(), 1u);
  }
  EXPECT_LT(std::stod(hub.server_info("memory")["used_memory_peak"]), 150e6);
}

TEST(NetworkFetchTest, ChunksComeEvenlyOverTheSpanAndDifferentlyToEachWorker) {
  MemoryHub hub;
  const std::string bytes(10 * Hub::kChunk - 5, 'x');
  hub.publish_network(1, {"aaa", 1}, bytes);
  using Clock = NetworkFetch::Clock;
  NetworkFetch early(*hub.newest_network(), {}, milliseconds(1000), 0);
  NetworkFetch late(*hub.newest_network(), {}, milliseconds(1000), 0.5);
  for (int tenth = 0; tenth < 10; ++tenth) {
    EXPECT_FALSE(late.is_done());
    EXPECT_TRUE(early.pump(&hub, Clock::time_point(milliseconds(100 * tenth + 40))));
    EXPECT_TRUE(late.pump(&hub, Clock::time_point(milliseconds(100 * tenth + 40))));
    EXPECT_EQ(early.bytes().size(), std::min((tenth + 1) * Hub::kChunk, bytes.size()));
    EXPECT_EQ(late.bytes().size(), tenth * Hub::kChunk);
  }
  EXPECT_TRUE(late.pump(&hub, Clock::time_point(milliseconds(1000))));
  EXPECT_TRUE(early.is_done() && late.is_done());
  EXPECT_EQ(late.bytes(), bytes);
  NetworkFetch expired({"bbb", 2, 100}, {}, {}, 0);
  EXPECT_FALSE(expired.pump(&hub));
}

// --- The accounts of users.acl: enough for their roles, and no more.

class AccountTest : public models::FolderTest {
 protected:
  void SetUp() override {
    const std::string users = models::read_text_file(MAKZERO_HUB_FILES "/users.acl");
    std::string another = users.substr(users.find("user makyek-worker"));
    another = another.substr(0, another.find('\n') + 1);
    for (std::size_t at = 0; (at = another.find("makyek-worker", at)) != std::string::npos; at += 8)
      another.replace(at, 13, "makyek-others");
    models::put_file(folder_ / "users.acl", users + another);
    server_ = std::make_unique<RedisServer>(
        folder_, std::vector<std::string>{"--aclfile", (folder_ / "users.acl").string()});
  }

  RedisHub hub(const std::string& user, const std::string& password, const std::string& run = "makyek") {
    HubAddress address = server_->address();
    address.user = user;
    address.password = password;
    return RedisHub(address, run);
  }
  RedisHub trainer(const std::string& run = "makyek") {
    return hub("makyek-trainer", "TRAINER-PASSWORD", run);
  }
  RedisHub worker(const std::string& run = "makyek") { return hub("makyek-worker", "WORKER-PASSWORD", run); }

  // The game of an account's worker.
  static GameMessage message(const std::string& account) {
    GameMessage one = game(1);
    one.worker = account + ".host-1";
    return one;
  }

  std::unique_ptr<RedisServer> server_;
};

TEST_F(AccountTest, AreEnoughForTheirRoles) {
  RedisHub trainer = this->trainer(), worker = this->worker();
  ASSERT_EQ(trainer.take_lease("a", kLease, 0), 1);
  ASSERT_TRUE(trainer.renew_lease("a", 1, kLease));
  trainer.set_about(1, {{"game", "makyek"}});
  trainer.publish_network(1, {"aaa", 1}, "bytes");
  trainer.publish_network(1, {"bbb", 2}, "bytes");
  EXPECT_EQ(worker.about().size(), 1u);
  EXPECT_EQ(worker.newest_network()->id, "bbb");
  EXPECT_EQ(worker.fetch_network("bbb", 0), "bytes");
  const GameMessage sent = message("makyek-worker");
  const auto ids = worker.append(std::vector{sent}, 10);
  EXPECT_TRUE(worker.holds(sent.worker, ids[0]));
  worker.report_worker(sent.worker, "well");
  EXPECT_THAT(trainer.worker_reports(), ElementsAre(Pair(sent.worker, "well")));
  EXPECT_THAT(trainer.senders(), ElementsAre(sent.worker));
  EXPECT_THAT(sequences(trainer.read(std::vector{sent.worker}, 10)), ElementsAre(1));
  trainer.settle(1, std::vector<Entry>{{sent.worker, ids[0]}}, {{sent.worker, 1}});
  EXPECT_EQ(worker.mark(sent.worker), 1u);
  EXPECT_EQ(trainer.marks().size(), 1u);
  EXPECT_EQ(trainer.backlog(), 0u);
  EXPECT_EQ(trainer.lease().holder, "a");
  EXPECT_FALSE(trainer.server_info("memory").empty());
  trainer.release_lease("a", 1);
}

// As words of a worker's account: what is not its own, or not for it, and what would destroy its own stream.
TEST_F(AccountTest, AWorkersIsRefusedAllElse) {
  RedisHub(trainer()).set_about(1, {{"game", "makyek"}});
  const std::string run = "makzero:{makyek}:", own = run + "games:makyek-worker.host-1";
  const std::vector<std::vector<std::string>> refused = {
      {"XADD", run + "lease", "*", "a", "b"},
      {"SET", run + "lease", "mallory"},
      {"GET", run + "lease"},
      {"SET", run + "epoch", "99"},
      {"HSET", run + "marks", "victim", "1000000"},
      {"HSET", "makzero:{rek}:marks", "victim", "1000000"},
      {"HGET", "makzero:{rek}:marks", "victim"},
      {"XADD", run + "marks", "*", "a", "b"},
      {"HSET", run + "newest", "id", "x"},
      {"XADD", run + "network:x", "*", "a", "b"},
      {"EVAL", "while true do end", "0"},
      {"EVAL", "return 1", "1", own},
      {"EVALSHA", "0000000000000000000000000000000000000000", "0"},
      {"FUNCTION", "LIST"},
      {"XADD", run + "games:makyek-others.host-1", "*", "sequence", "1"},
      {"XADD", run + "games:makyek-worker", "*", "sequence", "1"},
      {"XRANGE", run + "games:makyek-others.host-1", "-", "+"},
      {"XADD", "makzero:{rek}:games:makyek-worker.host-1", "*", "sequence", "1"},
      {"SET", run + "report:makyek-others.host-1", "dead"},
      {"SET", own, "no stream"},
      {"DEL", own},
      {"SCAN", "0"},
      {"KEYS", "*"},
      {"FLUSHALL"},
      {"CONFIG", "GET", "*"},
      {"CLIENT", "LIST"},
      {"SUBSCRIBE", "x"},
      {"SHUTDOWN"}};
  const std::vector<std::vector<std::string>> granted = {{"XADD", own, "*", "sequence", "1"},
                                                         {"XLEN", own},
                                                         {"HGETALL", run + "about"},
                                                         {"HGET", run + "marks", "w"}};
  for (const auto& words : refused)
    EXPECT_THAT(server_->answer_to("makyek-worker", "WORKER-PASSWORD", words), HasSubstr("NOPERM"))
        << testing::PrintToString(words);
  for (const auto& words : granted)
    EXPECT_THAT(server_->answer_to("makyek-worker", "WORKER-PASSWORD", words), Not(HasSubstr("NOPERM")))
        << testing::PrintToString(words);
}

TEST_F(AccountTest, ATrainersIsOfItsRunAlone) {
  EXPECT_THROW(trainer("rek").take_lease("a", kLease, 0), HubFault);
  EXPECT_THROW(trainer("rek").settle(1, {}, {{"w", 1}}), HubFault);
  EXPECT_THAT(server_->answer_to("makyek-trainer", "TRAINER-PASSWORD", {"FLUSHALL"}), HasSubstr("NOPERM"));
}

TEST_F(AccountTest, WhatWaitingDoesNotMendIsSaidSo) {
  EXPECT_THAT(models::error_of([&] { hub("makyek-worker", "wrong").about(); }),
              AllOf(HasSubstr("WRONGPASS"), HasSubstr("MAKZERO_HUB_PASSWORD")));
  EXPECT_THROW(hub("", "").about(), HubFault);
  EXPECT_THROW(worker().take_lease("a", kLease, 0), HubFault);
  EXPECT_THROW(worker("rek").about(), HubFault);
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
    attempt([&] { intake.collect(&trainer_hub); }, [] {});
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
        std::pair("redis://host/x", "no number of a database"), std::pair("redis://[::1", "'[' without ']'"),
        std::pair("redis://[::1]7000", "'7000' is no port"),
        std::pair("unix://sock", "no path from the root"), std::pair("unix:///sock?x=1", "db=NUMBER")})
    EXPECT_THAT(parse_hub_address(text).why(), HasSubstr(why)) << text;
}

}  // namespace
}  // namespace makzero::train
