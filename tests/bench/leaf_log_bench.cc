// What the leaf log costs an evaluation of self-play.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "game/catalog.h"
#include "mcts/evaluator.h"
#include "mcts/rng.h"
#include "train/self_play/leaf_logging_evaluator.h"

namespace makzero::train {
namespace {

constexpr int kBatch = 128, kGames = 128, kPlies = 100;

// A network that costs next to nothing.
class EvenEvaluator : public mcts::Evaluator {
 public:
  void evaluate(std::span<const mcts::EvalRequest>, std::span<mcts::Evaluation> evaluations) override {
    for (mcts::Evaluation& evaluation : evaluations) {
      const auto win = static_cast<float>(rng_.uniform());
      evaluation.value = {win, 0.25f * (1 - win), 0.75f * (1 - win)};
    }
  }

 private:
  mcts::Rng rng_{5};
};

// The positions of random games, in the order in which self-play in lockstep comes to them.
std::vector<game::Position> positions_of(const game::Game& game) {
  mcts::Rng rng(3);
  std::vector<game::Position> at(kGames, game.initial()), positions;
  game::MoveList legal;
  for (int ply = 0; ply < kPlies; ++ply) {
    for (game::Position& position : at) {
      game.legal_moves(position, &legal);
      if (legal.empty()) position = game.initial();
      if (!legal.empty()) game.apply(legal[static_cast<int>(rng.below(legal.size()))], &position);
      positions.push_back(position);
    }
  }
  return positions;
}

// Time is that of an evaluation beyond what the network takes, compression and writing included.
void evaluations(benchmark::State& state, const char* spec, float share) {
  const auto game = game::make_game(spec);
  if (!game) return state.SkipWithError(game.why().c_str());
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("makzero_leaf_log_bench_" + std::to_string(getpid()));
  {
    LeafLog log(folder, 1'000'000'000);
    LeafLoggingEvaluator evaluator(std::make_unique<EvenEvaluator>(), share, 1, &log);
    const std::vector<game::Position> positions = positions_of(**game);
    std::vector<mcts::EvalRequest> requests(kBatch);
    std::vector<mcts::Evaluation> results(kBatch);
    std::size_t next = 0;
    for (auto _ : state) {
      for (mcts::EvalRequest& request : requests) {
        request.game = game->get();
        request.position = &positions[next];
        next = (next + 1) % positions.size();
      }
      evaluator.evaluate(requests, results);
    }
    log.flush();
  }
  std::uint64_t bytes = 0, leaves = 0;
  for (const LeafShard& shard : list_leaf_shards(folder)) {
    bytes += shard.bytes;
    read_leaves(shard.path, [&](const LeafBlock& block) { leaves += block.leaves.size(); });
  }
  std::filesystem::remove_all(folder);
  state.counters["time/evaluation"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kBatch,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (leaves > 0) state.counters["bytes/leaf"] = static_cast<double>(bytes) / static_cast<double>(leaves);
}
BENCHMARK_CAPTURE(evaluations, makyek_off, "makyek", 0.0f);
BENCHMARK_CAPTURE(evaluations, makyek_quarter, "makyek", 0.25f);
BENCHMARK_CAPTURE(evaluations, makyek_all, "makyek", 1.0f);
BENCHMARK_CAPTURE(evaluations, makruk_quarter, "makruk", 0.25f);
BENCHMARK_CAPTURE(evaluations, makruk_all, "makruk", 1.0f);

}  // namespace
}  // namespace makzero::train
