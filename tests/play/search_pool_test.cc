// Many searches at once: every one tells its end once, whatever happens to it.
#include "play/engine/search_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "nn/encoder.h"
#include "nn/learner.h"

namespace makzero::play {
namespace {

using testing::HasSubstr;

class SearchPoolTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const game::GamePtr rules = *game::make_game("makyek");
    const nn::NetworkArchitecture shape{
        .planes = nn::default_planes(rules->info()), .blocks = 1, .channels = 8};
    models::Model checkpoint = models::make_model(*rules, nn::Learner(shape, {}, 1).network());
    models::Level* level = checkpoint.manifest.add_levels();
    level->set_level(4);
    level->set_nodes(24);
    level->set_temperature(1);
    models::write_model(path, checkpoint);
  }
  static void TearDownTestSuite() { std::filesystem::remove(path); }

  static SearchRequest request(const std::string& player, const Limits& limits) {
    return {.game = PlayedGame(*game::make_game("makyek")),
            .player = models::choose_player(player, {.ruleset = "makyek"}),
            .limits = limits};
  }

  // The end of a search: what it found, or an exception with the reason.
  static std::future<SearchInfo> end_of(SearchHandlers* handlers) {
    const auto promise = std::make_shared<std::promise<SearchInfo>>();
    handlers->info = [](const SearchInfo&) {};
    handlers->finished = [promise](const SearchInfo& info) { promise->set_value(info); };
    handlers->failed = [promise](const std::string& why) {
      promise->set_exception(std::make_exception_ptr(std::runtime_error(why)));
    };
    return promise->get_future();
  }

  static SearchInfo search(SearchPool* pool, const SearchRequest& wanted) {
    SearchHandlers handlers;
    std::future<SearchInfo> end = end_of(&handlers);
    pool->start(wanted, handlers);
    return end.get();
  }

  static inline const std::string path =
      testing::TempDir() + "search_pool_test." + std::to_string(getpid()) + ".mzc";
};

TEST_F(SearchPoolTest, ALevelSetsTheSimulationsAndDrawsTheMove) {
  SearchPool pool({});
  SearchRequest wanted = request(path, {});
  limit_by_level(4, &wanted);
  const SearchInfo info = search(&pool, wanted);
  EXPECT_EQ(info.nodes, 24u);
  EXPECT_TRUE(info.sampled.has_value());
  try {
    limit_by_level(5, &wanted);
    FAIL() << "there is no level 5";
  } catch (const models::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no level 5, only 1 to 1"));
  }
}

TEST_F(SearchPoolTest, TheTreeIsReadWhileItGrowsAndAfterwards) {
  SearchPool pool({});
  SearchRequest wanted = request(path, {.nodes = 1'000'000});
  wanted.report_every = std::chrono::milliseconds(10);
  SearchHandlers handlers;
  std::future<SearchInfo> end = end_of(&handlers);
  std::promise<void> reported;
  std::atomic<bool> first{true};
  handlers.info = [&](const SearchInfo& info) {
    if (info.nodes >= 100 && first.exchange(false)) reported.set_value();
  };
  const std::shared_ptr<PooledSearch> running = pool.start(wanted, handlers);
  reported.get_future().wait();
  EXPECT_EQ(static_cast<int>(running->moves_after({}).size()), wanted.game.legal().size());
  running->stop();
  const SearchInfo info = end.get();
  EXPECT_FALSE(running->moves_after({{info.best()}}).empty());
}

TEST_F(SearchPoolTest, WhoAsksForATreeOfAlphaBetaDoesNotWaitForItsIteration) {
  SearchPool pool({});
  SearchRequest wanted = request("alphabeta:30", {.depth = 30});
  wanted.report_progress = true;
  SearchHandlers handlers;
  std::future<SearchInfo> end = end_of(&handlers);
  std::promise<int> reported;
  std::atomic<bool> first{true};
  handlers.info = [&](const SearchInfo& info) {
    if (info.elapsed > std::chrono::milliseconds(300) && first.exchange(false))
      reported.set_value(info.depth);
  };
  const std::shared_ptr<PooledSearch> running = pool.start(wanted, handlers);
  const int depth = reported.get_future().get();
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(running->moves_after({}).empty());
  running->stop();
  EXPECT_EQ(end.get().depth, depth);
}

TEST_F(SearchPoolTest, NobodyWaitsForEndlessSearches) {
  SearchPool pool({.alone = 3});
  std::vector<std::future<SearchInfo>> ends;
  std::vector<std::shared_ptr<PooledSearch>> endless;
  for (int i = 0; i < 2; ++i) {
    SearchRequest wanted = request("alphabeta:64", {});
    wanted.report_progress = true;
    SearchHandlers handlers;
    ends.push_back(end_of(&handlers));
    const auto begun = std::make_shared<std::promise<void>>();
    const auto first = std::make_shared<std::atomic<bool>>(true);
    handlers.info = [=](const SearchInfo&) {
      if (first->exchange(false)) begun->set_value();
    };
    endless.push_back(pool.start(wanted, handlers));
    begun->get_future().wait();
  }
  EXPECT_EQ(search(&pool, request("alphabeta:2", {.depth = 2})).depth, 2);
  for (const auto& end : ends) EXPECT_EQ(end.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  for (const auto& one : endless) one->stop();
  for (auto& end : ends) EXPECT_GT(end.get().depth, 0);
}

TEST_F(SearchPoolTest, ItsEndIsToldToEverySearch) {
  std::atomic<int> ends{0};
  {
    SearchPool pool({.together = 2});
    for (const char* player :
         {"rollout", "material", "material", "alphabeta:30", "alphabeta", "uci:no/such"}) {
      const auto ended = [&ends] { ++ends; };
      pool.start(request(player, {.nodes = 1'000'000'000}),
                 {.info = [](const SearchInfo&) {},
                  .finished = [ended](const SearchInfo&) { ended(); },
                  .failed = [ended](const std::string&) { ended(); }});
    }
  }
  EXPECT_EQ(ends, 6);
}

TEST_F(SearchPoolTest, SearchesOfEveryGameShareThePool) {
  SearchPool pool({.players = 2});
  for (const std::string& name : game::ruleset_names()) {
    for (const char* player : {"material", "alphabeta"}) {
      SearchRequest wanted = request(player, {.nodes = 100});
      wanted.game = PlayedGame(*game::make_game(name));
      EXPECT_NEAR(static_cast<double>(search(&pool, wanted).nodes), 100, 60) << name;
    }
  }
}

// A network that is loaded does not mind what becomes of its file.
TEST_F(SearchPoolTest, TheNetworkThatWasUsedLongestAgoIsDroppedWhereTheyAreTooMany) {
  const std::string files[] = {path + ".a.mzc", path + ".b.mzc", path + ".c.mzc"};
  SearchPool pool({.players = 2});
  std::vector<SearchRequest> wanted;
  for (int i = 0; i < 3; ++i) {
    models::Model checkpoint = models::read_model(path);
    checkpoint.tower.weights[0].data[0] += static_cast<float>(i + 1);  // Another network.
    models::write_model(files[i], checkpoint);
    wanted.push_back(request(files[i], {.nodes = 10}));
    EXPECT_EQ(search(&pool, wanted.back()).nodes, 10u);
  }
  for (const std::string& file : files) std::ofstream(file) << "damaged";
  EXPECT_EQ(search(&pool, wanted[1]).nodes, 10u);
  EXPECT_EQ(search(&pool, wanted[2]).nodes, 10u);
  EXPECT_THROW(search(&pool, wanted[0]), std::runtime_error);
  for (const std::string& file : files) std::filesystem::remove(file);
}

}  // namespace
}  // namespace makzero::play
