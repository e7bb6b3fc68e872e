#include "play/engine/engine.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "models/error.h"
#include "play/engine/zoo_book.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

// The cache of evaluations gets one part in so many of the memory, the tree the rest: a tree keeps what it
// was told, the cache serves transpositions and the next game.
constexpr int kCacheShare = 32;

constexpr milliseconds kReportInterval{1000};

SearchPoolOptions pool_of(const EngineOptions& options) {
  SearchPoolOptions pool{.together = 1, .players = 1, .threads = options.threads, .backend = options.backend};
  pool.cache = options.memory / kCacheShare;
  pool.endings = options.endings;
  pool.resources = {.tree = options.memory - pool.cache, .table = options.table, .threads = options.threads};
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
    : rules_(rules), options_(options), pool_(std::make_unique<SearchPool>(pool_of(options))) {
  player_ = pool_->load(rules, options.player);
  if (options.own_book) book_ = zoo_book(*rules);
  description_ = player_->description;
  if (options.player.by_alpha_beta() && options.player.strength.depth)
    description_ += ", depth " + std::to_string(*options.player.strength.depth);
}

Engine::~Engine() {
  stop();
  wait();
}

void Engine::new_game() {
  if (kept_) kept_->forget();
}

void Engine::warm_up() {
  if (options_.player.is_engine()) return;
  const std::shared_ptr<const Book> book = std::exchange(book_, nullptr);
  search(PlayedGame(rules_), {.nodes = 1});
  book_ = book;
  new_game();
}

SearchRequest Engine::request_of(const PlayedGame& game, const Limits& limits, bool hold) const {
  const bool plays = !hold && !limits.mate && limits.search_moves.empty() && limits.temperature == 0;
  SearchRequest request{.game = game,
                        .player = options_.player,
                        .limits = limits,
                        .lines = options_.lines,
                        .seed = options_.seed,
                        .book = plays ? book_ : nullptr,
                        .report_every = kReportInterval,
                        .report_progress = true,
                        .previous = limits.mate ? nullptr : kept_,
                        .always_moves = true};
  if (options_.simulations > 0 || options_.player.strength.limited())
    limit_by_player(options_.simulations, &request);
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
  search_ = pool_->start(request_of(game, limits, hold), std::move(handlers));
  if (!limits.mate) kept_ = search_;
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

void Engine::stop() {
  stop_.request_stop();
  if (search_) search_->stop();
}

void Engine::wait() { pool_->wait(); }

}  // namespace makzero::play
