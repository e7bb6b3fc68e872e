#include "play/engine.h"

#include <charconv>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "mcts/uniform_evaluator.h"
#include "models/error.h"
#include "nn/environment.h"
#include "play/alpha_beta_thinker.h"
#include "play/load_network.h"
#include "play/search_thinker.h"

namespace makzero::play {
namespace {

constexpr std::string_view kAlphaBeta = "alphabeta:";

int read_depth(const std::string& player) {
  int depth = 0;
  const char* end = player.data() + player.size();
  const auto [stop, error] = std::from_chars(player.data() + kAlphaBeta.size(), end, depth);
  if (error == std::errc() && stop == end && depth > 0) return depth;
  throw models::Error("player '" + player + "': write alphabeta:DEPTH with a depth from 1");
}

}  // namespace

Engine::Engine(const game::GamePtr& rules, const EngineOptions& options) : options_(options) {
  if (options.player.empty()) {
    thinker_ = std::make_unique<AlphaBetaThinker>(rules, 0, options.seed);
    SearchThinkerOptions search{.leaves_in_flight = 1, .lines = options.lines, .seed = options.seed};
    simulating_thinker_ =
        std::make_unique<SearchThinker>(rules, std::make_unique<mcts::UniformEvaluator>(), search);
    description_ =
        "no network: alpha-beta by material, or a search without knowledge where simulations are counted";
  } else if (options.player.starts_with(kAlphaBeta)) {
    const int depth = read_depth(options.player);
    thinker_ = std::make_unique<AlphaBetaThinker>(rules, depth, options.seed);
    description_ = "alpha-beta, depth " + std::to_string(depth);
  } else {
    LoadedNetwork network = load_network(*rules, options.player);
    SearchThinkerOptions search{
        .lines = options.lines, .seed = options.seed, .simulations = options.simulations};
    thinker_ = std::make_unique<SearchThinker>(rules, std::move(network.evaluator), search);
    description_ = network.description;
  }
}

Engine::~Engine() {
  stop();
  wait();
}

void Engine::new_game() {
  thinker_->forget();
  if (simulating_thinker_) simulating_thinker_->forget();
}

void Engine::start(const PlayedGame& game, const Limits& limits, bool hold, EngineHandlers handlers) {
  wait();
  stop_ = false;
  thread_ = std::thread(
      [this, game, limits, hold, handlers = std::move(handlers)] { run(game, limits, hold, handlers); });
}

Thought Engine::think(const PlayedGame& game, const Limits& limits) {
  std::optional<Thought> answer;
  std::string why;
  start(game, limits, false,
        {.thought = [](const Thought&) {},
         .finished = [&](const Thought& thought) { answer = thought; },
         .failed = [&](const std::string& reason) { why = reason; }});
  wait();
  if (!answer) throw models::Error(why);
  return *std::move(answer);
}

void Engine::stop() {
  stop_ = true;
  stop_.notify_all();
}

void Engine::wait() {
  if (thread_.joinable()) thread_.join();
}

void Engine::run(const PlayedGame& game, const Limits& limits, bool hold, const EngineHandlers& handlers) {
  try {
    nn::set_thread_count(options_.threads);
    Thinker* thinker = limits.simulations && simulating_thinker_ ? simulating_thinker_.get() : thinker_.get();
    const Thought thought = thinker->think(game, limits, stop_, handlers.thought);
    if (hold) stop_.wait(false);
    handlers.finished(thought);
  } catch (const std::exception& error) {
    handlers.failed(error.what());
  }
}

}  // namespace makzero::play
