// Searches that somebody else waits for: with a network all of them share its batches, on one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "mcts/evaluator.h"
#include "play/played_game.h"
#include "play/thinker.h"
#include "play/tree_search.h"

namespace makzero::play {

struct SearchOrder {
  PlayedGame game;  // REQUIRES: it is not over.
  Limits limits = {};
  int lines = 0;                                                  // Candidates in a thought; 0 = all.
  std::optional<std::chrono::milliseconds> report_interval = {};  // None: only the end is told.
  std::size_t memory = std::size_t{128} << 20;                    // Bytes that the tree may take.
};

// A search from its order to its end, and the tree that it leaves. Thread-safe.
class OrderedSearch {
 public:
  explicit OrderedSearch(SearchOrder order);
  virtual ~OrderedSearch() = default;
  OrderedSearch(const OrderedSearch&) = delete;
  OrderedSearch& operator=(const OrderedSearch&) = delete;

  const PlayedGame& game() const { return order_.game; }

  // What came since the last call. A later thought takes the place of an earlier one.
  struct News {
    std::optional<Thought> thought;
    bool finished = false;
    std::string failure;  // Why it failed, if it did.
  };
  News take_news();

  // `call` is called when there are news, by the thread that searches; none: not any more.
  void notify(std::function<void()> call);

  // Ends it early; it still tells its best move.
  void stop() { stop_ = true; }

  // See Thinker.
  virtual std::vector<mcts::RootMove> moves_after(std::span<const game::Move> line) const;

 protected:
  const SearchOrder& order() const { return order_; }
  const std::atomic<bool>& stopped() const { return stop_; }
  void tell(Thought thought, bool finished);
  void fail(const std::string& why);

 private:
  void tell_news(const News& news);

  SearchOrder order_;
  std::atomic<bool> stop_{false};  // Orders nothing: the search looks at it now and then.
  std::mutex mutex_;               // Of the two below.
  News news_;
  std::function<void()> call_;
};

// Begins a search by alpha-beta to that depth, on a thread of its own that ends with the object.
std::shared_ptr<OrderedSearch> search_by_alpha_beta(SearchOrder order, int depth);

// A network, loaded once, with the thread that searches with it.
class NetworkSearcher {
 public:
  // Throws models::Error when the network cannot be read or does not fit the rules.
  NetworkSearcher(game::GamePtr rules, const std::filesystem::path& checkpoint);
  ~NetworkSearcher();
  NetworkSearcher(const NetworkSearcher&) = delete;
  NetworkSearcher& operator=(const NetworkSearcher&) = delete;

  // Begins a search and returns at once. REQUIRES: the order's rules are those of the searcher.
  std::shared_ptr<OrderedSearch> search(SearchOrder order);

 private:
  class NetworkSearch;

  void work();
  bool wait_for_searches();
  void step();

  game::GamePtr rules_;
  std::unique_ptr<mcts::Evaluator> evaluator_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<NetworkSearch>> ordered_;  // Not begun yet.
  bool ended_ = false;

  // Of the thread alone.
  std::vector<std::shared_ptr<NetworkSearch>> running_;
  std::vector<mcts::EvalRequest> requests_;
  std::vector<mcts::Evaluation> evaluations_;

  std::thread thread_;
};

}  // namespace makzero::play
