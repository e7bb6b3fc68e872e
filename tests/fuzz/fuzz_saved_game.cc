// Any text either is refused with reasons or names a game that reads back from both of its forms.
#include "play/notation/pgn.h"
#include "tests/fuzz/fuzzed_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero;
  const auto annotated =
      play::read_annotated_game(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!annotated) {
    game::require(!annotated.why().empty(), "a refusal has a reason");
    return 0;
  }
  const play::PlayedGame& game = annotated->game;
  for (const std::string& text : {play::game_pgn(*annotated), play::game_text(game)}) {
    const auto again = play::read_game(text);
    game::require(again && again->actions() == game.actions() && again->position() == game.position() &&
                      again->outcome() == game.outcome(),
                  "a game reads back from its text");
  }
  const auto again = play::read_annotated_game(play::game_pgn(*annotated));
  game::require(again->nodes.size() == annotated->nodes.size(), "its variations read back");
  return 0;
}
