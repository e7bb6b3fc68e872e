// Many searches at once, of any games and players: the searches of one network step together, so that their
// leaves share its batches.
#pragma once

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
#include "mcts/lockstep.h"
#include "nn/backend.h"
#include "play/engine/level.h"
#include "play/engine/search_info.h"
#include "play/engine/small_searcher.h"
#include "play/played_game.h"

namespace makzero::play {

class PooledSearch;

// A small network is searched by alpha-beta. Without a network a search that counts simulations is a tree
// search without knowledge, any other alpha-beta; mate is always looked for by alpha-beta: a tree search
// proves a win, but not the shortest.
struct SearchRequest {
  PlayedGame game;                // Not over.
  std::string player = {};        // A checkpoint file, a run folder (its latest), "zoo", a small network
                                  // (small_searcher.h), "alphabeta:DEPTH"; empty: none.
  Limits limits = {};             // Endless only where somebody stops the search.
  std::optional<int> level = {};  // Of the network's measured strengths, instead of simulations.
  int lines = 0;                  // Candidate moves; 0 = all that were visited.
  int priority = 0;               // Larger ones are searched first.
  std::uint64_t seed = 1;
  int leaves = 8;  // Of one search at once: more is faster and a little weaker per simulation.

  // When what is found so far is reported; by default only the end is.
  std::optional<std::chrono::milliseconds> report_every = {};
  bool report_progress = false;  // Also whenever the evaluations have doubled, and every depth of alpha-beta.

  // A search that has ended: its tree is kept where `game` goes on from its position.
  // REQUIRES: that was a search of the same player, for the same number of lines.
  std::shared_ptr<PooledSearch> previous = {};
  bool always_moves = false;  // One that is stopped before it begins still finds a move.
};

// Whether alpha-beta searches it, not a tree search.
bool is_by_alpha_beta(const SearchRequest& request);

struct SearchPoolOptions {
  int together = 16;                            // Searches that step at once; the others wait.
  int batch = 32;                               // Leaves for a network at once, of all its searches.
  int networks = 4;                             // Kept loaded.
  int threads = 1;                              // Of a network on a CPU.
  nn::Backend backend = {};                     // Of networks.
  std::size_t memory = std::size_t{256} << 20;  // Bytes of one search's tree; a table takes 64 MiB at most.
  std::size_t cache = std::size_t{32} << 20;    // Bytes of one network's evaluations.
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

  virtual const SearchRequest& request() const = 0;

  // The tree, for those who open it step by step, while it is searched and afterwards: the moves after a line
  // from the position; empty where nothing is known.
  virtual std::vector<mcts::RootMove> moves_after(std::span<const game::Move> line) const = 0;

  // Forgets the tree's past, so that the next search begins anew. REQUIRES: the search has ended.
  virtual void forget() = 0;
};

// A network that a pool has loaded.
struct PooledNetwork {
  std::string player;         // Its file, for SearchRequest: the same network from now on.
  std::string description;    // See LoadedNetwork, ...
  std::vector<Level> levels;  // ... like this.
};

// Called on the pool's threads, which wait meanwhile. Exactly one of the last two is called, once, at the
// end.
struct SearchHandlers {
  SearchInfoHandler info;                          // What is found so far.
  SearchInfoHandler finished;                      // The final one: its best move is the answer.
  std::function<void(const std::string&)> failed;  // Why; also a search that was stopped before it began.
};

// Thread-safe. Two threads of its own: one steps the tree searches, the other runs every alpha-beta, search
// by search, and keeps the small network of the last one with its transposition table. Its end stops all
// searches and waits until they have told it.
class SearchPool {
 public:
  explicit SearchPool(const SearchPoolOptions& options);
  ~SearchPool();
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;

  // Loads a network ahead of the searches that name it. Throws models::Error when that fails.
  PooledNetwork load(const game::GamePtr& rules, const std::string& player);

  std::shared_ptr<PooledSearch> start(SearchRequest request, SearchHandlers handlers);

  // Returns when every search has told its end.
  void wait();

  // Forgets what small networks have searched. REQUIRES: every search has told its end.
  void forget();

 private:
  class Search;
  class Networks;
  using Searches = std::vector<std::shared_ptr<Search>>;

  void step_trees();
  std::map<mcts::Evaluator*, Searches> begin(const Searches& round);
  void step(mcts::Evaluator* evaluator, const Searches& searches);
  void run_alpha_beta();
  SearchInfo search_by_alpha_beta(Search* search);
  Searches next(bool trees, int most);  // Waits for one; none: the pool ends.
  Searches all();
  void fail(const std::shared_ptr<Search>& search, const std::string& why);
  void remove(const std::shared_ptr<Search>& search);

  SearchPoolOptions options_;
  std::unique_ptr<Networks> networks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Searches searches_;  // Not ended, in the order of their start.
  bool ending_ = false;
  std::unique_ptr<SmallSearcher> small_;         // Of the alpha-beta thread.
  mcts::Lockstep<Search> lockstep_;              // Of step(), which leaves it empty.
  std::thread tree_thread_, alpha_beta_thread_;  // Last: they begin when all else is there.
};

}  // namespace makzero::play
