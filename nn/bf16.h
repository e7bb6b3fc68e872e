// bf16, the upper half of a float, for loops over raw memory.
#pragma once

#include <bit>
#include <cstdint>

namespace makzero::nn {

inline float load(float value) { return value; }
inline float load(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

inline void store(float value, float* out) { *out = value; }

// Rounds to nearest even. REQUIRES: the value is finite.
inline void store(float value, std::uint16_t* out) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  *out = static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

}  // namespace makzero::nn
