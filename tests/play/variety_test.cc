// Openings differ from game to game, and lose little by it.
#include "mcts/sample_move.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <set>
#include <string>

#include "game/catalog.h"
#include "play/engine/search_pool.h"
#include "play/notation/document_writer.h"

namespace makzero::play {
namespace {

using game::Move;

constexpr int kGames = 20;

Line line(int number, int visits, float expected) {
  return {.moves = {Move::step(number, number + 8)},
          .value = {(1 + expected) / 2, 0, (1 - expected) / 2},
          .visits = visits};
}

// The numbers of the moves that are chosen in a thousand samples.
std::set<int> chosen(const std::vector<Line>& lines) {
  std::set<int> numbers;
  mcts::Rng rng(7);
  for (int i = 0; i < 1000; ++i) numbers.insert(mcts::varied_move(lines, &rng).origin());
  return numbers;
}

TEST(VarietyTest, NearlyEqualMovesAreChosenAndNoOthers) {
  EXPECT_EQ(chosen({line(0, 40, 0.10f), line(1, 20, 0.07f), line(2, 20, 0.05f), line(3, 9, 0.10f),
                    line(4, 0, 0.10f)}),
            (std::set<int>{0, 1}));
}

TEST(VarietyTest, OfAlphaBetaTheVisitsDoNotCount) {
  EXPECT_EQ(chosen({line(0, 0, 0.10f), line(1, 0, 0.07f), line(2, 0, 0.05f)}), (std::set<int>{0, 1}));
}

TEST(VarietyTest, AProvenWinIsAlwaysPlayed) {
  std::vector<Line> lines = {line(0, 40, 1), line(1, 40, 0.99f)};
  lines[0].end_in_plies = 3;
  EXPECT_EQ(chosen(lines), (std::set<int>{0}));
}

TEST(SampleMoveTest, TheTemperatureSpreadsTheMovesByTheirPolicy) {
  std::vector<Line> lines = {line(0, 1, 0), line(1, 1, 0), line(2, 1, 0)};
  lines[0].policy = 0.75f, lines[1].policy = 0.25f;
  mcts::Rng rng(7);
  const auto share_of_first = [&](float temperature) {
    int first = 0;
    for (int i = 0; i < 4000; ++i) {
      const int origin = mcts::sample_move(lines, temperature, &rng).origin();
      EXPECT_NE(origin, 2) << "it has no policy";
      first += origin == 0;
    }
    return first / 4000.0;
  };
  EXPECT_NEAR(share_of_first(1), 0.75, 0.03);
  EXPECT_NEAR(share_of_first(0.5f), 0.9, 0.03);
  EXPECT_NEAR(share_of_first(100), 0.5, 0.03);
}

// The first plies of a game of a level against itself.
std::string opening(SearchPool* pool, const std::string& network, const game::GamePtr& rules, int level,
                    std::uint64_t seed) {
  PlayedGame game(rules);
  for (int ply = 0; ply < mcts::kVariedPlies && !game.outcome().over(); ++ply) {
    std::promise<Move> best;
    SearchRequest request{.game = game,
                          .player = models::choose_player(network, {}),
                          .limits = {.varied_plies = mcts::kVariedPlies},
                          .seed = seed};
    limit_by_level(level, &request);
    pool->start(std::move(request), {.info = [](const SearchInfo&) {},
                                     .finished = [&](const SearchInfo& info) { best.set_value(info.best()); },
                                     .failed = [&](const std::string& why) { FAIL() << why; }});
    game.play(best.get_future().get());
  }
  return game_text(GameDocument(game));
}

// A game and the network of its model in the zoo.
class OpeningsTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

// With the networks of the zoo, whose highest level always holds the same move for the best.
TEST_P(OpeningsTest, NoTwoOfTwentyGamesAreEqualAndASeedRepeatsItsGame) {
  const std::filesystem::path zoo(MAKZERO_SOURCE "/models/zoo");
  const auto& [ruleset, kind] = GetParam();
  const std::string network = (zoo / ruleset / "network.mzc").string() + "?network=" + kind;
  const game::GamePtr rules = *game::make_game(ruleset);
  SearchPool pool({});
  for (const int level : {3, 10}) {
    std::set<std::string> openings;
    for (std::uint64_t seed = 1; seed <= kGames; ++seed)
      openings.insert(opening(&pool, network, rules, level, seed));
    EXPECT_EQ(openings.size(), static_cast<size_t>(kGames)) << "level " << level;
    EXPECT_TRUE(openings.contains(opening(&pool, network, rules, level, 1))) << "level " << level;
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, OpeningsTest,
                         testing::Values(std::pair("makyek", "small"), std::pair("makruk", "tower")),
                         [](const auto& info) { return info.param.first; });

TEST(SampledLinesTest, AreMoreTheWarmerByAndBy) {
  EXPECT_EQ(mcts::sampled_lines(0), 3);
  EXPECT_EQ(mcts::sampled_lines(0.5f), 3);
  EXPECT_GE(mcts::sampled_lines(16), 90);
  for (float temperature = 0; temperature < 16; temperature += 0.1f) {
    const int more = mcts::sampled_lines(temperature + 0.1f) - mcts::sampled_lines(temperature);
    EXPECT_TRUE(more == 0 || more == 1) << temperature;
  }
}

}  // namespace
}  // namespace makzero::play
