// Many games of one ruleset, played in step: the environment of a learner.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/game_state.h"
#include "mcts/rng.h"
#include "nn/encoder.h"

namespace makzero::play {

// An action is a policy index as the side to move sees it (nn/encoder.h); moves that share one are the first
// of them. Calls of several threads wait for one another.
class Batch {
 public:
  static constexpr std::int64_t kMostGames = 1 << 20;
  static constexpr std::int32_t kNoAction = -1;

  // A game from each start. `seed`: of random_actions().
  Batch(game::GamePtr rules, std::shared_ptr<const nn::Encoder> encoder, std::vector<game::Position> starts,
        std::uint64_t seed);

  std::size_t size() const { return games_.size(); }
  const nn::Encoder& encoder() const { return *encoder_; }
  game::GameState game(std::size_t i) const;

  // Plays an action in each game, kNoAction: none, and writes how each game stands then as a game::Result.
  // `reset`: games that are over begin anew behind it. The reason, with nothing played, where an action is
  // not legal or its game is over.
  std::optional<std::string> apply(std::span<const std::int64_t> actions, bool reset,
                                   std::span<std::int8_t> results);

  // Begins the chosen games anew. `chosen` [size]; empty: those that are over.
  void reset(std::span<const bool> chosen);

  // One value for each game.
  void results(std::int8_t* out) const;       // game::Result
  void reasons(std::uint8_t* out) const;      // game::Reason
  void to_move(std::int8_t* out) const;       // 0 White, 1 Black
  void plies(std::int32_t* out) const;        // Since its start.
  void count_moves(std::int32_t* out) const;  // Legal moves; 0 of a game that is over.
  void random_actions(std::int32_t* out);     // Each legal move as likely; kNoAction where it is over.
  void legal_masks(bool* out) const;          // [size, kPolicySize]; none of a game that is over.
  void planes(float* out) const;              // [size, planes, 8, 8]

 private:
  // Calls visit(game, i) for each game.
  template <class Visit>
  void for_each(const Visit& visit) const {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < games_.size(); ++i) visit(games_[i], i);
  }

  std::string refusal(std::size_t i, std::int64_t action) const;

  game::GamePtr rules_;
  std::shared_ptr<const nn::Encoder> encoder_;
  std::vector<game::Position> starts_;
  mutable std::mutex mutex_;  // Of all below.
  std::vector<game::GameState> games_;
  std::vector<std::optional<game::Move>> moves_;  // Of apply().
  mcts::Rng rng_;
};

}  // namespace makzero::play
