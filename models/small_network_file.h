// The small networks of models.
#pragma once

#include <filesystem>
#include <string>

#include "mcts/small_network.h"

namespace makzero::models {

// The small network of the ruleset's game; of an empty ruleset the first. Throws Error where the file is
// missing, damaged, of another kind, or has none.
mcts::SmallNetwork load_small_network(const std::filesystem::path& path, const std::string& ruleset);

// The first 12 hexadecimal digits of the SHA-256 of its plain bytes as version 1 wrote them.
std::string small_network_id(const mcts::SmallNetwork& network);

}  // namespace makzero::models
