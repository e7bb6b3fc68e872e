// A search that has reached its size allocates nothing more. In a program of its own: it replaces operator
// new.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "game/catalog.h"
#include "mcts/search.h"
#include "mcts/uniform_evaluator.h"

namespace {
int allocations = 0;
}  // namespace

// Not inlined: else the compiler takes free() for the wrong partner of new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace makzero::mcts {
namespace {

TEST(AllocationTest, SecondSearchOfAPositionAllocatesNothing) {
  for (const SearchAlgorithm algorithm : {SearchAlgorithm::kGumbel, SearchAlgorithm::kPuct}) {
    const game::GamePtr game = *game::make_game("makyek");
    SearchOptions options;
    options.algorithm = algorithm;
    options.simulations = 200;
    options.gumbel_scale = 0;
    Search search(*game, options, 1);
    UniformEvaluator evaluator;
    Evaluation evaluation;
    const game::Position start = game->initial();
    const game::History history(start);
    for (const bool measured : {false, true}) {
      const int before = allocations;
      search.set_root(start, history);
      while (!search.done()) {
        const std::optional<Leaf> leaf = search.gather();
        if (!leaf) continue;
        evaluator.evaluate({&leaf->request, 1}, {&evaluation, 1});
        search.backup(*leaf, evaluation);
      }
      EXPECT_TRUE(!measured || allocations == before);
    }
  }
}

}  // namespace
}  // namespace makzero::mcts
