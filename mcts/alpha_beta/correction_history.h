// Correction history: how wrong the evaluation has been in positions of the same structure.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "game/game.h"
#include "mcts/alpha_beta/options.h"

namespace makzero::mcts {

// Not thread-safe.
class CorrectionHistory {
 public:
  // Keeps a reference to the options.
  explicit CorrectionHistory(const AlphaBetaOptions& options) : options_(options) {}

  bool is_on() const { return options_.correction_limit > 0; }

  // To be added to the evaluation of the side to move.
  int of(const game::Position& position) const {
    int sum = 0;
    for (int structure = 0; structure < kStructures; ++structure) sum += means_[slot(position, structure)];
    return sum * options_.correction_limit / kMost;
  }

  // Takes the difference between the score of a search to `depth` and the corrected evaluation.
  void add(const game::Position& position, int difference, int depth) {
    const int change =
        std::clamp(difference * depth * options_.correction_rate / 1000, -kMost / 4, kMost / 4);
    for (int structure = 0; structure < kStructures; ++structure) {
      std::int16_t& mean = means_[slot(position, structure)];
      mean += change - mean * std::abs(change) / kMost;
    }
  }

  // Costs nothing where nothing was added: short searches are many.
  void clear() {
    if (is_on()) means_.fill(0);
  }

 private:
  // The pieces of White, those of Black, and the last kind of the game: of the chess family the pawns.
  static constexpr int kStructures = 3;
  static constexpr int kMost = 1024;
  static constexpr int kBits = 13;  // Slots per structure and side to move.

  static std::size_t slot(const game::Position& position, int structure) {
    const game::Bitboard pieces = structure == 2 ? position.kind[game::kKinds - 1] : position.side[structure];
    const std::size_t table = 2 * structure + game::index(position.to_move);
    return table << kBits | pieces * 0x9E3779B97F4A7C15u >> (64 - kBits);
  }

  const AlphaBetaOptions& options_;
  std::array<std::int16_t, 2 * kStructures << kBits> means_ = {};
};

}  // namespace makzero::mcts
