// What game and match records say, for people.
#pragma once

#include <filesystem>
#include <string>

namespace makzero::train {

// Counts, results and the first games as move text; every byte is verified. Throws models::Error for damaged
// files; an unfinished last record, which a running or killed process leaves, is only mentioned.
std::string inspect_games(const std::filesystem::path& path);
std::string inspect_matches(const std::filesystem::path& path);

}  // namespace makzero::train
