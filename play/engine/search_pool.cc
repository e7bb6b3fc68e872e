#include "play/engine/search_pool.h"

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "mcts/uniform_evaluator.h"
#include "models/error.h"
#include "nn/runtime.h"
#include "play/engine/alpha_beta_searcher.h"
#include "play/engine/engine.h"
#include "play/engine/load_network.h"
#include "play/engine/tree_search.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kNeverBegun = "stopped before it began";

constexpr int kMostLeaves = 8;  // Of one search at once: virtual losses cost strength.

}  // namespace

class SearchPool::Search : public PooledSearch {
 public:
  Search(SearchRequest request, PoolHandlers handlers)
      : request_(std::move(request)), handlers_(std::move(handlers)) {}

  void stop() override { stop_ = true; }

  std::vector<mcts::RootMove> moves_after(std::span<const game::Move> line) const override {
    const std::scoped_lock lock(mutex_);
    return tree_ ? tree_->moves_after(request_.game, line) : std::vector<mcts::RootMove>();
  }

  const SearchRequest& request() const { return request_; }
  bool is_tree() const { return !is_alpha_beta(request_.player); }
  bool stopped() const { return stop_; }
  const std::atomic<bool>& stop_flag() const { return stop_; }
  bool begun() const { return evaluator_ != nullptr; }
  mcts::Evaluator* evaluator() const { return evaluator_; }

  // REQUIRES: is_tree(); the network outlives the search's steps.
  void begin(const LoadedNetwork& network, std::size_t memory) {
    Limits limits = request_.limits;
    if (request_.level) {
      const Level* level = find_level(network.levels, *request_.level);
      if (!level) throw models::Error(no_level(network.levels));
      limits.simulations = level->simulations;
      limits.temperature = level->temperature;
    }
    TreeSearchOptions options{
        .lines = request_.lines, .seed = request_.seed, .memory = memory, .search = network.search};
    leaves_ = limits.simulations ? std::clamp(*limits.simulations / 16, 1, kMostLeaves) : kMostLeaves;
    const std::scoped_lock lock(mutex_);
    tree_ = std::make_unique<TreeSearch>(request_.game.rules_pointer(), options);
    tree_->begin(request_.game, limits);
    evaluator_ = network.evaluator.get();
  }

  // Appends leaves, `most` or fewer, and returns how many.
  int gather(int most, std::vector<mcts::EvalRequest>* requests) {
    const std::scoped_lock lock(mutex_);
    const size_t before = requests->size();
    tree_->gather(std::min(most, leaves_), requests);
    return static_cast<int>(requests->size() - before);
  }

  // Takes the evaluations; reports when it is time, or the end. False at the end.
  bool backup(std::span<const mcts::Evaluation> evaluations) {
    {
      const std::scoped_lock lock(mutex_);
      tree_->backup(evaluations);
    }
    if (tree_->done() || (stop_ && tree_->ready())) {
      finish(tree_->info());
      return false;
    }
    if (tree_->ready()) report([this] { return tree_->info(); });
    return true;
  }

  template <class MakeInfo>
  void report(const MakeInfo& make_info) {
    const auto now = steady_clock::now();
    if (!request_.report_every || now - last_report_ < *request_.report_every) return;
    last_report_ = now;
    handlers_.info(make_info());
  }

  // The handlers go with the end: they may hold the search.
  void finish(const SearchInfo& info) { std::exchange(handlers_, {}).finished(info); }
  void fail(const std::string& why) { std::exchange(handlers_, {}).failed(why); }

 private:
  std::string no_level(std::span<const Level> levels) const {
    std::string text = "level " + std::to_string(*request_.level) + " is not measured: ";
    if (levels.empty()) return text + "the network has no table of levels";
    for (const Level& each : levels)
      text += (&each == levels.data() ? "choose " : ", ") + std::to_string(each.level);
    return text;
  }

  const SearchRequest request_;
  PoolHandlers handlers_;
  std::atomic<bool> stop_ = false;
  mutable std::mutex mutex_;  // Of the tree, against moves_after().
  std::unique_ptr<TreeSearch> tree_;
  mcts::Evaluator* evaluator_ = nullptr;
  int leaves_ = kMostLeaves;
  steady_clock::time_point last_report_ = steady_clock::now();
};

// The networks in use, by file and ruleset, of the tree thread alone.
class SearchPool::Networks {
 public:
  struct Entry {
    game::GamePtr rules;  // The evaluator looks at them.
    LoadedNetwork network;
    std::uint64_t last_use = 0;
  };

  explicit Networks(const SearchPoolOptions& options) : options_(options) {}

  // Loads it where it is not there. `used`: evaluators that must not be dropped.
  Entry& get(const SearchRequest& request, const Searches& used) {
    const game::Game& rules = request.game.rules();
    const std::string file =
        request.player.empty() ? "" : find_checkpoint(request.player, rules.info().ruleset).string();
    const std::pair<std::string, std::string> key{file, rules.info().ruleset};
    const auto found = entries_.find(key);
    if (found != entries_.end()) {
      found->second.last_use = ++uses_;
      return found->second;
    }
    drop_oldest(used);
    Entry entry{request.game.rules_pointer(), {}, ++uses_};
    if (file.empty()) {
      entry.network.evaluator = std::make_unique<mcts::UniformEvaluator>();
    } else {
      entry.network = load_network(rules, file, {.backend = options_.backend});
    }
    return entries_.emplace(key, std::move(entry)).first->second;
  }

 private:
  void drop_oldest(const Searches& used) {
    while (static_cast<int>(entries_.size()) >= options_.networks) {
      auto oldest = entries_.end();
      for (auto each = entries_.begin(); each != entries_.end(); ++each) {
        const bool in_use = std::any_of(used.begin(), used.end(), [&](const auto& search) {
          return search->evaluator() == each->second.network.evaluator.get();
        });
        if (in_use) continue;
        if (oldest == entries_.end() || each->second.last_use < oldest->second.last_use) oldest = each;
      }
      if (oldest == entries_.end()) return;
      entries_.erase(oldest);
    }
  }

  const SearchPoolOptions& options_;
  std::map<std::pair<std::string, std::string>, Entry> entries_;
  std::uint64_t uses_ = 0;
};

SearchPool::SearchPool(const SearchPoolOptions& options)
    : options_(options),
      tree_thread_([this] { step_trees(); }),
      alpha_beta_thread_([this] { run_alpha_beta(); }) {}

SearchPool::~SearchPool() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
    for (const auto& search : searches_) search->stop();
  }
  changed_.notify_all();
  tree_thread_.join();
  alpha_beta_thread_.join();
}

std::shared_ptr<PooledSearch> SearchPool::start(SearchRequest request, PoolHandlers handlers) {
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
      if (search->is_tree() == trees) chosen.push_back(search);
    }
    return ending_ || !chosen.empty();
  });
  // What was stopped goes out first; then by priority, the earlier before the later.
  std::stable_sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) {
    if (a->stopped() != b->stopped()) return a->stopped();
    return a->request().priority > b->request().priority;
  });
  if (static_cast<int>(chosen.size()) > most) chosen.resize(most);
  return chosen;
}

SearchPool::Searches SearchPool::all() {
  const std::scoped_lock lock(mutex_);
  return searches_;
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

void SearchPool::step_trees() {
  nn::set_thread_count(options_.threads);
  Networks networks(options_);
  for (;;) {
    const Searches round = next(true, options_.together);
    if (round.empty()) return;
    for (const auto& [evaluator, searches] : begin(round, &networks)) step(evaluator, searches);
  }
}

// Begins those that are new; the searches of the round by the network that evaluates them.
std::map<mcts::Evaluator*, SearchPool::Searches> SearchPool::begin(const Searches& round,
                                                                   Networks* networks) {
  std::map<mcts::Evaluator*, Searches> groups;
  for (const auto& search : round) {
    try {
      if (!search->begun()) {
        if (search->stopped()) throw models::Error(kNeverBegun);
        Networks::Entry& entry = networks->get(search->request(), all());
        search->begin(entry.network, options_.memory);
      }
      groups[search->evaluator()].push_back(search);
    } catch (const std::exception& error) {
      fail(search, error.what());
    }
  }
  return groups;
}

// One batch of a network for all its searches.
void SearchPool::step(mcts::Evaluator* evaluator, const Searches& searches) {
  requests_.clear();
  std::vector<int> counts;
  counts.reserve(searches.size());
  const int most = std::max(1, options_.batch / static_cast<int>(searches.size()));
  for (const auto& search : searches) counts.push_back(search->gather(most, &requests_));
  if (evaluations_.size() < requests_.size()) evaluations_.resize(requests_.size());
  try {
    if (!requests_.empty()) evaluator->evaluate(requests_, std::span(evaluations_).first(requests_.size()));
  } catch (const std::exception& error) {
    for (const auto& search : searches) fail(search, error.what());
    return;
  }
  size_t at = 0;
  for (size_t i = 0; i < searches.size(); ++i) {
    if (!searches[i]->backup(std::span(evaluations_).subspan(at, counts[i]))) remove(searches[i]);
    at += counts[i];
  }
}

void SearchPool::run_alpha_beta() {
  for (;;) {
    const Searches chosen = next(false, 1);
    if (chosen.empty()) return;
    Search& search = *chosen.front();
    const SearchRequest& request = search.request();
    try {
      if (search.stopped()) throw models::Error(kNeverBegun);
      if (request.level)
        throw models::Error("alpha-beta has no measured levels: name its depth, alphabeta:3");
      AlphaBetaSearcher searcher(request.game.rules_pointer(), {.depth = alpha_beta_depth(request.player),
                                                                .lines = std::max(1, request.lines),
                                                                .seed = request.seed});
      search.finish(searcher.search(request.game, request.limits, search.stop_flag(),
                                    [&](const SearchInfo& info) { search.report([&] { return info; }); }));
    } catch (const std::exception& error) {
      search.fail(error.what());
    }
    remove(chosen.front());
  }
}

}  // namespace makzero::play
