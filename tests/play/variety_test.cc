// Openings differ from game to game, and lose little by it.
#include "play/engine/variety.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <set>
#include <string>

#include "game/catalog.h"
#include "play/engine/level.h"
#include "play/engine/load_network.h"
#include "play/engine/search_pool.h"

namespace makzero::play {
namespace {

using game::Move;

constexpr int kGames = 20;

mcts::RootMove root_move(int number, int visits, float expected) {
  mcts::RootMove move;
  move.move = Move::step(number, number + 8);
  move.visits = visits;
  move.value.white = (1 + expected) / 2;
  move.value.draw = 0;
  move.value.black = (1 - expected) / 2;
  return move;
}

// The moves that are chosen in a thousand draws.
std::set<std::uint16_t> chosen(const mcts::SearchResult& result, game::Color mover) {
  std::set<std::uint16_t> moves;
  mcts::Rng rng(7);
  for (int i = 0; i < 1000; ++i) moves.insert(varied_move(result, mover, &rng).bits());
  return moves;
}

TEST(VarietyTest, NearlyEqualMovesAreChosenAndNoOthers) {
  mcts::SearchResult result;
  result.moves = {root_move(0, 40, 0.10f), root_move(1, 20, 0.07f), root_move(2, 20, 0.05f),
                  root_move(3, 9, 0.10f), root_move(4, 0, 0.10f)};
  result.best = result.moves[0].move;
  EXPECT_EQ(chosen(result, game::Color::kWhite),
            (std::set<std::uint16_t>{result.moves[0].move.bits(), result.moves[1].move.bits()}));
}

TEST(VarietyTest, BlackLosesWhatWhiteWins) {
  mcts::SearchResult result;
  result.moves = {root_move(0, 40, -0.10f), root_move(1, 40, 0.10f), root_move(2, 40, -0.08f)};
  result.best = result.moves[0].move;
  EXPECT_EQ(chosen(result, game::Color::kBlack),
            (std::set<std::uint16_t>{result.moves[0].move.bits(), result.moves[2].move.bits()}));
}

TEST(VarietyTest, AProvenWinIsAlwaysPlayed) {
  mcts::SearchResult result;
  result.moves = {root_move(0, 40, 1), root_move(1, 40, 0.99f)};
  result.moves[0].bounds = {1, 1};
  result.best = result.moves[0].move;
  EXPECT_EQ(chosen(result, game::Color::kWhite), (std::set<std::uint16_t>{result.best.bits()}));
}

// The first plies of a game of a level against itself.
std::string opening(SearchPool* pool, const std::string& network, const game::GamePtr& rules, int level,
                    std::uint64_t seed) {
  PlayedGame game(rules);
  for (int ply = 0; ply < kVariedPlies && !game.outcome().over(); ++ply) {
    std::promise<Move> best;
    pool->start({.game = game,
                 .player = network,
                 .limits = {.varied_plies = kVariedPlies},
                 .level = level,
                 .seed = seed},
                {.info = [](const SearchInfo&) {},
                 .finished = [&](const SearchInfo& info) { best.set_value(info.best()); },
                 .failed = [&](const std::string& why) { FAIL() << why; }});
    game.play(best.get_future().get());
  }
  return game_text(game);
}

class OpeningsTest : public testing::TestWithParam<const char*> {};

// With the networks of the zoo, whose highest level always holds the same move for the best.
TEST_P(OpeningsTest, NoTwoOfTwentyGamesAreEqualAndASeedRepeatsItsGame) {
  const std::filesystem::path zoo(MAKZERO_SOURCE "/models/zoo");
  const std::string network = zoo / GetParam() / "network.mzc";
  const game::GamePtr rules = *game::make_game(GetParam());
  SearchPool pool({});
  for (const int level : {3, 10}) {
    std::set<std::string> openings;
    for (std::uint64_t seed = 1; seed <= kGames; ++seed)
      openings.insert(opening(&pool, network, rules, level, seed));
    EXPECT_EQ(openings.size(), static_cast<size_t>(kGames)) << "level " << level;
    EXPECT_TRUE(openings.contains(opening(&pool, network, rules, level, 1))) << "level " << level;
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, OpeningsTest, testing::Values("makyek", "makruk"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace makzero::play
