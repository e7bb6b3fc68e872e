// The two sides of a game.
#pragma once

#include <cstdint>

namespace makzero::game {

enum class Color : std::uint8_t { kWhite, kBlack };

constexpr Color other(Color color) { return color == Color::kWhite ? Color::kBlack : Color::kWhite; }

// 0 for White, 1 for Black: the index of arrays that hold one entry per side.
constexpr int index(Color color) { return static_cast<int>(color); }

}  // namespace makzero::game
