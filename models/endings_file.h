// Tables of exact endings on disk, which `makzero endings` makes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "game/game.h"
#include "mcts/endings/endings.h"

namespace makzero::models {

// Folder of tables: the one that the environment variable MAKZERO_ENDINGS names (empty: none), else
// $XDG_DATA_HOME/makzero/endings, else ~/.local/share/makzero/endings.
std::filesystem::path endings_folder();

// File of a class: FOLDER/RULESET/KRvK.mze.
std::filesystem::path ending_path(const game::GameInfo& info, const std::string& name);

// Reason why a ruleset has no tables, and its repair; empty where it may have. Tables are those of named
// rulesets, whatever their limits of repetition, progress and length.
std::string no_endings_reason(const game::GameInfo& info);

// Writes a table under its final name once it is whole. Throws Error.
void write_ending(const game::GameInfo& info, const mcts::EndingTable& table);

// Codes of a class. Throws Error where the file is missing, damaged or of another ruleset.
std::vector<std::uint8_t> read_ending(const game::GameInfo& info, const mcts::EndingClass& ending);

// The tables that are installed for the game, read when a position first asks for them; null where there are
// none. Keeps a reference to the rules. A damaged file is named on stderr and done without.
std::shared_ptr<const mcts::Endings> installed_endings(const game::Game& game);

// Reason why installed_endings() has none, and its repair.
std::string missing_endings(const game::GameInfo& info);

}  // namespace makzero::models
