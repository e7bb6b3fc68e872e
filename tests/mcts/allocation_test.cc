// A search that has reached its size allocates nothing more, and a kept tree is there once. In a program of
// its own: it replaces operator new.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "game/catalog.h"
#include "mcts/lockstep.h"
#include "mcts/search.h"
#include "mcts/uniform_evaluator.h"

namespace {
int allocations = 0;
std::size_t bytes = 0;  // That are allocated.

void* allocate(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size);
  bytes += malloc_usable_size(memory);
  return memory;
}

void release(void* memory) {
  bytes -= malloc_usable_size(memory);
  std::free(memory);
}
}  // namespace

// Not inlined: else the compiler takes free() for the wrong partner of new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { release(memory); }

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

TEST(AllocationTest, AKeptTreeTakesTheMemoryOfOne) {
  const game::GamePtr game = *game::make_game("makyek");
  Search search(*game, {.simulations = 2000}, 1);
  UniformEvaluator evaluator;
  const game::Position start = game->initial();
  search.set_root(start, game::History(start));
  const game::Move best = run_search(&search, &evaluator).best;
  const std::size_t before = bytes;
  search.advance(best);
  EXPECT_GT(search.memory(), 10'000U);
  EXPECT_LT(bytes, before);
}

}  // namespace
}  // namespace makzero::mcts
