// The one encoder: positions to input planes and moves to policy indices, always from the mover's side.
#pragma once

#include <string>
#include <vector>

#include "game/game.h"
#include "game/symmetry.h"
#include "nn/planes.h"

namespace makzero::nn {

// Changes whenever the meaning of a plane or of a policy index changes; checkpoints carry both.
inline constexpr int kEncoderVersion = 1;
inline constexpr int kMoveIndexVersion = 1;

// Stateless after construction; thread-safe. The game must outlive it.
class Encoder {
 public:
  // The planes that a new network of the game sees.
  explicit Encoder(const game::Game& game);

  // These planes (see planes.h), in this order. REQUIRES: unknown_plane(planes) is empty.
  Encoder(const game::Game& game, std::vector<std::string> planes);

  // Their names, in order.
  const std::vector<std::string>& planes() const { return names_; }
  int plane_count() const { return static_cast<int>(names_.size()); }

  // Writes [planes, 8, 8] floats; [p, rank, file] with the board rotated by 180 degrees for Black. Squares
  // off a 7x7 board are 0. `occurrences`: how often the position has stood on the board, this time included.
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
  const game::Game* game_;
  game::Symmetry rotation_;
  std::vector<std::string> names_;
  std::vector<Plane> planes_;
  bool needs_threats_ = false;
};

}  // namespace makzero::nn
