// Random numbers that are the same on every machine for the same seed.
#pragma once

#include <cmath>
#include <cstdint>

namespace makzero::mcts {

// SplitMix64 (Steele, Lea and Flood 2014): 64 bits of state, good enough for search noise and game choice.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // In [0, bound). REQUIRES: bound > 0. The bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(next()) * bound >> 64);
  }

  // Standard Gumbel distribution.
  double gumbel() { return -std::log(-std::log(uniform() + 0x1.0p-54)); }

  // Standard normal distribution (Box and Muller, one of the pair).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform() + 0x1.0p-54));
    return radius * std::cos(6.283185307179586 * uniform());
  }

  // Gamma distribution with this shape and scale 1 (Marsaglia and Tsang 2000). REQUIRES: shape > 0.
  double gamma(double shape) {
    if (shape < 1) return gamma(shape + 1) * std::pow(uniform() + 0x1.0p-54, 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
      const double x = normal(), v = std::pow(1 + c * x, 3);
      if (v > 0 && std::log(uniform() + 0x1.0p-54) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
  }

  // The whole state, to be stored and given to the constructor again.
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace makzero::mcts
