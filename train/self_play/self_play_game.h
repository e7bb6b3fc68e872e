// One game of self-play as a state machine: asks for evaluations, plays moves, leaves a record, begins anew.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "game/game_state.h"
#include "mcts/lockstep.h"
#include "mcts/rng.h"
#include "mcts/search.h"
#include "train/config.pb.h"
#include "train/replay/record.pb.h"
#include "train/self_play/game_pool.h"
#include "train/self_play/opening.h"
#include "train/self_play/small_game.h"

namespace makzero::train {

// How a generation plays.
struct SelfPlayPhase {
  int simulations = 16;         // Per move.
  bool adjudicates = false;     // A cut game is won by the side with more material.
  std::int64_t generation = 0;  // Of the network.
  bool by_alpha_beta = false;   // Small networks play all games.
};

// What a record leaves out is for the loop to fill in: number, generation, network, build. Not thread-safe.
// Pool and configuration must outlive it.
class SelfPlayGame {
 public:
  // The first game is cut after this share of its greatest length; none: like all others.
  SelfPlayGame(GamePool* pool, const Config& config, std::uint64_t seed,
               std::optional<double> first_length_share = std::nullopt);

  // Appends the next position to evaluate. Moves are played and games end on the way; their records are
  // appended. REQUIRES: the leaf before was backed up.
  void gather(mcts::Lockstep* lockstep, std::vector<GameRecord>* finished);

  // Of the searches that begin from now on.
  void set_phase(const SelfPlayPhase& phase) { phase_ = phase; }

  // It plays one side of mixed_share of the games that begin from now on, and must outlive them. REQUIRES: it
  // has networks.
  void set_opponent(SmallSearcher* opponent) { opponent_ = opponent; }

 private:
  void begin();
  Opening next_opening();
  void begin_search();
  void add_opening_ply(game::Move move);
  void sample_opening_ply();
  void choose_opponent();
  bool is_opponents_turn() const;
  void play_move(std::vector<GameRecord>* finished);
  void search_own(PlyRecord* ply);  // Of the tower, from its finished search.
  game::Move choose(const mcts::SearchResult& result);
  int greatest_length() const;  // Of the game by its rules or the configuration.
  int longest_fork() const;     // Plies of its moves, so that enough are left.
  int sample_length();
  game::Outcome outcome() const;  // With that of a cut game.
  void record_end(const game::Outcome& outcome);

  GamePool* pool_;
  const Config& config_;
  mcts::Rng rng_;
  SelfPlayPhase phase_;
  game::GamePtr game_;  // The rules of the game that is played.
  int pool_index_ = 0;
  std::optional<mcts::Search> search_;  // Of game_.
  std::optional<game::GameState> state_;
  SmallSearcher* opponent_ = nullptr;          // None where small networks play no games.
  std::optional<game::Color> opponents_side_;  // Of the game; none: the tower plays both.
  Opening opening_;                            // Its policy plies are those that are still to come.
  GameRecord record_;
  int max_length_ = 0;
};

// The search options of a configuration for one move of self-play.
mcts::SearchOptions search_options(const Config& config);

}  // namespace makzero::train
