// One game of a small network against itself, searched by alpha-beta.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game/game_state.h"
#include "mcts/alpha_beta/alpha_beta.h"
#include "mcts/rng.h"
#include "mcts/small_network.h"
#include "train/adjudication.h"
#include "train/config.pb.h"
#include "train/replay/record.pb.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// The small networks of a generation, by game: "makruk".
using SmallNetworks = std::map<std::string, mcts::SmallNetwork, std::less<>>;

// For each game of the pool the known one, or one that has learnt nothing and counts material.
SmallNetworks small_networks_for(const GamePool& pool, const std::vector<mcts::SmallNetwork>& known = {});

// Alpha-beta with the small networks of a generation, one position after the other. Not thread-safe.
class SmallSearcher {
 public:
  // Positions of a search; the iteration is finished.
  explicit SmallSearcher(std::int64_t nodes);

  // Of the searches that begin from now on. REQUIRES: there is one for each game that is searched.
  void set_networks(std::shared_ptr<const SmallNetworks> networks);

  std::string network_id(const game::Game& rules) const;

  // Fills in the best move, the score and the depth. REQUIRES: set_networks(), and the game is not over.
  void search(const game::GamePtr& rules, const game::GameState& state, PlyRecord* ply);

  std::uint64_t nodes() const { return nodes_; }  // Positions that were searched so far.

 private:
  const mcts::SmallNetwork& network_of(const game::Game& rules) const;

  std::uint64_t nodes_of_move_, nodes_ = 0;
  std::shared_ptr<const SmallNetworks> networks_;
  std::shared_ptr<mcts::TranspositionTable> table_;
  game::GamePtr rules_;                        // Of the search; null before the first.
  std::optional<mcts::NetworkSearch> search_;  // By those rules.
};

// Move by move, game after game; most games are cut once they are decided, or level for good (Adjudicator)
// where limits draw what is level.
// The loop fills in number, generation and build of the records. Not thread-safe. Pool and
// configuration must outlive it.
class SmallGame {
 public:
  SmallGame(GamePool* pool, const Config& config, std::uint64_t seed);

  // Those that play the games which begin from now on. REQUIRES: there is one for each game of the pool.
  void set_networks(std::shared_ptr<const SmallNetworks> networks) { networks_ = std::move(networks); }

  // Plays a move. Returns the record of the game that it has ended, if it has. REQUIRES: set_networks().
  std::optional<GameRecord> play_move();

  std::uint64_t nodes() const { return searcher_.nodes(); }  // Positions that were searched so far.

 private:
  void begin();
  void search(PlyRecord* ply);
  GameRecord finished(const game::Outcome& outcome);

  GamePool* pool_;
  const SelfPlayConfig& config_;
  OpeningConfig openings_;
  mcts::Rng rng_;
  std::shared_ptr<const SmallNetworks> networks_;
  SmallSearcher searcher_;
  game::GamePtr rules_;  // Of the game that is played; null between two games.
  std::optional<game::GameState> state_;
  Adjudicator adjudicator_;
  bool plays_out_ = false;    // It is not cut when it is decided.
  bool limits_draw_ = false;  // Its rules draw what is level for good.
  GameRecord record_;
};

}  // namespace makzero::train
