#include "play/engine/search_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "models/error.h"
#include "models/player/measured_levels.h"
#include "nn/runtime.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kNeverBegun = "stopped before it began";

// Leaves for a card at once, of all its searches.
constexpr int kCardBatch = 1024;

constexpr std::uint64_t kFirstReport = 64;  // Evaluations of a tree, where progress is reported.

// A search that ends before it begins: its move is known.
class BookSearcher : public mcts::Searcher {
 public:
  explicit BookSearcher(game::Move move) { info_.lines.push_back({.moves = {move}, .value = {0, 1, 0}}); }

  void begin(const mcts::SearchRoot&, const Limits&) override {}
  std::span<const mcts::EvalRequest> step(const mcts::StepBudget&) override { return {}; }
  bool ready() const override { return true; }
  bool done() const override { return true; }
  SearchInfo info() const override { return info_; }
  void forget() override {}

 private:
  SearchInfo info_;
};

// A searcher that another thread may ask for its tree meanwhile.
class SharedSearcher : public mcts::Searcher {
 public:
  explicit SharedSearcher(std::unique_ptr<mcts::Searcher> searcher) : searcher_(std::move(searcher)) {}

  void begin(const mcts::SearchRoot& root, const Limits& limits) override {
    const std::scoped_lock lock(mutex_);
    searcher_->begin(root, limits);
  }
  std::span<const mcts::EvalRequest> step(const mcts::StepBudget& budget) override {
    const std::scoped_lock lock(mutex_);
    return searcher_->step(budget);
  }
  void backup(std::span<const mcts::Evaluation> evaluations) override {
    const std::scoped_lock lock(mutex_);
    searcher_->backup(evaluations);
    evaluated_ += evaluations.size();
  }
  bool ready() const override { return searcher_->ready(); }
  bool done() const override { return searcher_->done(); }
  SearchInfo info() const override { return searcher_->info(); }
  void forget() override {
    const std::scoped_lock lock(mutex_);
    searcher_->forget();
  }
  std::vector<mcts::RootMove> moves_after(std::span<const game::Move> line) const override {
    const std::scoped_lock lock(mutex_);
    return searcher_->moves_after(line);
  }

  std::uint64_t evaluated() const { return evaluated_; }

 private:
  const std::unique_ptr<mcts::Searcher> searcher_;
  std::uint64_t evaluated_ = 0;
  mutable std::mutex mutex_;  // Of the tree.
};

// A player and the rules that it looks at.
struct Loaded {
  game::GamePtr rules;
  std::unique_ptr<models::Player> player;
};

}  // namespace

void limit_by_player(int simulations, SearchRequest* request) {
  if (!request->limits.endless()) return;
  const models::Strength strength = models::with_default_strength(request->player, simulations).strength;
  request->limits.nodes = strength.nodes;
  request->limits.depth = strength.depth;
  request->limits.time = strength.time;
  if (strength.temperature > 0) request->limits.temperature = strength.temperature;
}

void limit_by_level(int number, SearchRequest* request) {
  const models::PlayerLevel level =
      models::measured_level(request->player, request->game.rules().info().ruleset, number);
  request->limits.nodes = level.nodes;
  request->limits.temperature = level.temperature;
}

class SearchPool::Search : public PooledSearch {
 public:
  Search(SearchRequest request, SearchHandlers handlers)
      : previous_(std::static_pointer_cast<Search>(std::exchange(request.previous, nullptr))),
        request_(std::move(request)),
        handlers_(std::move(handlers)) {}

  void stop() override { stop_ = true; }

  std::vector<mcts::RootMove> moves_after(std::span<const game::Move> line) const override {
    const auto searcher =
        is_tree() ? this->searcher() : nullptr;  // Steps of others are long, and hold the lock.
    return searcher ? searcher->moves_after(line) : std::vector<mcts::RootMove>();
  }

  void forget() override {
    if (const auto searcher = this->searcher()) searcher->forget();
  }

  const SearchRequest& request() const override { return request_; }
  bool is_tree() const { return request_.player.shares_batches() && !request_.limits.mate && !book_move_; }
  bool stopped() const { return stop_; }
  bool never_begins() const { return stopped() && !request_.always_moves; }
  bool begun() const { return searcher() != nullptr; }
  mcts::Evaluator* evaluator() const { return loaded_->player->evaluator.get(); }

  // The player stays loaded as long as the search lives.
  void begin(std::shared_ptr<Loaded> loaded, const models::SearcherResources& resources) {
    loaded_ = std::move(loaded);
    std::shared_ptr<SharedSearcher> searcher;
    if (previous_ && previous_->loaded_ == loaded_ && previous_->can_be_continued() && can_be_continued())
      searcher = previous_->release_searcher();
    previous_.reset();
    if (!searcher) searcher = std::make_shared<SharedSearcher>(make_searcher(resources));
    const PlayedGame& game = request_.game;
    Limits limits = searcher_limits(game, request_.limits, request_.seed, request_.lines);
    limits.stop = &stop_;
    begin_search(game, limits, searcher.get());
    evaluated_before_ = searcher->evaluated();
    const std::scoped_lock lock(mutex_);
    searcher_ = std::move(searcher);
  }

  std::shared_ptr<SharedSearcher> searcher() const {
    const std::scoped_lock lock(mutex_);
    return searcher_;
  }

  // True if a thread runs it to its end; the pool's mutex guards that.
  bool taken() const { return taken_; }
  void take() { taken_ = true; }

  // After a step: reports when it is time, or the end. False at the end.
  bool goes_on() {
    const auto searcher = this->searcher();
    if (searcher->done()) {
      const SearchInfo info = chosen(searcher->info());
      if (request_.report_progress) handlers_.info(info);  // Its end may be held back.
      finish(info);
      return false;
    }
    if (!searcher->ready()) return true;
    const std::uint64_t evaluated = searcher->evaluated() - evaluated_before_;
    if (!report_is_due(!is_tree() || evaluated >= 2 * reported_)) return true;
    reported_ = evaluated;
    handlers_.info(chosen(searcher->info()));
    return true;
  }

  // The handlers go with the end: they may hold the search.
  void finish(const SearchInfo& info) { std::exchange(handlers_, {}).finished(info); }
  void fail(const std::string& why) { std::exchange(handlers_, {}).failed(why); }

 private:
  // Whether another search can go on from it: not from a search for a mate or a move of the book.
  bool can_be_continued() const { return !request_.limits.mate && !book_move_; }

  // A tree search proves a win, but not the shortest, and play prunes: mates have a search of their own.
  std::unique_ptr<mcts::Searcher> make_searcher(const models::SearcherResources& resources) const {
    if (book_move_) return std::make_unique<BookSearcher>(*book_move_);
    if (request_.limits.mate) return mcts::make_mate_searcher(*loaded_->rules, resources.table);
    return loaded_->player->make_searcher(resources);
  }

  std::shared_ptr<SharedSearcher> release_searcher() {
    const std::scoped_lock lock(mutex_);
    return std::move(searcher_);
  }

  SearchInfo chosen(SearchInfo info) const {
    return with_choice(std::move(info), request_.game, request_.limits, request_.seed, request_.lines);
  }

  bool report_is_due(bool progressed) {
    const auto now = steady_clock::now();
    const bool in_time = request_.report_every && now - last_report_ >= *request_.report_every;
    if (!in_time && !(request_.report_progress && progressed)) return false;
    last_report_ = now;
    return true;
  }

  std::shared_ptr<Search> previous_;  // Whose searcher it takes when it begins.
  const SearchRequest request_;
  const std::optional<game::Move> book_move_ =
      request_.book ? request_.book->choose(request_.game.position(), request_.seed) : std::nullopt;
  SearchHandlers handlers_;
  std::atomic<bool> stop_ = false;  // Orders nothing.
  bool taken_ = false;
  std::shared_ptr<Loaded> loaded_;
  mutable std::mutex mutex_;  // Of the pointer.
  std::shared_ptr<SharedSearcher> searcher_;
  std::uint64_t evaluated_before_ = 0;         // This search.
  std::uint64_t reported_ = kFirstReport / 2;  // Evaluations at the last report.
  steady_clock::time_point last_report_ = steady_clock::now();
};

// The players in use, by name and ruleset: the last few. Thread-safe.
class SearchPool::Players {
 public:
  explicit Players(const SearchPoolOptions& options) : options_(options) {}

  // Loads it where it is not there.
  std::shared_ptr<Loaded> get(const game::GamePtr& rules, models::PlayerSpec player) {
    const std::scoped_lock lock(mutex_);
    player.strength = {};
    models::PlayerSpec named = player;
    named.endings = player.endings.value_or(options_.endings);
    const std::pair key{named.name(), rules->info().ruleset};
    const auto found = std::ranges::find(loaded_, key, &Entry::first);
    Entry entry = found != loaded_.end() ? *found : Entry{key, nullptr};
    if (found != loaded_.end()) loaded_.erase(found);
    if (!entry.second) {
      if (static_cast<int>(loaded_.size()) >= options_.players) loaded_.erase(loaded_.begin());
      entry.second = std::make_shared<Loaded>(Loaded{
          rules, models::load_player(*rules, player, {options_.backend, options_.cache, options_.endings})});
    }
    loaded_.push_back(entry);
    return entry.second;
  }

  LoadedPlayers all() const {
    const std::scoped_lock lock(mutex_);
    LoadedPlayers all;
    for (const auto& [key, loaded] : loaded_)
      all.emplace_back(key.second, std::shared_ptr<const models::Player>(loaded, loaded->player.get()));
    return all;
  }

  void forget() {
    const std::scoped_lock lock(mutex_);
    loaded_.clear();
  }

 private:
  using Entry = std::pair<std::pair<std::string, std::string>, std::shared_ptr<Loaded>>;

  const SearchPoolOptions& options_;
  mutable std::mutex mutex_;
  std::vector<Entry> loaded_;  // The last used comes last.
};

SearchPool::SearchPool(const SearchPoolOptions& options)
    : options_(options), players_(std::make_unique<Players>(options_)) {
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int alone = options_.alone > 0 ? options_.alone : std::min(options_.together, processors);
  threads_.emplace_back([this] { step_trees(); });
  for (int i = 0; i < alone; ++i) threads_.emplace_back([this] { run_others(); });
}

SearchPool::~SearchPool() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
    for (const auto& search : searches_) search->stop();
  }
  changed_.notify_all();
  threads_.clear();
}

std::shared_ptr<const models::Player> SearchPool::load(const game::GamePtr& rules,
                                                       const models::PlayerSpec& player) {
  const std::shared_ptr<Loaded> loaded = players_->get(rules, player);
  return {loaded, loaded->player.get()};
}

LoadedPlayers SearchPool::loaded() const { return players_->all(); }

void SearchPool::forget_players() { players_->forget(); }

std::shared_ptr<PooledSearch> SearchPool::start(SearchRequest request, SearchHandlers handlers) {
  auto search = std::make_shared<Search>(std::move(request), std::move(handlers));
  {
    const std::scoped_lock lock(mutex_);
    searches_.push_back(search);
  }
  changed_.notify_all();
  return search;
}

void SearchPool::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return searches_.empty(); });
}

SearchPool::Searches SearchPool::next(bool trees, int most) {
  Searches chosen;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    for (const auto& search : searches_) {
      if (search->is_tree() == trees && !search->taken()) chosen.push_back(search);
    }
    return ending_ || !chosen.empty();
  });
  // Stopped searches come first; then by priority, the earlier before the later.
  std::stable_sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) {
    if (a->stopped() != b->stopped()) return a->stopped();
    return a->request().priority > b->request().priority;
  });
  if (static_cast<int>(chosen.size()) > most) chosen.resize(most);
  if (!trees) {
    for (const auto& search : chosen) search->take();
  }
  return chosen;
}

void SearchPool::fail(const std::shared_ptr<Search>& search, const std::string& why) {
  search->fail(why);
  remove(search);
}

void SearchPool::remove(const std::shared_ptr<Search>& search) {
  {
    const std::scoped_lock lock(mutex_);
    std::erase(searches_, search);
  }
  changed_.notify_all();
}

void SearchPool::begin(Search* search) {
  if (search->never_begins()) throw models::Error(kNeverBegun);
  const SearchRequest& request = search->request();
  const std::scoped_lock lock(begin_mutex_);
  search->begin(players_->get(request.game.rules_pointer(), request.player), options_.resources);
}

void SearchPool::step_trees() {
  nn::set_thread_count(options_.threads);
  for (;;) {
    const Searches round = next(true, options_.together);
    if (round.empty()) return;
    for (const auto& [evaluator, searches] : begin(round)) step(evaluator, searches);
  }
}

// Begins those that are new; the searches of the round by the network that evaluates them.
std::map<mcts::Evaluator*, SearchPool::Searches> SearchPool::begin(const Searches& round) {
  std::map<mcts::Evaluator*, Searches> groups;
  for (const auto& search : round) {
    try {
      if (!search->begun()) begin(search.get());
      groups[search->evaluator()].push_back(search);
    } catch (const std::exception& error) {
      fail(search, models::explain(error));
    }
  }
  return groups;
}

// One batch of a network for all its searches.
void SearchPool::step(mcts::Evaluator* evaluator, const Searches& searches) {
  const bool elsewhere = evaluator->batches_under_way() > 1;
  const int leaves = (elsewhere ? kCardBatch : options_.batch) / static_cast<int>(searches.size());
  const int most = elsewhere ? kCardLeaves : mcts::StepBudget().leaves;
  std::vector<mcts::Searcher*> searchers;
  for (const auto& search : searches) searchers.push_back(search->searcher().get());
  try {
    batch_.step(searchers, {.leaves = std::clamp(leaves, 1, most)}, evaluator);
  } catch (const std::exception& error) {
    for (const auto& search : searches) fail(search, models::explain(error));
    return;
  }
  for (const auto& search : searches) {
    if (!search->goes_on()) remove(search);
  }
}

void SearchPool::run_others() {
  for (;;) {
    const Searches chosen = next(false, 1);
    if (chosen.empty()) return;
    Search& search = *chosen.front();
    try {
      begin(&search);
      while (search.goes_on()) search.searcher()->step({});
    } catch (const std::exception& error) {
      search.fail(models::explain(error));
    }
    remove(chosen.front());
  }
}

}  // namespace makzero::play
