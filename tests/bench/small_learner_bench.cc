// The speed of learning a small network on one core.
#include <benchmark/benchmark.h>

#include <cmath>

#include "game/catalog.h"
#include "nn/small_learner.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

constexpr int kBatch = 4096;

void learn(benchmark::State& state, const char* spec) {
  const game::GamePtr game = *game::make_game(spec);
  const SmallBatch batch = random_small_batch(*game, kBatch, 1);
  SmallLearner learner(game->info(), {});
  for (auto _ : state)
    if (!std::isfinite(learner.step(batch))) return state.SkipWithError("the loss is not finite");
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kBatch, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(learn, makruk, "makruk")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(learn, makyek, "makyek")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace makzero::nn
