// Any text either is refused with reasons or is a document that reads back from each of its forms.
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"
#include "tests/fuzz/fuzzed_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero;
  const std::string text = play::document_text({reinterpret_cast<const char*>(data), size});
  const auto document = play::read_document(play::split_games(text).front());
  if (!document) {
    game::require(!document.why().empty(), "a refusal has a reason");
    return 0;
  }
  const play::PlayedGame& game = document->game;
  for (const std::string& written :
       {play::game_pgn(*document), play::game_pgn(*document, play::Notation::kPlayOk),
        play::game_text(*document)}) {
    const auto again = play::read_document(written);
    game::require(again && again->game.actions() == game.actions() &&
                      again->game.position() == game.position() && again->game.outcome() == game.outcome(),
                  "a game reads back from its text");
    game::require(again->nodes.size() == document->nodes.size(), "its variations read back");
  }
  return 0;
}
