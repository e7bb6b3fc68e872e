// The players of matches: who they are as text, and how they choose moves for many games at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "game/history.h"
#include "game/parsed.h"
#include "nn/backend.h"

namespace makzero::train {

// Who plays: random, greedy, alphabeta:D, rollout:N, material:N, CHECKPOINT[:STRENGTH], latest, uci:COMMAND,
// xboard:COMMAND, each with options behind a '?'.
struct PlayerSpec {
  enum class Kind { kRandom, kGreedy, kAlphaBeta, kRollout, kMaterial, kNetwork, kUci, kXboard };
  Kind kind = Kind::kRandom;
  int number = 0;                                 // Depth, rollouts or simulations; 0 with a time.
  std::optional<std::chrono::milliseconds> time;  // Processor time per move, instead of a number.
  float temperature = 0;             // kNetwork: sampled moves (mcts::sample_move); 0 = the best.
  std::optional<float> material;     // kNetwork: weight of the material evaluator, if not the checkpoint's.
  std::filesystem::path checkpoint;  // kNetwork.
  std::string command;               // kUci, kXboard.
  std::string name;                  // As written; a network as network_name().
  std::int64_t generation = -1;      // Of a network in its run; -1 = no network.
};

// Reads a player. CHECKPOINT is a file, a run folder (its latest), "latest" or the number of a generation;
// the last two are looked up in `run` (a run folder). STRENGTH is SIMULATIONS,
// SIMULATIONS@TEMPERATURE or level=N, a level that the checkpoint was measured at; without it a network
// searches 64 simulations. The option ms=N, of every player, gives N milliseconds of processor time per move
// in place of a strength; material=W, of a network, blends the material evaluator into its searches with that
// weight instead of Manifest::material_blend_weight, and 0 (or "alone") is the network alone.
game::Parsed<PlayerSpec> parse_player(const std::string& text, const std::filesystem::path& run);

// What it reads as a network alone that searches so much; `checkpoint` as CHECKPOINT above.
std::string alone_text(const std::string& checkpoint, int simulations);

// "ID:SIMULATIONS", with a temperature "ID:SIMULATIONS@TEMPERATURE", either with "+material=SHARE" where the
// material evaluator is blended in with that weight.
std::string network_name(const std::string& id, int simulations, float temperature,
                         float material_blend_weight);

// "ID?ms=100", "ID+material=SHARE?ms=100": the same of a network that plays by time.
std::string network_name(const std::string& id, std::chrono::milliseconds time, float material_blend_weight);

// A game in which a player is to move. What it points to lives until the move is chosen.
struct Turn {
  const game::Position* position = nullptr;
  const game::History* history = nullptr;          // Ends with `position`.
  const game::MoveList* legal = nullptr;           // Not empty.
  const std::vector<game::Move>* moves = nullptr;  // From the start to `position`.
  std::uint64_t seed = 0;                          // Of everything random in this choice.
  const game::Position* start = nullptr;           // Null: the initial position.
};

// Chooses moves, a batch by design: a network evaluates the searches of all turns together. Without a time
// per move a move depends on its turn alone, never on what was chosen before, so that a match is the same
// however its games are spread over threads. One thread at a time; make one per thread.
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
