// Many searches at once, of any games and players: the tree searches of one network step together, so that
// their leaves share its batches.
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
#include <utility>
#include <vector>

#include "mcts/searcher_batch.h"
#include "models/player/player.h"
#include "nn/backend.h"
#include "play/engine/book.h"
#include "play/engine/search_info.h"
#include "play/played_game.h"

namespace makzero::play {

class PooledSearch;

// Leaves of one search for a card at once.
inline constexpr int kCardLeaves = 128;

struct SearchRequest {
  PlayedGame game;  // Not over.
  models::PlayerSpec player = {};
  Limits limits = {};  // Endless only where somebody stops the search; else by the player's strength.
  int lines = 0;       // Candidate moves; 0 = all that a tree has visited, one of alpha-beta.
  int priority = 0;    // Larger ones are searched first.
  std::uint64_t seed = 1;
  std::shared_ptr<const Book> book = {};  // Whose move is the answer where it has one; null: none is asked.

  // Time between two reports; by default only the end is reported.
  std::optional<std::chrono::milliseconds> report_every = {};
  bool report_progress = false;  // Also whenever the evaluations have doubled, and every depth of alpha-beta.

  // A search that has ended, whose tree or table this one goes on with.
  // REQUIRES: that was a search of the same player by the same rules.
  std::shared_ptr<PooledSearch> previous = {};
  bool always_moves = false;  // One that is stopped before it begins still finds a move.
};

// Limits a request that has none by the strength of its player, of which a tower that has none searches so
// many simulations.
void limit_by_player(int simulations, SearchRequest* request);

// Limits it by a measured level of its player. Throws models::Error where there is none.
void limit_by_level(int level, SearchRequest* request);

struct SearchPoolOptions {
  int together = 16;                          // Tree searches that step at once; the others wait.
  int alone = 0;                              // Other searches at once; 0 = one for each processor.
  int batch = 32;                             // Leaves for a CPU's network at once, of all its searches.
  int players = 4;                            // Kept loaded.
  int threads = 1;                            // Of a tower on a CPU.
  nn::Backend backend = {};                   // Of towers.
  models::SearcherResources resources = {};   // Of one search.
  std::size_t cache = std::size_t{32} << 20;  // Bytes for a tower's evaluations.
  bool endings = false;                       // Networks play by the endings that are installed.
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

  // Forgets its past, so that the next search begins anew. REQUIRES: the search has ended.
  virtual void forget() = 0;
};

// Called on the pool's threads, which wait meanwhile. Exactly one of the last two is called, once, at the
// end.
struct SearchHandlers {
  std::function<void(const SearchInfo&)> info;      // The result so far.
  std::function<void(const SearchInfo&)> finished;  // The final one: its best move is the answer.
  std::function<void(const std::string&)> failed;   // Why; also a search that was stopped before it began.
};

// Players in memory with their rulesets, the last used last.
using LoadedPlayers = std::vector<std::pair<std::string, std::shared_ptr<const models::Player>>>;

// Thread-safe. A thread of its own steps the tree searches; every other search has one to itself. Its end
// stops all searches and waits until they have told it.
class SearchPool {
 public:
  explicit SearchPool(const SearchPoolOptions& options);
  ~SearchPool();
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;

  // Loads a player ahead of the searches that name it. Throws models::Error when that fails.
  std::shared_ptr<const models::Player> load(const game::GamePtr& rules, const models::PlayerSpec& player);

  LoadedPlayers loaded() const;

  // Has players and their evaluations loaded and computed anew; running searches keep theirs.
  void forget_players();

  std::shared_ptr<PooledSearch> start(SearchRequest request, SearchHandlers handlers);

  // Returns when every search has told its end.
  void wait();

 private:
  class Search;
  class Players;
  using Searches = std::vector<std::shared_ptr<Search>>;

  void step_trees();
  std::map<mcts::Evaluator*, Searches> begin(const Searches& round);
  void step(mcts::Evaluator* evaluator, const Searches& searches);
  void run_others();
  void begin(Search* search);
  Searches next(bool trees, int most);  // Waits for one; none: the pool ends.
  void fail(const std::shared_ptr<Search>& search, const std::string& why);
  void remove(const std::shared_ptr<Search>& search);

  SearchPoolOptions options_;
  std::unique_ptr<Players> players_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Searches searches_;  // Not ended, in the order of their start.
  bool ending_ = false;
  std::mutex begin_mutex_;             // A player makes one searcher at a time.
  mcts::SearcherBatch batch_;          // Of the tree searches.
  std::vector<std::jthread> threads_;  // Last: they begin when all else is there.
};

}  // namespace makzero::play
