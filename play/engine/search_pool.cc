#include "play/engine/search_pool.h"

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "mcts/uniform_evaluator.h"
#include "models/error.h"
#include "models/small_network_file.h"
#include "nn/runtime.h"
#include "play/engine/alpha_beta_searcher.h"
#include "play/engine/load_network.h"
#include "play/engine/tree_search.h"
#include "play/engine/variety.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kNeverBegun = "stopped before it began";

constexpr int kFirstReport = 64;  // Evaluations, where progress is reported.

constexpr int kVariedLines = 3;  // Of a small network, to draw a move from.

constexpr std::size_t kMostTable = std::size_t{64} << 20;  // Bytes: clearing a table takes time.

}  // namespace

bool is_by_alpha_beta(const SearchRequest& request) {
  const Limits& limits = request.limits;
  return is_alpha_beta(request.player) || is_small_player(request.player) || limits.mate ||
         (request.player.empty() && !limits.simulations && !request.level);
}

class SearchPool::Search : public PooledSearch {
 public:
  Search(SearchRequest request, SearchHandlers handlers)
      : previous_(std::static_pointer_cast<Search>(std::exchange(request.previous, nullptr))),
        request_(std::move(request)),
        handlers_(std::move(handlers)) {}

  void stop() override { stop_.request_stop(); }

  std::vector<mcts::RootMove> moves_after(std::span<const game::Move> line) const override {
    const std::scoped_lock lock(mutex_);
    return tree_ ? tree_->moves_after(request_.game, line) : std::vector<mcts::RootMove>();
  }

  void forget() override {
    const std::scoped_lock lock(mutex_);
    if (tree_) tree_->forget();
  }

  const SearchRequest& request() const override { return request_; }
  bool is_tree() const { return is_tree_; }
  bool stopped() const { return stop_.stop_requested(); }
  bool never_begins() const { return stopped() && !request_.always_moves; }
  std::stop_token stop_token() const { return stop_.get_token(); }
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
    // Few simulations are not worth losing to virtual losses.
    if (limits.simulations) leaves_ = std::clamp(*limits.simulations / 16, 1, leaves_);
    std::unique_ptr<TreeSearch> tree = previous_ ? previous_->release_tree() : nullptr;
    previous_.reset();
    const std::scoped_lock lock(mutex_);
    tree_ = tree ? std::move(tree) : std::make_unique<TreeSearch>(request_.game.rules_pointer(), options);
    tree_->begin(request_.game, limits);
    evaluator_ = network.evaluator.get();
  }

  // Of one search at once.
  int most_leaves() const { return leaves_; }

  // A source of leaves for mcts::Lockstep.
  std::optional<mcts::Leaf> gather() {
    const std::scoped_lock lock(mutex_);
    return tree_->gather();
  }
  void backup(const mcts::Leaf& leaf, const mcts::Evaluation& evaluation) {
    const std::scoped_lock lock(mutex_);
    tree_->backup(leaf, evaluation);
    ++evaluated_;
  }

  // After a step: reports when it is time, or the end. False at the end.
  bool goes_on() {
    if (tree_->done() || (stopped() && tree_->ready())) {
      finish(tree_->info());
      return false;
    }
    if (tree_->ready() && report_is_due(evaluated_ >= 2 * reported_)) {
      reported_ = evaluated_;
      handlers_.info(tree_->info());
    }
    return true;
  }

  void report_depth(const SearchInfo& info) {
    if (report_is_due(true)) handlers_.info(info);
  }

  // The handlers go with the end: they may hold the search.
  void finish(const SearchInfo& info) { std::exchange(handlers_, {}).finished(info); }
  void fail(const std::string& why) { std::exchange(handlers_, {}).failed(why); }

 private:
  std::unique_ptr<TreeSearch> release_tree() {
    const std::scoped_lock lock(mutex_);
    return std::move(tree_);
  }

  bool report_is_due(bool progressed) {
    const auto now = steady_clock::now();
    const bool in_time = request_.report_every && now - last_report_ >= *request_.report_every;
    if (!in_time && !(request_.report_progress && progressed)) return false;
    last_report_ = now;
    return true;
  }

  std::string no_level(std::span<const Level> levels) const {
    std::string text = "level " + std::to_string(*request_.level) + " is not measured: ";
    if (levels.empty()) return text + "the network has no table of levels";
    for (const Level& each : levels)
      text += (&each == levels.data() ? "choose " : ", ") + std::to_string(each.level);
    return text;
  }

  std::shared_ptr<Search> previous_;  // Whose tree it takes when it begins.
  const SearchRequest request_;
  const bool is_tree_ = !is_by_alpha_beta(request_);
  SearchHandlers handlers_;
  std::stop_source stop_;
  mutable std::mutex mutex_;  // Of the tree, against moves_after().
  std::unique_ptr<TreeSearch> tree_;
  mcts::Evaluator* evaluator_ = nullptr;
  int leaves_ = request_.leaves;
  int evaluated_ = 0, reported_ = kFirstReport / 2;
  steady_clock::time_point last_report_ = steady_clock::now();
};

// The networks in use, by file and ruleset. Thread-safe.
class SearchPool::Networks {
 public:
  struct Entry {
    game::GamePtr rules;  // The evaluator looks at them.
    std::string file;
    LoadedNetwork network;
    std::uint64_t last_use = 0;
  };

  explicit Networks(const SearchPoolOptions& options) : options_(options) {}

  // Loads it where it is not there. `used`: searches whose networks must not be dropped.
  Entry& get(const game::GamePtr& rules, const std::string& player, const Searches& used) {
    const std::scoped_lock lock(mutex_);
    const std::string& ruleset = rules->info().ruleset;
    const std::string file = player.empty() ? "" : find_checkpoint(player, ruleset).string();
    const std::pair<std::string, std::string> key{file, ruleset};
    const auto found = entries_.find(key);
    if (found != entries_.end()) {
      found->second.last_use = ++uses_;
      return found->second;
    }
    drop_oldest(used);
    Entry entry{rules, file, {}, ++uses_};
    if (file.empty()) {
      entry.network.evaluator = std::make_unique<mcts::UniformEvaluator>();
    } else {
      entry.network = load_network(*rules, player, {options_.backend, options_.cache});
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
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Entry> entries_;
  std::uint64_t uses_ = 0;
};

SearchPool::SearchPool(const SearchPoolOptions& options)
    : options_(options),
      networks_(std::make_unique<Networks>(options_)),
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

PooledNetwork SearchPool::load(const game::GamePtr& rules, const std::string& player) {
  if (is_small_player(player))
    return {player, load_small_player(player, rules->info().ruleset).description, {}};
  const Networks::Entry& entry = networks_->get(rules, player, all());
  return {entry.file, entry.network.description, entry.network.levels};
}

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

void SearchPool::forget() {
  const std::scoped_lock lock(mutex_);
  if (small_) small_->forget();
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
      if (!search->begun()) {
        if (search->never_begins()) throw models::Error(kNeverBegun);
        const SearchRequest& request = search->request();
        const Networks::Entry& entry = networks_->get(request.game.rules_pointer(), request.player, all());
        search->begin(entry.network, options_.memory);
      }
      groups[search->evaluator()].push_back(search);
    } catch (const std::exception& error) {
      fail(search, models::explain(error));
    }
  }
  return groups;
}

// One batch of a network for all its searches.
void SearchPool::step(mcts::Evaluator* evaluator, const Searches& searches) {
  const int most = std::max(1, options_.batch / static_cast<int>(searches.size()));
  for (const auto& search : searches) lockstep_.gather(search.get(), std::min(most, search->most_leaves()));
  try {
    lockstep_.step(evaluator);
  } catch (const std::exception& error) {
    lockstep_.clear();
    for (const auto& search : searches) fail(search, models::explain(error));
    return;
  }
  for (const auto& search : searches) {
    if (!search->goes_on()) remove(search);
  }
}

void SearchPool::run_alpha_beta() {
  for (;;) {
    const Searches chosen = next(false, 1);
    if (chosen.empty()) return;
    Search& search = *chosen.front();
    try {
      if (search.never_begins()) throw models::Error(kNeverBegun);
      search.finish(search_by_alpha_beta(&search));
    } catch (const std::exception& error) {
      search.fail(models::explain(error));
    }
    remove(chosen.front());
  }
}

SearchInfo SearchPool::search_by_alpha_beta(Search* search) {
  const SearchRequest& request = search->request();
  if (request.level)
    throw models::Error("alpha-beta has no measured levels: name its depth, as in alphabeta:3 or small:8");
  const game::GamePtr& rules = request.game.rules_pointer();
  const std::string& ruleset = rules->info().ruleset;
  const int lines = std::max(1, request.lines);
  const auto report = [search](const SearchInfo& info) { search->report_depth(info); };
  const auto name = models::read_small_network_name(request.player);
  if (!name || request.limits.mate) {
    const int depth = is_alpha_beta(request.player) ? alpha_beta_depth(request.player) : 0;
    return AlphaBetaSearcher(rules, {.depth = depth, .lines = lines, .seed = request.seed})
        .search(request.game, request.limits, search->stop_token(), report);
  }
  if (!small_ || !small_->plays(models::find_small_network(*name, ruleset), ruleset)) {
    small_.reset();
    small_ = std::make_unique<SmallSearcher>(rules, load_small_player(request.player, ruleset),
                                             std::min(options_.memory, kMostTable));
  }
  Limits limits = request.limits;
  if (limits.endless() && name->depth) limit_by_player(request.player, 0, &limits);
  const bool varied = static_cast<int>(request.game.actions().size()) < limits.varied_plies;
  SearchInfo info = small_->search(request.game, limits, varied ? std::max(lines, kVariedLines) : lines,
                                   search->stop_token(), report);
  if (varied) {
    mcts::Rng rng(request.seed ^ game::evaluation_key(request.game.position()));
    info.drawn = varied_move(info.lines, &rng);
  }
  return info;
}

}  // namespace makzero::play
