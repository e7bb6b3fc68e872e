#include "play/commands/training/suites.h"

#include <string>

#include "game/catalog.h"
#include "models/file_io.h"
#include "models/zoo.h"
#include "play/commands/command.h"

namespace makzero::play {

namespace fs = std::filesystem;

fs::path suite_file(const game::Game& game, const fs::path& folder, const char* ending) {
  return folder / (std::string(game::game_of(game.info().ruleset)) + ending);
}

fs::path shipped_folder(const char* name) { return models::Zoo::standard().folder().parent_path() / name; }

train::Baseline read_puzzles(const game::Game& game, const fs::path& suites) {
  const fs::path file = suite_file(game, suites, "-puzzles.tsv");
  if (!fs::exists(file)) return {};
  return value_or_usage_error(train::parse_baseline(game, models::read_given_text(file), file.string()));
}

}  // namespace makzero::play
