// What a small network of the zoo is and how it plays, as ZOO/small/GAME.json beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/zoo/model_card.h"

namespace makzero::train {

// All of a model card but its matches: file, source, rules, and the network's scores of test positions, which
// are whole numbers and the same on every machine. Throws models::Error where the file is damaged.
ModelCard describe_small_network(const std::filesystem::path& file);

// What the model card says and the network, the rules and this program do not: a line each.
std::vector<std::string> check_small_entry(const models::SmallEntry& entry);

}  // namespace makzero::train
