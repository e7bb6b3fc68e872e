// Any text either is refused with reasons or names a game that reads back from both of its forms.
#include "play/pgn.h"
#include "tests/fuzz/fuzzed_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero;
  const auto game = play::read_game(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!game) {
    game::require(!game.why().empty(), "a refusal has a reason");
    return 0;
  }
  for (const std::string& text :
       {play::game_pgn(*game, game->outcome()), play::game_text(*game, game->outcome())}) {
    const auto again = play::read_game(text);
    game::require(again && again->actions() == game->actions() && again->position() == game->position(),
                  "a game reads back from its text");
  }
  return 0;
}
