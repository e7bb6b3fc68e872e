#include "play/engine/engine.h"

#include <exception>
#include <optional>
#include <utility>

#include "mcts/uniform_evaluator.h"
#include "models/error.h"
#include "nn/runtime.h"
#include "play/engine/alpha_beta_searcher.h"
#include "play/engine/load_network.h"
#include "play/engine/tree_searcher.h"

namespace makzero::play {
namespace {

// The cache of evaluations gets one part in so many of the memory, the tree the rest: a tree keeps what it
// was told, the cache serves transpositions and the next game.
constexpr int kCacheShare = 32;

}  // namespace

Engine::Engine(const game::GamePtr& rules, const EngineOptions& options) : options_(options) {
  const AlphaBetaSearcherOptions alpha_beta{.lines = options.lines, .seed = options.seed};
  TreeSearcherOptions search{
      .simulations = options.simulations,
      .tree = {.lines = options.lines, .seed = options.seed, .memory = options.memory}};
  mate_searcher_ = std::make_unique<AlphaBetaSearcher>(rules, alpha_beta);
  if (options.player.empty()) {
    searcher_ = std::make_unique<AlphaBetaSearcher>(rules, alpha_beta);
    search.leaves_in_flight = 1;
    search.simulations = 0;
    simulating_searcher_ =
        std::make_unique<TreeSearcher>(rules, std::make_unique<mcts::UniformEvaluator>(), search);
    description_ =
        "no network: alpha-beta by material, or a search without knowledge where simulations are counted";
  } else if (is_alpha_beta(options.player)) {
    AlphaBetaSearcherOptions with_depth = alpha_beta;
    with_depth.depth = alpha_beta_depth(options.player);
    searcher_ = std::make_unique<AlphaBetaSearcher>(rules, with_depth);
    description_ = "alpha-beta, depth " + std::to_string(with_depth.depth);
  } else {
    const std::size_t cache = options.memory / kCacheShare;
    LoadedNetwork network = load_network(*rules, options.player, {options.backend, cache});
    search.tree.memory -= cache;
    search.tree.search = network.search;
    searcher_ = std::make_unique<TreeSearcher>(rules, std::move(network.evaluator), search);
    description_ = network.description;
    levels_ = network.levels;
  }
}

Engine::~Engine() {
  stop();
  wait();
}

void Engine::new_game() {
  searcher_->forget();
  if (simulating_searcher_) simulating_searcher_->forget();
}

void Engine::start(const PlayedGame& game, const Limits& limits, bool hold, EngineHandlers handlers) {
  wait();
  stop_ = false;
  thread_ = std::thread(
      [this, game, limits, hold, handlers = std::move(handlers)] { run(game, limits, hold, handlers); });
}

SearchInfo Engine::search(const PlayedGame& game, const Limits& limits) {
  std::optional<SearchInfo> answer;
  std::string why;
  start(game, limits, false,
        {.info = [](const SearchInfo&) {},
         .finished = [&](const SearchInfo& info) { answer = info; },
         .failed = [&](const std::string& reason) { why = reason; }});
  wait();
  if (!answer) throw models::Error(why);
  return *std::move(answer);
}

std::vector<mcts::RootMove> Engine::moves_after(const PlayedGame& game,
                                                std::span<const game::Move> line) const {
  std::vector<mcts::RootMove> moves = searcher_->moves_after(game, line);
  return moves.empty() && simulating_searcher_ ? simulating_searcher_->moves_after(game, line) : moves;
}

void Engine::stop() {
  stop_ = true;
  stop_.notify_all();
}

void Engine::wait() {
  if (thread_.joinable()) thread_.join();
}

Searcher* Engine::searcher_for(const Limits& limits) const {
  if (limits.mate) return mate_searcher_.get();
  return limits.simulations && simulating_searcher_ ? simulating_searcher_.get() : searcher_.get();
}

void Engine::run(const PlayedGame& game, const Limits& limits, bool hold, const EngineHandlers& handlers) {
  try {
    nn::set_thread_count(options_.threads);
    const SearchInfo info = searcher_for(limits)->search(game, limits, stop_, handlers.info);
    if (hold) stop_.wait(false);
    handlers.finished(info);
  } catch (const std::exception& error) {
    handlers.failed(error.what());
  }
}

}  // namespace makzero::play
