// Searches that know endings: won positions are finished, drawn ones kept.
#include "mcts/ending_searcher.h"

#include <gtest/gtest.h>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "mcts/endings/solver.h"
#include "mcts/tree_searcher.h"
#include "mcts/uniform_evaluator.h"
#include "tests/support/small_network.h"

namespace makzero::mcts {
namespace {

using game::GameState;
using game::Move;

struct Makruk {
  Makruk() : game(*game::make_game("makruk")), endings(std::make_shared<Endings>(*game)) {
    for (const Material material : ending_materials(*game)) {
      if (count_of(material, game::Color::kWhite) + count_of(material, game::Color::kBlack) > 3) break;
      endings->add(solve_ending(*game, *endings, material));
    }
  }

  GameState state(const std::string& text) const {
    return GameState(*game, *game::parse_position(*game, text));
  }

  game::GamePtr game;
  std::shared_ptr<Endings> endings;
};

const Makruk& makruk() {
  static const Makruk kMakruk;
  return kMakruk;
}

SmallNetwork network() { return testing::random_small_network(makruk().game->info(), 1); }

std::unique_ptr<Searcher> alpha_beta(const SmallNetwork& network, const Endings* endings) {
  AlphaBetaOptions options = alpha_beta_options(makruk().game->info());
  options.endings = endings;
  return make_small_searcher(*makruk().game, network, options, std::size_t{1} << 16);
}

std::unique_ptr<Searcher> tree(const Endings* endings) {
  TreeSearcherOptions options;
  options.search.endings = endings;
  return std::make_unique<TreeSearcher>(*makruk().game, options);
}

SearchInfo search(const GameState& state, Searcher* searcher, std::int64_t nodes) {
  const game::Position& position = state.position();
  searcher->begin({&position, &state.history(), &state.legal(), &position}, {.nodes = nodes});
  UniformEvaluator evaluator;
  while (!searcher->done()) {
    const std::span<const EvalRequest> requests = searcher->step({});
    std::vector<Evaluation> evaluations(requests.size());
    evaluator.evaluate(requests, evaluations);
    if (!requests.empty()) searcher->backup(evaluations);
  }
  return searcher->info();
}

// Both sides by searches of few nodes; the plies to the end of the game.
int finish(GameState state, const std::function<std::unique_ptr<Searcher>()>& make, game::Result wanted) {
  EndingSearcher searcher(*makruk().game, makruk().endings, make());
  int plies = 0;
  while (!state.over()) {
    state.play(search(state, &searcher, 50).best());
    ++plies;
  }
  EXPECT_EQ(state.outcome().result, wanted) << reason_text(state.outcome().reason);
  return plies;
}

// Mate in 13 moves, which is all that the count leaves.
constexpr const char* kWon = "8/K7/5k2/8/8/7R/8/8 w - 32 7 40";

TEST(EndingSearcherTest, AlphaBetaFinishesAWinOnTheLastMoveOfTheCount) {
  const SmallNetwork any = network();
  const Endings* endings = makruk().endings.get();
  EXPECT_EQ(finish(
                makruk().state(kWon), [&] { return alpha_beta(any, endings); }, game::Result::kWhiteWins),
            25);
  EXPECT_EQ(finish(
                makruk().state(kWon), [&] { return alpha_beta(any, nullptr); }, game::Result::kWhiteWins),
            25)
      << "with the root's moves alone";
}

TEST(EndingSearcherTest, TreeFinishesAWinOnTheLastMoveOfTheCount) {
  const Endings* endings = makruk().endings.get();
  EXPECT_EQ(finish(
                makruk().state(kWon), [&] { return tree(endings); }, game::Result::kWhiteWins),
            25);
}

// Without endings the same search draws.
TEST(EndingSearcherTest, AWinIsLostWithoutEndings) {
  GameState state = makruk().state(kWon);
  const std::unique_ptr<Searcher> searcher = tree(nullptr);
  while (!state.over()) state.play(search(state, searcher.get(), 50).best());
  EXPECT_EQ(state.outcome().result, game::Result::kDraw);
}

TEST(EndingSearcherTest, LeavesOfBothSearchesAreProven) {
  const GameState state = makruk().state(kWon);
  const SmallNetwork any = network();
  EXPECT_EQ(search(state, alpha_beta(any, makruk().endings.get()).get(), 2000).lines.front().end_in_plies,
            25);
  const SearchInfo by_tree = search(state, tree(makruk().endings.get()).get(), 2000);
  ASSERT_TRUE(by_tree.lines.front().end_in_plies.has_value());
  EXPECT_GE(*by_tree.lines.front().end_in_plies, 25);
  EXPECT_EQ(by_tree.value.win, 1);
}

// One move of the bare king walks into a mate in time.
TEST(EndingSearcherTest, DrawingMovesAloneAreSearchedInADraw) {
  const GameState state = makruk().state("8/3R4/2k5/8/8/8/8/5K2 b - 32 8 40");
  const std::vector<Move> moves =
      best_ending_moves(*makruk().game, *makruk().endings, state.position(), state.history(),
                        {state.legal().begin(), state.legal().end()});
  ASSERT_FALSE(moves.empty());
  for (const Move move : state.legal()) {
    GameState after = state;
    after.play(move);
    const bool draws = after.over() || makruk().endings->probe(after.position())->result == 0;
    EXPECT_EQ(std::ranges::count(moves, move), draws)
        << game::move_text(*makruk().game, state.position(), move);
  }
}

TEST(EndingSearcherTest, EndingsThatAreNotKnownLeaveAllMoves) {
  const GameState state = makruk().state("4k3/8/8/8/8/4P3/4R3/4K3 w - - 0 1");
  EXPECT_TRUE(best_ending_moves(*makruk().game, *makruk().endings, state.position(), state.history(),
                                {state.legal().begin(), state.legal().end()})
                  .empty());
}

}  // namespace
}  // namespace makzero::mcts
