// C interface: game documents.
#include <algorithm>
#include <string>
#include <vector>

#include "play/embed/handles.h"
#include "play/json/document_json.h"
#include "play/notation/document_reader.h"

using namespace makzero::play::embed;  // NOLINT: the functions of this file are its interface.

namespace play = makzero::play;

namespace {

std::vector<std::string> games_in(const char* text, size_t size) {
  return play::split_documents(play::document_text({&needed(text, "text"), size}));
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }

}  // namespace

int makzero_document_count(const char* text, size_t size) {
  return guarded([&] { return static_cast<int>(games_in(text, size).size()); });
}

makzero_document* makzero_document_read(const char* text, size_t size, int number, const char* ruleset) {
  return guarded_pointer([&] {
    const std::vector<std::string> games = games_in(text, size);
    if (number < 0 || number >= static_cast<int>(games.size()))
      refuse("game " + std::to_string(number) + " is not among the " + std::to_string(games.size()) +
             " of the text");
    return new makzero_document{
        value_of(play::read_any_document(games[number], ruleset == nullptr ? "" : ruleset))};
  });
}

makzero_document* makzero_document_new(const makzero_position* position) {
  return guarded_pointer(
      [&] { return new makzero_document{play::GameDocument(needed(position, "position").game)}; });
}

void makzero_document_free(makzero_document* document) { delete document; }

makzero_position* makzero_document_position(const makzero_document* document) {
  return guarded_pointer([&] { return new makzero_position{needed(document, "document").document.game}; });
}

int makzero_document_fault(const makzero_document* document, char* text, size_t size) {
  return guarded([&] { return write_text(needed(document, "document").document.fault, text, size); });
}

int makzero_document_tag(const makzero_document* document, const char* name, char* text, size_t size) {
  return guarded([&] {
    return write_text(needed(document, "document").document.tags.value(needed_text(name, "name")), text,
                      size);
  });
}

int makzero_document_set_tag(makzero_document* document, const char* name, const char* value) {
  return guarded([&] {
    play::Tags& tags = needed(document, "document").document.tags;
    const std::string word = needed_text(name, "name"), text = needed_text(value, "value");
    const auto in_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (word.empty() || !std::all_of(word.begin(), word.end(), in_word))
      throw Refusal(MAKZERO_BAD_INPUT, "the name of a tag must be letters, digits and '_'");
    if (std::any_of(text.begin(), text.end(), is_control))
      throw Refusal(MAKZERO_BAD_INPUT, "the value of a tag must be one line without control characters");
    tags.set(word, text);
    return static_cast<int>(MAKZERO_OK);
  });
}

int makzero_document_write(const makzero_document* document, const char* format, char* text, size_t size) {
  return guarded([&] {
    const play::GameDocument& own = needed(document, "document").document;
    return write_text(value_of(play::write_document(own, needed_text(format, "format"))), text, size);
  });
}
