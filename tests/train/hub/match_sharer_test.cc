// Matches that trainer and workers play together: the result is that of one process, whoever plays, fails,
// lies or dies.
#include "train/hub/match_sharer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "game/catalog.h"
#include "models/file_io.h"
#include "models/store.h"
#include "tests/support/file_tools.h"
#include "tests/support/stopped.h"
#include "tests/support/tiny_run.h"
#include "train/hub/memory_hub.h"
#include "train/hub/pair_player.h"
#include "train/hub/rating_job.h"
#include "train/run/training_run.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kBad = "mallory";

std::vector<std::string> timeless(std::vector<MatchRecord> games) {
  std::vector<std::string> texts;
  for (MatchRecord& game : games) {
    game.clear_played_unix();
    texts.push_back(game.SerializeAsString());
  }
  return texts;
}

class MatchSharerTest : public models::FolderTest {
 protected:
  MatchSharerTest()
      : games_(*game::make_games("makyek")), a_(network()), b_(*parse_player("greedy", folder_)) {
    hub_->now = [this] { return now_; };
  }

  // The first network of a tiny run.
  PlayerSpec network() {
    Overrides overrides = tiny_run();
    overrides.insert(overrides.end(), {{"seed", "3"}, {"precision", "fp32"}});
    const Config config = *override_config(*preset_config("quick", "makyek"), overrides);
    const RunLock lock(folder_ / "run");
    TrainingRun(*game::make_games("makyek"), config, RunPaths(folder_ / "run"), {stopped(), {}, ""}).train();
    return *parse_player("0:4?material=0", folder_ / "run");
  }

  PairPlayer worker(const std::string& name) {
    PairPlayerOptions options;
    options.worker = name;
    options.folder = folder_ / name;
    options.log = [this](const std::string& line) { log_ += line + "\n"; };
    return {options, games_};
  }

  // Plays the match of job "EPOCH.1"; `meanwhile` is called whenever the trainer reports.
  MatchResult share(const std::function<void()>& meanwhile, std::int64_t epoch = 1) {
    HubLink link([hub = hub_] { return hub; }, [](const std::string&) {}, 1);
    const Quarantine quarantine(folder_ / "quarantine");
    std::stop_source stop;
    MatchOptions options = options_;
    options.stop = stop.get_token();
    const std::function<void(const MatchProgress&)> progress = [&](const MatchProgress& now) {
      EXPECT_EQ(now.games, options_.games);
      meanwhile();
      if (stop_) stop.request_stop();
    };
    MatchSharer sharer({&link, epoch, std::to_string(epoch) + ".1", &quarantine,
                        [this](const std::string& line) { log_ += line + "\n"; }},
                       *games_[0], a_, b_, options, progress);
    MatchResult result = sharer.run();
    of_workers_ = sharer.pairs_of_workers();
    refused_ = sharer.refused();
    return result;
  }

  void expect_local(const MatchResult& shared) {
    const MatchResult local =
        play_match(*games_[0], a_, b_, options_, [](const MatchProgress&) { return true; });
    EXPECT_EQ(timeless(shared.games), timeless(local.games));
    EXPECT_EQ(shared.pairs, local.pairs);
    EXPECT_EQ(shared.score.wins, local.score.wins);
    EXPECT_EQ(shared.elo.elo, local.elo.elo);
    EXPECT_EQ(shared.elo.low, local.elo.low);
  }

  std::shared_ptr<MemoryHub> hub_ = std::make_shared<MemoryHub>();
  milliseconds now_{1};
  std::vector<game::GamePtr> games_;
  PlayerSpec a_, b_;
  MatchOptions options_ = {.games = 12, .seed = 7, .threads = 1};
  bool stop_ = false;
  std::string log_;
  int of_workers_ = 0, refused_ = 0;
};

TEST_F(MatchSharerTest, AloneTheTrainerPlaysTheWholeMatch) {
  expect_local(share([] {}));
  EXPECT_EQ(of_workers_, 0);
  EXPECT_FALSE(hub_->job()) << "the job is withdrawn";
}

TEST_F(MatchSharerTest, WithWorkersTheResultIsThatOfALocalMatch) {
  PairPlayer first = worker("first"), second = worker("second");
  const MatchResult shared = share([&] {
    for (PairPlayer* each : {&first, &second}) each->pump(hub_.get());
    for (PairPlayer* each : {&first, &second}) {
      if (each->has_pairs()) each->play({}, [] {});
      each->pump(hub_.get());
    }
  });
  expect_local(shared);
  EXPECT_EQ(of_workers_, 4) << "two each; the trainer had taken two";
  EXPECT_EQ(first.played() + second.played(), 4);
  EXPECT_GE(first.played(), 2);
}

TEST_F(MatchSharerTest, AHubThatFailsAndForgetsCostsNoPairAndRepeatsNone) {
  PairPlayer peer = worker("peer");
  int calls = 0;
  hub_->faults.fail = 0.2;
  const MatchResult shared = share([&] {
    if (++calls % 3 == 0) hub_->flush();
    try {
      peer.pump(hub_.get());
      if (peer.has_pairs()) peer.play({}, [] {});
    } catch (const HubError&) {
      return;
    }
  });
  hub_->faults.fail = 0;
  expect_local(shared);
}

TEST_F(MatchSharerTest, ADeadWorkersPairsAreTakenOver) {
  PairPlayer dead = worker("dead");
  const MatchResult shared = share([&] {
    if (now_ == milliseconds(1)) dead.pump(hub_.get());
    now_ += milliseconds(1000);
  });
  EXPECT_TRUE(dead.has_pairs());
  EXPECT_EQ(of_workers_, 0);
  expect_local(shared);
}

TEST_F(MatchSharerTest, AWorkerThatReturnsAfterItsPairsWereTakenOverIsNotCounted) {
  PairPlayer slow = worker("slow");
  const MatchResult shared = share([&] {
    if (now_ == milliseconds(1)) slow.pump(hub_.get());
    now_ += milliseconds(1000);
  });
  slow.play({}, [] {});
  EXPECT_NO_THROW(slow.pump(hub_.get()));
  EXPECT_EQ(slow.played(), 2);
  EXPECT_EQ(of_workers_, 0);
  expect_local(shared);
}

TEST_F(MatchSharerTest, ResultsOfAnEarlierTrainersJobDoNotCount) {
  std::vector<TakenPair> taken;
  stop_ = true;
  share([&] { taken = hub_->take_pairs("peer", 1); }, 1);  // This trainer is gone before the pair is played.
  ASSERT_EQ(taken.size(), 1u);
  stop_ = false;
  MatchPair late{taken[0].pair, {}, {}};
  const MatchResult shared = share(
      [&] {
        const PlayedPair old{late.pair, "peer", pair_frame("1.1", late)};
        EXPECT_FALSE(hub_->finish_pair(taken[0], old));
      },
      2);
  expect_local(shared);
  EXPECT_EQ(of_workers_, 0);
  EXPECT_EQ(refused_, 0) << "nobody has seen it";
}

TEST_F(MatchSharerTest, AForgedPairIsQuarantinedWithItsSenderAndPlayedAgain) {
  std::vector<TakenPair> taken;
  const MatchResult shared = share([&] {
    if (!taken.empty()) return;
    taken = hub_->take_pairs(kBad, 2);
    MatchOptions part = options_;
    part.pairs = {taken[0].pair};
    const MatchResult true_result =
        play_match(*games_[0], a_, b_, part, [](const MatchProgress&) { return true; });
    MatchPair forged{taken[0].pair, true_result.games[0], true_result.games[1]};
    forged.first.set_result(forged.first.result() == 1 ? 2 : 1);
    hub_->finish_pair(taken[0], {forged.pair, kBad, pair_frame("1.1", forged)});
    hub_->finish_pair(taken[1], {taken[1].pair, kBad, "no frame"});
  });
  expect_local(shared);
  EXPECT_EQ(refused_, 2);
  EXPECT_EQ(of_workers_, 0);
  const auto about = folder_ / "quarantine" /
                     (std::string(kBad) + "-job-1.1-" + std::to_string(taken[0].pair) + ".frame.txt");
  EXPECT_THAT(models::read_text_file(about), HasSubstr("worker mallory\njob 1.1\n"));
  EXPECT_THAT(models::read_text_file(about), HasSubstr("players, seed, result or material"));
  EXPECT_THAT(log_, HasSubstr("refused worker=mallory job=1.1"));
}

TEST_F(MatchSharerTest, StoppedTheFinishedPairsAreTheResult) {
  PairPlayer peer = worker("peer");
  const MatchResult shared = share([&] {
    peer.pump(hub_.get());
    if (peer.has_pairs()) peer.play({}, [] {});
    peer.pump(hub_.get());
    stop_ = of_workers_ == 0 && peer.played() >= 2;
  });
  EXPECT_LT(shared.pairs.size(), 6u);
  const MatchResult local = play_match(*games_[0], a_, b_, options_, [](const auto&) { return true; });
  const std::vector<std::string> all = timeless(local.games), some = timeless(shared.games);
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i], all[2 * shared.pairs[i / 2] + i % 2]);
}

// --- What a worker plays for others.

TEST_F(MatchSharerTest, AJobThatNamesAProgramIsNotPlayed) {
  RatingJob job;
  ASSERT_TRUE(job.ParseFromString(job_text(*games_[0], a_, b_, options_)));
  for (const char* player : {"uci:/bin/false", "xboard:/bin/false", "alphabeta?ms=100", "/etc/passwd"}) {
    job.mutable_b()->set_name(player);
    hub_->offer_job(1, {std::string("1.") + player, job.SerializeAsString()}, std::vector{0});
    hub_->lend_network(1, a_.network()->id, models::read_text_file(a_.network()->checkpoint));
    PairPlayer peer = worker("peer");
    peer.pump(hub_.get());
    EXPECT_FALSE(peer.has_pairs()) << player;
    EXPECT_THAT(log_, HasSubstr("rating: "));
  }
}

TEST_F(MatchSharerTest, AJobWhoseNetworkIsOutOfRangeIsNotPlayed) {
  RatingJob job;
  ASSERT_TRUE(job.ParseFromString(job_text(*games_[0], a_, b_, options_)));
  const auto refused = [&](const char* name, const auto& change) {
    RatingJob changed = job;
    change(changed.mutable_a());
    hub_->offer_job(1, {name, changed.SerializeAsString()}, std::vector{0});
    hub_->lend_network(1, a_.network()->id, models::read_text_file(a_.network()->checkpoint));
    PairPlayer peer = worker("peer");
    peer.pump(hub_.get());
    EXPECT_FALSE(peer.has_pairs()) << name;
  };
  refused("1.1", [](RatingPlayer* a) { a->set_simulations(0); });
  EXPECT_THAT(log_, HasSubstr("needs 1 to 1000000 simulations"));
  refused("1.2", [](RatingPlayer* a) { a->set_temperature(1001); });
  EXPECT_THAT(log_, HasSubstr("needs a temperature from 0 to 1000"));
  refused("1.3", [](RatingPlayer* a) { a->set_material(2); });
  EXPECT_THAT(log_, HasSubstr("needs a weight of the material evaluator from 0 to 1"));
}

TEST_F(MatchSharerTest, ImpossiblePairsAreNotPlayed) {
  hub_->lend_network(1, a_.network()->id, models::read_text_file(a_.network()->checkpoint));
  hub_->offer_job(1, {"1.1", job_text(*games_[0], a_, b_, options_)}, std::vector{-1, 6, 1'000'000, 5, 5});
  PairPlayer peer = worker("peer");
  peer.pump(hub_.get());
  peer.pump(hub_.get());
  while (peer.has_pairs()) {
    peer.play({}, [] {});
    peer.pump(hub_.get());
  }
  for (int i = 0; i < 5; ++i) peer.pump(hub_.get());
  EXPECT_LE(peer.played(), 1);
}

}  // namespace
}  // namespace makzero::train
