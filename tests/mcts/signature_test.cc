// The signature of the search: one number that changes when behaviour does.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "game/game_state.h"
#include "mcts/hash_evaluator.h"
#include "mcts/lockstep.h"
#include "mcts/search.h"
#include "mcts/uniform_evaluator.h"
#include "tests/support/toy_games.h"

namespace makzero::mcts {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kMovesPerSearch = 3;  // With the tree kept in between.

// FNV-1a over 64-bit words.
void mix(std::uint64_t word, std::uint64_t* hash) {
  *hash = (*hash ^ word) * 0x100000001B3u;
  *hash ^= *hash >> 32;
}

void mix(const SearchResult& result, std::uint64_t* hash) {
  for (const RootMove& move : result.moves) {
    mix(move.move.bits(), hash);
    mix(static_cast<std::uint64_t>(move.visits), hash);
    mix(static_cast<std::uint64_t>(move.bounds.upper - move.bounds.lower), hash);
  }
  for (const game::Move move : result.principal_variation) mix(move.bits(), hash);
  mix(static_cast<std::uint64_t>(result.simulations), hash);
  mix(static_cast<std::uint64_t>(result.depth), hash);
}

void mix_searches(const game::Game& game, const SearchOptions& options, Evaluator* evaluator,
                  std::uint64_t* hash) {
  Search search(game, options, kSeed);
  game::GameState state(game);
  search.set_root(state.position(), state.history());
  for (int move = 0; move < kMovesPerSearch; ++move) {
    const SearchResult result = run_search(&search, evaluator, 1 + 3 * move);
    mix(result, hash);
    state.play(result.best);
    if (state.over()) return;
    search.advance(result.best);
  }
}

// Hash of fixed searches (Gumbel and PUCT, even and pseudo-random evaluations, one leaf and several at a
// time, a kept tree) from every start: of moves, visits, bounds and lines. Any change of selection, backing
// up, move order or rules changes it.
std::uint64_t signature_of(const std::vector<const game::Game*>& games) {
  SearchOptions gumbel, puct;
  gumbel.simulations = 64;
  puct.algorithm = SearchAlgorithm::kPuct;
  puct.simulations = 200;
  puct.dirichlet_alpha = 0.3f;
  puct.draw_score = -0.1f;
  UniformEvaluator uniform;
  HashEvaluator hashed;
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const game::Game* game : games) {
    for (const SearchOptions& options : {gumbel, puct}) {
      for (Evaluator* evaluator : std::array<Evaluator*, 2>{&uniform, &hashed}) {
        mix_searches(*game, options, evaluator, &hash);
      }
    }
  }
  return hash;
}

TEST(SignatureTest, IsTheSameEveryTime) {
  const testing::RandomTree game(1, 5, 8);
  EXPECT_EQ(signature_of({&game}), signature_of({&game}));
}

TEST(SignatureTest, DependsOnTheGame) {
  const testing::RandomTree one(1, 5, 8), other(2, 5, 8);
  EXPECT_NE(signature_of({&one}), signature_of({&other}));
  EXPECT_NE(signature_of({&one, &other}), signature_of({&other, &one}));
}

// A change here is a change of the search: make it on purpose, and say so in the commit. Golden trees show it
// as text.
TEST(SignatureTest, IsTheReviewedNumber) {
  const testing::RandomTree toy(1, 5, 8);
  EXPECT_EQ(signature_of({&toy}), 15256400770888487327u);
}

}  // namespace
}  // namespace makzero::mcts
