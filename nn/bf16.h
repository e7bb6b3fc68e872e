// bf16, the upper half of a float, for loops over raw memory.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace makzero::nn {

// Whether oneDNN may use the instructions for bf16: its limit of the instruction set, in the environment, can
// leave them out, and then it has no such convolution.
inline bool onednn_allows_bf16() {
  const char* limit = std::getenv("ONEDNN_MAX_CPU_ISA");
  if (!limit) limit = std::getenv("DNNL_MAX_CPU_ISA");
  if (!limit) return true;
  const std::string_view name = limit;
  for (const std::string_view enough : {"DEFAULT", "ALL", "BF16", "FP16", "AMX"}) {
    if (name.find(enough) != std::string_view::npos) return true;
  }
  return name.empty();
}

// Whether the CPU multiplies bf16 in hardware, for oneDNN too.
inline bool cpu_has_bf16() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bf16") && onednn_allows_bf16();
#else
  return false;
#endif
}

inline float load(float value) { return value; }
inline float load(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

inline void store(float value, float* out) { *out = value; }

// Rounds to nearest even. REQUIRES: the value is finite.
inline void store(float value, std::uint16_t* out) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  *out = static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

// Numbers that are worked on together: as many as a register of the processor holds.
#if defined(__AVX512F__)
inline constexpr int kLanes = 16;
#elif defined(__AVX__)
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using Bits = std::uint32_t __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));
using Halves = std::uint16_t __attribute__((vector_size(kLanes * sizeof(std::uint16_t))));

inline Lanes load_lanes(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

inline Lanes load_lanes(const std::uint16_t* from) {
  Halves halves;
  std::memcpy(&halves, from, sizeof halves);
  const Bits bits = __builtin_convertvector(halves, Bits) << 16;
  Lanes lanes;
  std::memcpy(&lanes, &bits, sizeof lanes);
  return lanes;
}

inline void store_lanes(const Lanes& lanes, float* to) { std::memcpy(to, &lanes, sizeof lanes); }

inline void store_lanes(const Lanes& lanes, std::uint16_t* to) {
  Bits bits;
  std::memcpy(&bits, &lanes, sizeof bits);
  const Halves halves = __builtin_convertvector((bits + 0x7FFF + (bits >> 16 & 1)) >> 16, Halves);
  std::memcpy(to, &halves, sizeof halves);
}

}  // namespace makzero::nn
