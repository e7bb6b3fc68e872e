// Import of game files into a library.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "play/library/library.h"

namespace makzero::play {

// A game that could not be read, or not to its end.
struct ImportFault {
  int number = 0;  // In its file, from 1; 0: the file.
  std::string why;
};

struct ImportResult {
  std::int64_t read = 0, added = 0;
  std::int64_t duplicates = 0;              // There already.
  std::int64_t before = 0;                  // Imported earlier, and not read again.
  std::vector<ImportFault> skipped = {};    // Nothing of them was read.
  std::vector<ImportFault> cut_short = {};  // Added up to a fault.
};

struct ImportOptions {
  std::string ruleset = {};  // Of files that do not name their game; empty: as their moves are legal.
  std::function<void(std::int64_t done, std::int64_t of)> progress = {};  // Games of the file.
  std::stop_token stop = {};
};

// Imports the games of a text under a name; those before number `first` (from 0) are left out.
ImportResult import_text(Library* library, const std::string& name, std::string_view text,
                         const ImportOptions& options, std::int64_t first = 0);

// Imports a file whose games are this text; one that was imported before as the same ruleset, and has not
// changed since, is gone on with where it was left.
ImportResult import_file(Library* library, const std::string& path, std::string_view text,
                         const ImportOptions& options);

// The files of a folder that may hold games, by name: .pgn, .txt and .json; a file as it is. Throws
// models::Error where there are none.
std::vector<std::string> game_files(const std::string& path);

}  // namespace makzero::play
