// Names for what must not differ between those who exchange networks: a front end compares them before it
// plays. The standard library alone.
#pragma once

#include <string>
#include <string_view>

#include "nn/encoder.h"

namespace makzero::models {

// 64 hexadecimal digits (FIPS 180-4).
std::string sha256(std::string_view bytes);

// "1-5f0c6b8a91d2": kEncoderVersion and the beginning of the hash of the planes' names, a line each.
std::string encoder_name(std::span<const std::string> planes);

// How a move becomes an index of the policy, for people.
std::string_view move_index_formula();

// "1-77a0e4c1f3b9": kMoveIndexVersion and the beginning of the hash of the formula.
std::string move_index_name();

}  // namespace makzero::models
