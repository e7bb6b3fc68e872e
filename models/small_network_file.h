// A small network as a file, one frame of its plain bytes (mcts/small_network.h), and as the name of a
// player.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "mcts/small_network.h"

namespace makzero::models {

// Atomically. Throws Error.
void write_small_network(const std::filesystem::path& path, const mcts::SmallNetwork& network);

// Throws Error where the file is missing, damaged, of another kind, or does not fit this program.
mcts::SmallNetwork read_small_network(const std::filesystem::path& path);

// The same of a network that plays a ruleset. Throws Error where it is of another game, too.
mcts::SmallNetwork load_small_network(const std::filesystem::path& path, const std::string& ruleset);

// The first 12 hexadecimal digits of the SHA-256 of its plain bytes.
std::string small_network_id(const mcts::SmallNetwork& network);

// Whether there is such a file, by its header; what is wrong with another file, its reader says.
bool is_small_network(const std::filesystem::path& path);

// Plies that a player searches with a small network where nothing else limits it, and at most.
inline constexpr int kSmallDepth = 8;
inline constexpr int kMostSmallDepth = 64;

// A player as a person writes it: "small" (kSmallName) or a file, either with ":DEPTH" behind it.
struct SmallNetworkName {
  std::string network;                     // "small" or the file.
  std::optional<std::int64_t> depth = {};  // As written: find_small_network() checks it.
};

// None where the text names no small network: it is not "small", and the file has neither the extension .mzs
// nor the header of one.
std::optional<SmallNetworkName> read_small_network_name(const std::string& text);

// The file, "small" being the zoo's for the ruleset. Throws Error where the zoo has none, or where the depth
// is not from 1 to kMostSmallDepth.
std::filesystem::path find_small_network(const SmallNetworkName& name, const std::string& ruleset);

}  // namespace makzero::models
