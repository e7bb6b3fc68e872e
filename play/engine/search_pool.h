// Many searches at once, of any games and players: the searches of one network step together, so that their
// leaves share its batches.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "mcts/evaluator.h"
#include "nn/backend.h"
#include "play/engine/searcher.h"

namespace makzero::play {

struct SearchRequest {
  PlayedGame game;  // Not over.
  std::string player =
      {};              // A checkpoint file, a run folder (its latest), "zoo", "alphabeta:DEPTH"; empty: none.
  Limits limits = {};  // Not endless().
  std::optional<int> level = {};  // Of the network's measured strengths, instead of simulations.
  int lines = 0;                  // Candidate moves; 0 = all that were visited.
  int priority = 0;               // Larger ones are searched first.
  std::uint64_t seed = 1;
  std::optional<std::chrono::milliseconds> report_every = {};  // None: only the end is told.
};

struct SearchPoolOptions {
  int together = 16;                            // Searches that step at once; the others wait.
  int batch = 32;                               // Leaves for a network at once, of all its searches.
  int networks = 4;                             // Kept loaded.
  int threads = 1;                              // Of a network on a CPU.
  nn::Backend backend = {};                     // Of networks.
  std::size_t memory = std::size_t{256} << 20;  // Bytes of one search's tree.
};

// One search in the pool. Thread-safe.
class PooledSearch {
 public:
  PooledSearch() = default;
  PooledSearch(const PooledSearch&) = delete;
  PooledSearch& operator=(const PooledSearch&) = delete;
  virtual ~PooledSearch() = default;

  // Ends the search soon; it still tells its end.
  virtual void stop() = 0;

  // The tree below the root, while it is searched and afterwards: see Searcher.
  virtual std::vector<mcts::RootMove> moves_after(std::span<const game::Move> line) const = 0;
};

// Called on the pool's threads, which wait meanwhile. Exactly one of the last two is called, once, at the
// end.
struct PoolHandlers {
  std::function<void(const SearchInfo&)> info;
  std::function<void(const SearchInfo&)> finished;
  std::function<void(const std::string&)> failed;  // Why; also a search that was stopped before it began.
};

// Thread-safe. Two threads of its own: one steps the tree searches, the other runs alpha-beta, search by
// search. Its end stops all searches and waits until they have told it.
class SearchPool {
 public:
  explicit SearchPool(const SearchPoolOptions& options);
  ~SearchPool();
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;

  std::shared_ptr<PooledSearch> start(SearchRequest request, PoolHandlers handlers);

  // Returns when every search has told its end.
  void wait();

 private:
  class Search;
  class Networks;
  using Searches = std::vector<std::shared_ptr<Search>>;

  void step_trees();
  std::map<mcts::Evaluator*, Searches> begin(const Searches& round, Networks* networks);
  void step(mcts::Evaluator* evaluator, const Searches& searches);
  void run_alpha_beta();
  Searches next(bool trees, int most);  // Waits for one; none: the pool ends.
  Searches all();
  void fail(const std::shared_ptr<Search>& search, const std::string& why);
  void remove(const std::shared_ptr<Search>& search);

  SearchPoolOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Searches searches_;  // Not ended, in the order of their start.
  bool ending_ = false;
  std::vector<mcts::EvalRequest> requests_;  // Reused by step().
  std::vector<mcts::Evaluation> evaluations_;
  std::thread tree_thread_, alpha_beta_thread_;  // Last: they begin when all else is there.
};

}  // namespace makzero::play
