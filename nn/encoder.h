// The one encoder: positions to input planes and moves to policy indices, always from the mover's side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "game/symmetry.h"
#include "mcts/evaluator.h"
#include "nn/network_shape.h"

namespace makzero::nn {

// Changes whenever the meaning of a plane or of a policy index changes; checkpoints carry both.
inline constexpr int kEncoderVersion = 1;
inline constexpr int kMoveIndexVersion = 1;

// The plane "ply" counts in steps of this many plies, so that equal positions at nearly equal plies encode
// equally.
inline constexpr int kPlyStep = 16;

// Stateless after construction; thread-safe. The game must outlive it.
class Encoder {
 public:
  explicit Encoder(const game::Game& game, TacticalPlanes tactics = {});

  // The same planes each at its place among `planes`; the others are 0. REQUIRES: all of the game's planes
  // are there.
  Encoder(const game::Game& game, TacticalPlanes tactics, std::vector<std::string> planes);

  // The names of the planes in order: "own M", "enemy M", "own targets", ..., only those that the game needs.
  //   own K, enemy K            pieces of kind K
  //   own|enemy targets         captures: pieces that the side could take now (Game::threats)
  //   own|enemy destinations    captures: squares on which it would take them by arriving
  //   own|enemy reach           exposure: squares that its men can move to (Mak-yek family)
  //   own|enemy exposed         exposure: empty squares where a man of it could be taken (Game::threats)
  //   obliged                   where the next move must end (Min Rek Chanh, transition)
  //   own|enemy hand            constant: pieces in hand / 16
  //   own|enemy right 0..3      constant: first-move rights; White's are bits 0-3, Black's 4-7
  //   count limit, count used   constants: limit / 128 and share of the limit that is counted
  //   own|enemy count           constant: who declared the count
  //   seen N                    constant: the position stood on the board at least N times before
  //   quiet plies, ply          constants: share of the limits without progress and of the whole game
  //   board                     1 on every square: tells the border of the board from an empty square
  const std::vector<std::string>& planes() const { return names_; }
  int plane_count() const { return static_cast<int>(names_.size()); }

  // Writes [planes, 8, 8] floats; [p, rank, file] with the board rotated by 180 degrees for Black. Squares
  // off a 7x7 board are 0.
  void encode(const game::Position& position, int occurrences, float* out) const;

  // The index of a move in the network's policy [kPolicySize], rotated like the planes.
  int policy_index(game::Move move, game::Color mover) const {
    return mover == game::Color::kWhite ? move.index() : rotation_(move).index();
  }

  // The square as the mover sees it.
  game::Square view(game::Square square, game::Color mover) const {
    return mover == game::Color::kWhite ? square : rotation_(square);
  }

 private:
  const game::Game& game_;
  TacticalPlanes tactics_;
  game::Symmetry rotation_;
  std::vector<std::string> names_;
  std::vector<int> places_;  // Among the names, of the game's planes in the order in which they are written.
};

// The planes of one network for several games: all that any of them needs, each once, and in the place of
// "board" a plane of each game, "board RULESET", by which the network tells them apart. Of a single game: its
// own planes.
std::vector<std::string> shared_planes(std::span<const game::GamePtr> games, TacticalPlanes tactics);

// Shared planes as the network of that one game knows them: its own board is "board".
std::vector<std::string> planes_as_seen_by(const game::Game& game, std::vector<std::string> shared);

}  // namespace makzero::nn
