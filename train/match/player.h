// The players of matches: how they choose moves for many games at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "game/game.h"
#include "game/history.h"
#include "nn/backend.h"
#include "train/match/player_spec.h"

namespace makzero::train {

// A game in which a player is to move. What it points to lives until the move is chosen.
struct Turn {
  const game::Position* position = nullptr;
  const game::History* history = nullptr;          // Ends with `position`.
  const game::MoveList* legal = nullptr;           // Not empty.
  const std::vector<game::Move>* moves = nullptr;  // From the start to `position`.
  std::uint64_t seed = 0;                          // Of everything random in this choice.
  const game::Position* start = nullptr;           // Null: the initial position.
  int game = 0;                                    // Its number in the match.
};

// Chooses moves, a batch by design: a network evaluates the searches of all turns together. Without a time
// per move a move depends on its turn alone, that of a UCI engine on the turns of its game, so that a match
// is the same however its games are spread over threads. One thread at a time; make one per thread.
class Player {
 public:
  Player() = default;
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  virtual ~Player() = default;

  // Fills moves[i] with a legal move for turns[i]. Throws models::Error when the player fails.
  // REQUIRES: turns.size() == moves.size().
  virtual void choose(std::span<const Turn> turns, std::span<game::Move> moves) = 0;

  // How many turns at once make good use of the player.
  virtual int batch() const { return 1; }

  // A clock of the processor time that its choices take: of the calling thread, or of its own process.
  virtual std::chrono::nanoseconds processor_time() const;
};

// The player of `spec`. A network is evaluated on `backend`. Throws models::Error when its file
// is missing, damaged or of another game, when it plays by processor time and not on the CPU, or when the
// program of an engine does not start.
std::unique_ptr<Player> make_player(const game::Game& game, const PlayerSpec& spec,
                                    const nn::Backend& backend);

}  // namespace makzero::train
