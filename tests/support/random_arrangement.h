// Random positions of the chess family.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "game/game.h"

namespace makzero::game {

// Both kings and up to `most` other pieces on random squares, no more of a kind than a side can have; none
// when the arrangement is not allowed.
inline std::optional<Position> random_arrangement(const Game& game, int most, std::mt19937_64* random) {
  static constexpr int kMost[] = {1, 9, 2, 2, 2, 8};  // Of KMSNRP.
  Position position;
  const auto put = [&](int kind, int side) {
    const Square square = static_cast<Square>((*random)() % kSquares);
    if (contains(position.occupied(), square)) return;
    if (size(position.kind[kind] & position.side[side]) == kMost[kind]) return;
    position.kind[kind] |= bit(square);
    position.side[side] |= bit(square);
  };
  put(0, 0);
  put(0, 1);
  for (int i = static_cast<int>((*random)() % most); i >= 0; --i) {
    put(static_cast<int>(1 + (*random)() % 5), static_cast<int>((*random)() % 2));
  }
  position.to_move = (*random)() % 2 ? Color::kWhite : Color::kBlack;
  std::vector<std::string> reasons;
  game.check(position, &reasons);
  return reasons.empty() ? std::optional(position) : std::nullopt;
}

}  // namespace makzero::game
