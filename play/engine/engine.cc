#include "play/engine/engine.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "models/error.h"
#include "play/engine/alpha_beta_searcher.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

// The cache of evaluations gets one part in so many of the memory, the tree the rest: a tree keeps what it
// was told, the cache serves transpositions and the next game.
constexpr int kCacheShare = 32;

constexpr milliseconds kReportInterval{1000};

SearchPoolOptions pool_of(const EngineOptions& options) {
  SearchPoolOptions pool{
      .together = 1, .networks = 1, .threads = options.threads, .backend = options.backend};
  const bool network =
      !options.player.empty() && !is_alpha_beta(options.player) && !is_small_player(options.player);
  pool.cache = network ? options.memory / kCacheShare : 0;
  pool.memory = options.memory - pool.cache;
  return pool;
}

void wait_for(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait(lock, stop, [] { return false; });
}

}  // namespace

Engine::Engine(const game::GamePtr& rules, const EngineOptions& options)
    : rules_(rules),
      options_(options),
      player_(options.player),
      pool_(std::make_unique<SearchPool>(pool_of(options))) {
  if (options.player.empty()) {
    description_ =
        "no network: alpha-beta by material, or a search without knowledge where simulations are counted";
  } else if (is_alpha_beta(options.player)) {
    description_ = "alpha-beta, depth " + std::to_string(alpha_beta_depth(options.player));
  } else {
    PooledNetwork network = pool_->load(rules, options.player);
    player_ = std::move(network.player);
    description_ = std::move(network.description);
    levels_ = std::move(network.levels);
  }
}

Engine::~Engine() {
  stop();
  wait();
}

void Engine::new_game() {
  if (tree_) tree_->forget();
  pool_->forget();
}

void Engine::warm_up() {
  if (player_.empty() || is_alpha_beta(player_)) return;
  search(PlayedGame(rules_), {.simulations = 1});
  tree_.reset();
  pool_->forget();
}

SearchRequest Engine::request_of(const PlayedGame& game, const Limits& limits) const {
  SearchRequest request{.game = game,
                        .player = player_,
                        .limits = limits,
                        .lines = options_.lines,
                        .seed = options_.seed,
                        .report_every = kReportInterval,
                        .report_progress = true,
                        .always_moves = true};
  if (player_.empty()) {
    request.leaves = 1;  // Without a network several at once are not faster.
  } else if (limits.endless() && options_.simulations > 0) {
    limit_by_player(player_, options_.simulations, &request.limits);
  }
  if (!is_by_alpha_beta(request)) request.previous = tree_;
  return request;
}

void Engine::start(const PlayedGame& game, const Limits& limits, bool hold, SearchHandlers handlers) {
  wait();
  stop_ = std::stop_source();
  if (hold) {
    handlers.finished = [finished = std::move(handlers.finished),
                         stop = stop_.get_token()](const SearchInfo& info) {
      wait_for(stop);
      finished(info);
    };
  }
  search_ = pool_->start(request_of(game, limits), std::move(handlers));
  if (!is_by_alpha_beta(search_->request())) tree_ = search_;
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
  if (!tree_) return {};
  const PlayedGame& searched = tree_->request().game;
  const bool same = searched.start() == game.start() && searched.actions() == game.actions();
  return same ? tree_->moves_after(line) : std::vector<mcts::RootMove>();
}

void Engine::stop() {
  stop_.request_stop();
  if (search_) search_->stop();
}

void Engine::wait() { pool_->wait(); }

}  // namespace makzero::play
