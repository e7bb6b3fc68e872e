// Any JSON either is refused with reasons or is a document that reads back from its JSON.
#include "play/json/document_json.h"
#include "play/json/game_json.h"
#include "tests/fuzz/fuzzed_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string& each : play::split_documents(text)) {
    const auto document = play::read_any_document(each, "");
    if (!document) {
      game::require(!document.why().empty(), "a refusal has a reason");
      continue;
    }
    const nlohmann::json json = play::document_json(*document);
    const auto again = play::read_any_document(play::json_text(json), "");
    game::require(again && again->nodes.size() == document->nodes.size() &&
                      again->game.actions() == document->game.actions() &&
                      again->game.outcome() == document->game.outcome(),
                  "a document reads back from its JSON");
  }
  return 0;
}
