#include "game/position.h"

namespace makzero::game {
namespace {

// One round of a 64 x 64 -> 128 bit multiply, folded: mixes every bit of both words into the result.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9E3779B97F4A7C15u) * (b ^ 0xD1B54A32D192ED03u);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

std::uint64_t repetition_key(const Position& position) {
  const std::uint64_t small = static_cast<std::uint64_t>(position.hand[0]) | position.hand[1] << 8 |
                              position.rights << 16 | index(position.to_move) << 24;
  std::uint64_t key = mix(position.side[0], position.side[1]);
  key = mix(key, position.kind[0] ^ small * 0xA24BAED4963EE407u);
  key = mix(key ^ position.kind[1], position.kind[2]);
  key = mix(key ^ position.kind[3], position.kind[4]);
  key = mix(key, position.kind[5]);
  const bool obliged = position.obliged[0] | position.obliged[1];
  return obliged ? mix(key ^ position.obliged[0], position.obliged[1]) : key;
}

std::uint64_t evaluation_key(const Position& position) {
  return evaluation_key(position, repetition_key(position));
}

std::uint64_t evaluation_key(const Position& position, std::uint64_t repetition_key) {
  const std::uint64_t counters = static_cast<std::uint64_t>(position.count_limit) |
                                 static_cast<std::uint64_t>(position.count) << 16 |
                                 static_cast<std::uint64_t>(position.no_progress_plies) << 32 |
                                 static_cast<std::uint64_t>(position.counter) << 48;
  return mix(repetition_key, counters);
}

}  // namespace makzero::game
