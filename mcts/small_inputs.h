// Inputs of the small network: named groups of numbers that hold or not, rows of one table.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"

namespace makzero::mcts {

// Own and enemy pieces by kind and square, the board rotated for Black: the first inputs of the table.
inline constexpr int kPieceFeatures = 2 * game::kKinds * game::kSquares;

// All inputs of the table.
inline constexpr int kSmallFeatures = kPieceFeatures + 144;

// The numbers of inputs that hold.
struct FeatureList {
  static constexpr int kCapacity = game::kSquares + 16;
  std::array<std::int16_t, kCapacity> features;  // Those behind `size` mean nothing.
  int size = 0;

  void add(int feature) { features[size++] = static_cast<std::int16_t>(feature); }
  const std::int16_t* begin() const { return features.data(); }
  const std::int16_t* end() const { return features.data() + size; }
};

// A group of inputs, as one side sees the position.
struct SmallInput {
  std::string_view name;
  int size;                                        // Inputs of the group.
  std::string_view family;                         // The only one whose networks have it; empty: all.
  bool (*in_ruleset)(const game::GameInfo& info);  // False: none of them ever holds.
  void (*add)(const game::GameInfo& info, const game::Position& position, game::Color side, int first,
              FeatureList* list);  // Adds those that hold, behind `first`.
  int first = 0;                   // Number of the group's first input.
};

// The table. A network stores the names of its inputs, so rows are appended, and none is renamed.
std::span<const SmallInput> small_inputs();

// The row of that name, null where there is none.
const SmallInput* find_small_input(std::string_view name);

// The names that a new network for games of the family has.
std::vector<std::string> default_small_inputs(std::string_view family);

// Number of the input for a piece.
inline int piece_feature(const game::GameInfo& info, game::Color side, game::Color owner, int kind,
                         game::Square square) {
  const game::Square seen =
      side == game::Color::kWhite ? square : 8 * (info.ranks - 1) + info.files - 1 - square;
  return ((owner == side ? 0 : game::kKinds) + kind) * game::kSquares + seen;
}

// Groups by their bits, in the order of the table.
using SmallInputSet = std::uint32_t;

// The groups of these names that a ruleset has, without the pieces.
SmallInputSet state_inputs(const game::GameInfo& info, std::span<const std::string> names);

// Adds what `side` sees in these groups.
void add_state_features(const game::GameInfo& info, SmallInputSet inputs, const game::Position& position,
                        game::Color side, FeatureList* list);

// All that `side` sees with a new network.
FeatureList small_features(const game::GameInfo& info, const game::Position& position, game::Color side);

}  // namespace makzero::mcts
