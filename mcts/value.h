// Values and whose point of view they are from: two types, and only two functions convert.
#pragma once

#include <cstdint>

#include "game/color.h"

namespace makzero::mcts {

// Probabilities of win, draw and loss for the side to move. They sum to 1.
struct MoverValue {
  float win = 0, draw = 0, loss = 0;

  // The mover's expected score in [0, 1].
  float score() const { return win + draw / 2; }
};

// Probabilities of a win of White, a draw and a win of Black. They sum to 1.
struct WhiteValue {
  float white = 0, draw = 0, black = 0;

  // White's expected result in [-1, 1].
  float expected() const { return white - black; }
};

// What is proven about a value, from White's side: -1 Black wins, 0 draw, 1 White wins; lower == upper is
// exact.
struct Bounds {
  std::int8_t lower = -1, upper = 1;

  bool exact() const { return lower == upper; }
  bool operator==(const Bounds&) const = default;
};

constexpr WhiteValue to_white(const MoverValue& value, game::Color mover) {
  return mover == game::Color::kWhite ? WhiteValue{value.win, value.draw, value.loss}
                                      : WhiteValue{value.loss, value.draw, value.win};
}

constexpr MoverValue to_mover(const WhiteValue& value, game::Color mover) {
  return mover == game::Color::kWhite ? MoverValue{value.white, value.draw, value.black}
                                      : MoverValue{value.black, value.draw, value.white};
}

}  // namespace makzero::mcts
