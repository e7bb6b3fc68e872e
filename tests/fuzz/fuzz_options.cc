// Any text either is refused with reasons or names a game whose ruleset text makes the same game.
#include "game/catalog.h"
#include "tests/fuzz/fuzzed_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero::game;
  const Parsed<GamePtr> game = make_game(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!game) {
    require(!game.why().empty(), "a refusal has a reason");
    return 0;
  }
  const std::string ruleset = (*game)->info().ruleset;
  const Parsed<GamePtr> again = make_game(ruleset);
  require(again && (*again)->info().ruleset == ruleset, "a ruleset's text makes the same game");
  return 0;
}
