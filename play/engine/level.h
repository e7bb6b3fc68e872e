// The strengths that a network was measured at: free of Protobuf, for the front ends.
#pragma once

#include <span>
#include <string>

namespace makzero::play {

struct Level {
  int level = 0;          // 1 = the weakest.
  int simulations = 0;    // Per move.
  float temperature = 0;  // See Limits.
  double elo = 0;
  std::string measured_in =
      {};  // The title of the game of its matches, "Mak-yek", where that is another one.
};

// "1 - beginner", "2".
std::string level_name(int level);

// The same with its measured strength, "1 - beginner (249 above random play, measured in Mak-yek)": Elo 0 is
// random play.
std::string level_label(const Level& level);

// The level with this number; null where there is none.
inline const Level* find_level(std::span<const Level> levels, int number) {
  for (const Level& each : levels) {
    if (each.level == number) return &each;
  }
  return nullptr;
}

// The level whose Elo is nearest; null where there is none.
inline const Level* nearest_level(std::span<const Level> levels, double elo) {
  const Level* nearest = nullptr;
  const auto distance = [elo](const Level& level) {
    return level.elo < elo ? elo - level.elo : level.elo - elo;
  };
  for (const Level& each : levels) {
    if (!nearest || distance(each) < distance(*nearest)) nearest = &each;
  }
  return nearest;
}

}  // namespace makzero::play
