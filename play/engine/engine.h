// The engine: one facade for every front end. A pool with one search, which goes on from move to move and
// reports by callbacks.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "models/player/player.h"
#include "nn/backend.h"
#include "play/engine/search_pool.h"

namespace makzero::play {

struct EngineOptions {
  models::PlayerSpec player = {};
  int simulations = 0;  // Of a tree search that has no limits, see limit_by_player(); 0 = until stopped.
  int threads = 1;      // Of a tower on a CPU, or of the search of a small network.
  int lines = 1;        // Candidate moves; 0 = all.
  std::uint64_t seed = 1;
  bool own_book = false;     // Moves of the zoo's book are played, at full strength and where a limit is set.
  bool endings = true;       // Networks play by the endings that are installed.
  nn::Backend backend = {};  // Of a tower.
  std::size_t memory = std::size_t{1} << 30;  // Bytes for a tree and the tower's evaluations.
  std::size_t table = models::kTableBytes;    // Bytes for the transposition table of alpha-beta.
};

// One thread controls it. A search is stopped and joined on destruction.
class Engine {
 public:
  // Loads the player. Throws models::Error when it cannot, or where it does not fit the rules.
  Engine(const game::GamePtr& rules, const EngineOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The player, for people: "network 4f2a91c03b7e, generation 12", "alpha-beta, depth 3".
  const std::string& description() const { return description_; }

  // Its measured levels, weakest first; empty where there are none.
  const std::vector<models::PlayerLevel>& levels() const { return player_->levels; }

  // Forgets the last game.
  void new_game();

  // Allocates and touches what the first search would in its own time: tables, and what a network begins
  // with.
  void warm_up();

  // Starts to search and returns at once. With `hold` the end is only reported after stop(), as UCI's
  // "infinite" asks. A search that still runs is waited for. A drawn game is searched as if it went on: a
  // player may not have claimed the draw. REQUIRES: there are legal moves.
  void start(const PlayedGame& game, const Limits& limits, bool hold, SearchHandlers handlers);

  // Searches and waits for the result. Throws models::Error when the search fails.
  SearchInfo search(const PlayedGame& game, const Limits& limits);

  // Ends the search early; it still tells its best move. Does nothing when none is running.
  void stop();

  // Returns after the running search has told its end.
  void wait();

 private:
  SearchRequest request_of(const PlayedGame& game, const Limits& limits, bool hold) const;

  game::GamePtr rules_;
  EngineOptions options_;
  std::shared_ptr<const models::Player> player_;
  std::string description_;
  std::shared_ptr<const Book> book_;      // Null: none is played from.
  std::shared_ptr<PooledSearch> search_;  // The last one; none before it.
  std::shared_ptr<PooledSearch> kept_;    // The last that was no search for a mate: the next goes on from it.
  std::stop_source stop_;                 // Of the search: its answer may be held until then.
  std::unique_ptr<SearchPool> pool_;      // Last: its end stops what is searched.
};

}  // namespace makzero::play
