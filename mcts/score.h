// Scores of alpha-beta searches, from the side to move: one type for each unit of evaluation.
#pragma once

#include <compare>
#include <cstdlib>

namespace makzero::mcts {

// The score of a win on the board. A proven win has this less the plies to the end of the game, a proven loss
// the negative of that, in every unit.
inline constexpr int kWinScore = 1'000'000;

// The least score of a proven win: it comes within a thousand plies.
inline constexpr int kProvenScore = kWinScore - 1000;

constexpr bool is_proven(int value) { return value >= kProvenScore || value <= -kProvenScore; }

template <class Unit>
struct Score {
  int value = 0;

  constexpr bool proven() const { return is_proven(value); }

  // Plies to the end of the game. REQUIRES: proven().
  int plies_to_end() const { return kWinScore - std::abs(value); }

  constexpr Score operator-() const { return {-value}; }
  constexpr auto operator<=>(const Score&) const = default;
};

using LogitScore = Score<struct ThousandthOfLogit>;  // Of the expected result; the small network's unit.
using Centipawns = Score<struct HundredthOfPawn>;    // Of a man in the custodial games; the unit of material.

}  // namespace makzero::mcts
