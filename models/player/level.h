// Levels of a player below its full strength, as they were measured: free of Protobuf, for the front ends.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace makzero::models {

struct PlayerLevel {
  int level = 0;           // 1 = the weakest.
  std::int64_t nodes = 0;  // Per move: simulations of a tree, positions of alpha-beta.
  float temperature = 0;   // Of mcts::sample_move(); 0 = the best move.
  double elo = 0;
  std::string measured_in = {};  // Title of the game of its matches, "Mak-yek", where that is another one.
};

// "1 - beginner", "2".
std::string level_name(int level);

// The same with its measured strength, "1 - beginner (249 above random play, measured in Mak-yek)": Elo 0 is
// random play.
std::string level_label(const PlayerLevel& level);

// The level with this number; null where there is none.
inline const PlayerLevel* find_level(std::span<const PlayerLevel> levels, int number) {
  for (const PlayerLevel& each : levels) {
    if (each.level == number) return &each;
  }
  return nullptr;
}

// The level whose Elo is nearest; null where there is none.
inline const PlayerLevel* nearest_level(std::span<const PlayerLevel> levels, double elo) {
  const PlayerLevel* nearest = nullptr;
  const auto distance = [elo](const PlayerLevel& level) {
    return level.elo < elo ? elo - level.elo : level.elo - elo;
  };
  for (const PlayerLevel& each : levels) {
    if (!nearest || distance(each) < distance(*nearest)) nearest = &each;
  }
  return nearest;
}

}  // namespace makzero::models
