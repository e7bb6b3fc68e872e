// What game and match records and leaves say, for people.
#pragma once

#include <filesystem>
#include <string>

namespace makzero::train {

// Counts, results and the first games as move text; every byte is verified. Throws models::Error for damaged
// files; an unfinished last record, which a running or killed process leaves, is only mentioned.
std::string inspect_games(const std::filesystem::path& path);
std::string inspect_matches(const std::filesystem::path& path);

// The same of a file of leaves: counts, the mean value and some positions.
std::string inspect_leaves(const std::filesystem::path& path);

// The counts of all files of RUN/leaves, which are read; empty where there are none.
std::string inspect_leaf_log(const std::filesystem::path& folder);

}  // namespace makzero::train
