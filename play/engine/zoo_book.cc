#include "play/engine/zoo_book.h"

#include <filesystem>
#include <string>

#include "game/catalog.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/zoo.h"

namespace makzero::play {

std::shared_ptr<const Book> zoo_book(const game::Game& rules) {
  const std::string& ruleset = rules.info().ruleset;
  if (game::game_of(ruleset) != ruleset) return nullptr;  // The book is of the game's default rules.
  const std::filesystem::path file = models::Zoo::standard().entry(ruleset).book();
  if (!std::filesystem::exists(file)) return nullptr;
  return std::make_shared<const Book>(
      models::value_or_error(file, parse_book(rules, models::read_text_file(file))));
}

}  // namespace makzero::play
