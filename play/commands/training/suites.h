// Files of positions that come with the program: models/exams/makyek-puzzles.tsv.
#pragma once

#include <filesystem>

#include "game/game.h"
#include "train/rating/baseline.h"

namespace makzero::play {

// The file of the ruleset's game in such a folder, which need not be there.
std::filesystem::path suite_file(const game::Game& game, const std::filesystem::path& folder,
                                 const char* ending);

// A folder beside the zoo, in the sources and where the program is installed: "exams", "openings".
std::filesystem::path shipped_folder(const char* name);

// Puzzles of the game; none where it has no file. The last judge's move is the solution. Throws UsageError
// where the file cannot be read.
train::Baseline read_puzzles(const game::Game& game, const std::filesystem::path& suites);

}  // namespace makzero::play
