// Table of the file kinds in a run folder: description, check, repair and ledger entry of each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "game/game.h"
#include "train/run_folder.h"

namespace makzero::train {

// Content of a file's entry in the ledger (ledger.h).
enum class Accounting : std::uint8_t {
  kNone,     // Nothing: the table says why.
  kWhole,    // All of its bytes: it is written once, or by the start of a training.
  kPrefix,   // Its bytes so far: it is appended to.
  kShard,    // The same of files that are too many to be read at every start.
  kNetwork,  // The id of its network: levels may be written into the file.
  kLearner,  // Generation and parent: every generation replaces it.
  kPresent,  // That it is there: it is replaced at any time, and checked by itself.
};

struct FileCheck {
  std::string damage = {};  // What is wrong and at which bytes or lines; empty: the file is whole.
  bool torn = false;  // The damage is an unfinished end, which a killed process leaves and a start cuts off.
  std::string misfit = {};  // Whole records that do not fit the rules of this program; no repair.
};

// Shared state of the checks of a run.
struct CheckContext {
  explicit CheckContext(const std::filesystem::path& run) : paths(run) {}

  const game::Game* game_of(const std::string& ruleset);  // Null for unknown rulesets.

  RunPaths paths;
  std::map<std::string, game::GamePtr> games;  // By ruleset.
};

struct RunFileKind {
  std::string_view what;    // "game records".
  std::string_view name;    // Of the file, with one '*' at most: "*.mzg".
  std::string_view folder;  // Below the run, where the ledger counts such files.
  Accounting accounting;
  std::string_view uncovered;  // Why damage may go unseen; empty: every damage is named.

  // For people. Throws models::Error for damaged and foreign files.
  std::string (*describe)(const std::filesystem::path&);

  // Throws models::Error for a file of which nothing can be kept in place. Null: nothing to check.
  FileCheck (*check)(const std::filesystem::path&, CheckContext*) = nullptr;

  // Keeps what is good in place and the damaged file as *.damaged; returns what was done. Null: it is set
  // aside.
  std::string (*repair)(const std::filesystem::path&, CheckContext*) = nullptr;
  bool has_copy = false;  // `repair` takes the content from elsewhere, and needs no file.
};

// The first kind of the table that fits the name of a file; null for other files.
const RunFileKind* kind_of(const std::filesystem::path& file);

// The kind of a file that the ledger counts, by its path below the run; null where it does not.
const RunFileKind* counted_kind(const std::filesystem::path& below_run);

}  // namespace makzero::train
