// A list of moves on the stack.
#pragma once

#include <cassert>

#include "game/move.h"

namespace makzero::game {

class MoveList {
 public:
  // 16 sliding men have at most 224 moves; the leap chains of the hunt game are the reason for the rest.
  static constexpr int kCapacity = 512;

  MoveList() {}  // The array stays uninitialised: clearing 1 kB costs more than most generators.

  void add(Move move) {
    assert(size_ < kCapacity);
    moves_[size_++] = move;
  }
  void clear() { size_ = 0; }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](int i) const { return moves_[i]; }
  const Move* begin() const { return moves_; }
  const Move* end() const { return moves_ + size_; }
  const Move* data() const { return moves_; }

 private:
  union {  // A plain array would start with 512 passes.
    Move moves_[kCapacity];
  };
  int size_ = 0;
};

}  // namespace makzero::game
