// A small network as a file: one frame of its plain bytes (mcts/small_network.h).
#pragma once

#include <filesystem>
#include <string>

#include "mcts/small_network.h"

namespace makzero::models {

// Atomically. Throws Error.
void write_small_network(const std::filesystem::path& path, const mcts::SmallNetwork& network);

// Throws Error where the file is missing, damaged, of another kind, or does not fit this program.
mcts::SmallNetwork read_small_network(const std::filesystem::path& path);

// The same of a network that plays a ruleset. Throws Error where it is of another game, too.
mcts::SmallNetwork load_small_network(const std::filesystem::path& path, const std::string& ruleset);

// The first 12 hexadecimal digits of the SHA-256 of its plain bytes as version 1 wrote them.
std::string small_network_id(const mcts::SmallNetwork& network);

// Whether there is such a file, by its header; what is wrong with another file, its reader says.
bool is_small_network(const std::filesystem::path& path);

}  // namespace makzero::models
