#include "mcts/signature.h"

#include <array>

#include "game/game_state.h"
#include "mcts/hash_evaluator.h"
#include "mcts/lockstep.h"
#include "mcts/search.h"
#include "mcts/uniform_evaluator.h"

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

void mix_searches(const SignatureCase& start, const SearchOptions& options, Evaluator* evaluator,
                  std::uint64_t* hash) {
  Search search(*start.game, options, kSeed);
  game::GameState state(*start.game, start.start);
  search.set_root(state.position(), state.history());
  for (int move = 0; move < kMovesPerSearch; ++move) {
    const SearchResult result = run_search(&search, evaluator, 1 + 3 * move);
    mix(result, hash);
    state.play(result.best);
    if (state.over()) return;
    search.advance(result.best);
  }
}

}  // namespace

std::uint64_t search_signature(std::span<const SignatureCase> cases) {
  SearchOptions gumbel, puct;
  gumbel.simulations = 64;
  puct.algorithm = SearchAlgorithm::kPuct;
  puct.simulations = 200;
  puct.dirichlet_alpha = 0.3f;
  puct.draw_score = -0.1f;
  UniformEvaluator uniform;
  HashEvaluator hashed;
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const SignatureCase& start : cases) {
    for (const SearchOptions& options : {gumbel, puct}) {
      for (Evaluator* evaluator : std::array<Evaluator*, 2>{&uniform, &hashed}) {
        mix_searches(start, options, evaluator, &hash);
      }
    }
  }
  return hash;
}

}  // namespace makzero::mcts
