#include "play/server_searcher.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "nn/environment.h"
#include "play/alpha_beta_thinker.h"
#include "play/load_network.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

// Leaves of a search in a batch; few simulations are not worth losing to virtual losses.
constexpr int kLeaves = 8;
constexpr int kSimulationsPerLeaf = 16;

int leaves_of(const Limits& limits) {
  return limits.simulations ? std::clamp(*limits.simulations / kSimulationsPerLeaf, 1, kLeaves) : kLeaves;
}

class AlphaBetaSearch : public OrderedSearch {
 public:
  AlphaBetaSearch(SearchOrder search, int depth)
      : OrderedSearch(std::move(search)), thread_([this, depth] { run(depth); }) {}

  ~AlphaBetaSearch() override {
    stop();
    thread_.join();
  }

 private:
  void run(int depth) try {
    AlphaBetaThinker thinker(game().rules_pointer(), {.depth = depth, .lines = std::max(1, order().lines)});
    Limits limits = order().limits;
    if (!limits.depth) limits.depth = depth;
    const auto report = [this](const Thought& thought) {
      if (order().report_interval) tell(thought, false);
    };
    tell(thinker.think(game(), limits, stopped(), report), true);
  } catch (const std::exception& error) {
    fail(error.what());
  }

  std::thread thread_;
};

}  // namespace

OrderedSearch::OrderedSearch(SearchOrder order) : order_(std::move(order)) {}

OrderedSearch::News OrderedSearch::take_news() {
  const std::lock_guard lock(mutex_);
  News news = std::move(news_);
  news_ = {.thought = std::nullopt, .finished = news.finished, .failure = news.failure};
  return news;
}

void OrderedSearch::notify(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  call_ = std::move(call);
  if (call_ && (news_.thought || news_.finished)) call_();
}

std::vector<mcts::RootMove> OrderedSearch::moves_after(std::span<const game::Move>) const { return {}; }

void OrderedSearch::tell(Thought thought, bool finished) {
  tell_news({.thought = std::move(thought), .finished = finished, .failure = ""});
}

void OrderedSearch::fail(const std::string& why) {
  tell_news({.thought = std::nullopt, .finished = true, .failure = why});
}

void OrderedSearch::tell_news(const News& news) {
  const std::lock_guard lock(mutex_);
  news_ = news;
  if (call_) call_();
}

std::shared_ptr<OrderedSearch> search_by_alpha_beta(SearchOrder order, int depth) {
  return std::make_shared<AlphaBetaSearch>(std::move(order), depth);
}

// Begun, stepped and ended by the searcher's thread.
class NetworkSearcher::NetworkSearch : public OrderedSearch {
 public:
  explicit NetworkSearch(SearchOrder search)
      : OrderedSearch(std::move(search)),
        search_(game().rules_pointer(), {.lines = order().lines, .memory = order().memory}) {}

  void begin() {
    const std::lock_guard lock(mutex_);
    search_.begin(game(), order().limits);
  }

  void gather(std::vector<mcts::EvalRequest>* requests) {
    const std::lock_guard lock(mutex_);
    const size_t before = requests->size();
    search_.gather(leaves_of(order().limits), requests);
    gathered_ = requests->size() - before;
  }

  // Takes its part from the front; true when it is over.
  bool back_up(std::span<const mcts::Evaluation>* evaluations) {
    {
      const std::lock_guard lock(mutex_);
      search_.back_up(evaluations->first(gathered_));
    }
    *evaluations = evaluations->subspan(gathered_);
    const bool over = search_.done() || (stopped() && search_.ready());
    const bool due = order().report_interval && search_.ready() &&
                     search_.elapsed() >= reported_ + *order().report_interval;
    if (over || due) {
      reported_ = search_.elapsed();
      tell(search_.thought(), over);
    }
    return over;
  }

  void fail_because(const std::string& why) { fail(why); }

  std::vector<mcts::RootMove> moves_after(std::span<const game::Move> line) const override {
    const std::lock_guard lock(mutex_);
    return search_.moves_after(game(), line);
  }

 private:
  mutable std::mutex mutex_;  // Of search_ where it changes, for moves_after(). Not held in evaluations.
  TreeSearch search_;
  size_t gathered_ = 0;
  milliseconds reported_{0};
};

NetworkSearcher::NetworkSearcher(game::GamePtr rules, const std::filesystem::path& checkpoint)
    : rules_(std::move(rules)),
      evaluator_(load_network(*rules_, checkpoint).evaluator),
      thread_([this] { work(); }) {}

NetworkSearcher::~NetworkSearcher() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::shared_ptr<OrderedSearch> NetworkSearcher::search(SearchOrder order) {
  auto search = std::make_shared<NetworkSearch>(std::move(order));
  {
    const std::lock_guard lock(mutex_);
    ordered_.push_back(search);
  }
  changed_.notify_all();
  return search;
}

void NetworkSearcher::work() {
  nn::set_thread_count(1);
  while (wait_for_searches()) {
    try {
      step();
    } catch (const std::exception& error) {
      for (const auto& search : running_) search->fail_because(error.what());
      running_.clear();
    }
  }
}

// Takes what was ordered; false when the searcher ends.
bool NetworkSearcher::wait_for_searches() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !running_.empty() || !ordered_.empty(); });
  for (auto& search : ordered_) {
    search->begin();
    running_.push_back(std::move(search));
  }
  ordered_.clear();
  return !ended_;
}

// One batch for all.
void NetworkSearcher::step() {
  requests_.clear();
  for (const auto& search : running_) search->gather(&requests_);
  if (evaluations_.size() < requests_.size()) evaluations_.resize(requests_.size());
  std::span<mcts::Evaluation> evaluations = std::span(evaluations_).first(requests_.size());
  if (!requests_.empty()) evaluator_->evaluate(requests_, evaluations);
  std::span<const mcts::Evaluation> left = evaluations;
  std::erase_if(running_, [&left](const auto& search) { return search->back_up(&left); });
}

}  // namespace makzero::play
