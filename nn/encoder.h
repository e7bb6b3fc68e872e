// The one encoder: positions to input planes and moves to policy indices, always from the mover's side.
#pragma once

#include <string>
#include <vector>

#include "game/game.h"
#include "nn/planes.h"

namespace makzero::nn {

// Changes whenever the meaning of a plane or of a policy index changes; checkpoints carry both.
inline constexpr int kEncoderVersion = 1;
inline constexpr int kMoveIndexVersion = 1;

// The square as the mover sees it: for Black the board is rotated by 180 degrees.
// REQUIRES: the square is on the board.
inline game::Square mover_view(const game::GameInfo& info, game::Square square, game::Color mover) {
  return mover == game::Color::kWhite ? square : game::square_at(info.files - 1, info.ranks - 1) - square;
}

// The index of a move in a network's policy [kPolicySize], rotated like the board.
inline int policy_index(const game::GameInfo& info, game::Move move, game::Color mover) {
  if (mover == game::Color::kWhite || move.is_pass()) return move.index();
  const game::Square destination = mover_view(info, move.destination(), mover);
  if (move.is_drop()) return game::Move::drop(destination).index();
  return game::Move::step(mover_view(info, move.origin(), mover), destination).index();
}

// Positions of any game as the planes of one network. Stateless after construction; thread-safe.
class Encoder {
 public:
  // These planes (see planes.h), in this order. REQUIRES: unknown_plane(planes) is empty.
  explicit Encoder(std::vector<std::string> planes);

  // Their names, in order.
  const std::vector<std::string>& planes() const { return names_; }
  int plane_count() const { return static_cast<int>(names_.size()); }

  // Writes [planes, 8, 8] floats; [p, rank, file] with the board rotated by 180 degrees for Black. Squares
  // off a 7x7 board are 0, as are planes that the game does not have. `occurrences`: how often the position
  // has stood on the board, this time included.
  void encode(const game::Game& game, const game::Position& position, int occurrences, float* out) const;

 private:
  std::vector<std::string> names_;
  std::vector<Plane> planes_;
  bool needs_threats_ = false;
};

}  // namespace makzero::nn
