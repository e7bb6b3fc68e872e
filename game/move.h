// A move: a slide, step, leap or jump from square to square, a drop from the hand, or a forced pass.
#pragma once

#include <cstdint>

#include "game/square.h"

namespace makzero::game {

// The number of policy indices: 64 x 64 (origin, destination) pairs, 64 drops, one pass.
inline constexpr int kPolicySize = 64 * 64 + 64 + 1;

// 16 bits: destination (6), origin (7: a square, the hand or "pass"), alternative (3).
// Alternatives tell moves with the same squares apart and share one policy index.
class Move {
 public:
  constexpr Move() = default;  // The pass.

  static constexpr Move pass() { return Move(); }
  static constexpr Move drop(Square destination) { return Move(kHand, destination, 0); }
  static constexpr Move step(Square origin, Square destination, int alternative = 0) {
    return Move(origin, destination, alternative);
  }
  // The move with these bits(), as stored in records.
  static constexpr Move from_bits(std::uint16_t bits) {
    Move move;
    move.bits_ = bits;
    return move;
  }

  constexpr bool is_pass() const { return raw_origin() == kPass; }
  constexpr bool is_drop() const { return raw_origin() == kHand; }
  constexpr bool is_step() const { return raw_origin() < kHand; }

  // REQUIRES: is_step().
  constexpr Square origin() const { return raw_origin(); }
  // REQUIRES: not is_pass().
  constexpr Square destination() const { return bits_ & 63; }
  constexpr int alternative() const { return bits_ >> 13; }

  // The policy index in [0, kPolicySize): origin * 64 + destination, 4096 + destination of a drop, 4160 for
  // the pass.
  constexpr int index() const { return bits_ & 0x1FFF; }
  constexpr std::uint16_t bits() const { return bits_; }

  constexpr bool operator==(const Move&) const = default;

 private:
  static constexpr int kHand = 64;
  static constexpr int kPass = 65;

  constexpr Move(int origin, Square destination, int alternative)
      : bits_(static_cast<std::uint16_t>(alternative << 13 | origin << 6 | destination)) {}

  constexpr int raw_origin() const { return (bits_ >> 6) & 127; }

  std::uint16_t bits_ = kPass << 6;
};

static_assert(Move::pass().index() == kPolicySize - 1);

}  // namespace makzero::game
