#include "play/library/import.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "models/error.h"
#include "play/json/document_json.h"
#include "play/notation/document_reader.h"

namespace makzero::play {
namespace {

constexpr std::int64_t kTogether = 200;  // Games that are written at once.

void add_game(Library* library, const std::string& name, int number, const std::string& text,
              const std::string& ruleset, ImportResult* result) {
  const game::Parsed<GameDocument> document = read_any_document(text, ruleset);
  if (!document || document->game.actions().empty()) {
    const std::string why = !document ? document.why() : document->fault;
    result->skipped.push_back({number, why.empty() ? "it has no moves" : why});
    return;
  }
  ++result->read;
  if (!document->fault.empty()) result->cut_short.push_back({number, document->fault});
  library->add(*document, name) ? ++result->added : ++result->duplicates;
}

// Calls `kept` within each step of games that are written at once, with how many are done.
ImportResult import_games(Library* library, const std::string& name, const std::vector<std::string>& games,
                          std::int64_t first, const ImportOptions& options,
                          const std::function<void(std::int64_t done)>& kept) {
  ImportResult result;
  result.before = first;
  const auto of = static_cast<std::int64_t>(games.size());
  for (std::int64_t begin = first; begin < of && !options.stop.stop_requested(); begin += kTogether) {
    const std::int64_t end = std::min(begin + kTogether, of);
    library->together([&] {
      for (std::int64_t i = begin; i < end; ++i)
        add_game(library, name, static_cast<int>(i) + 1, games[i], options.ruleset, &result);
      kept(end);
    });
    if (options.progress) options.progress(end, of);
  }
  return result;
}

}  // namespace

ImportResult import_text(Library* library, const std::string& name, std::string_view text,
                         const ImportOptions& options, std::int64_t first) {
  return import_games(library, name, split_documents(document_text(text)), first, options,
                      [](std::int64_t) {});
}

ImportResult import_file(Library* library, const std::string& path, std::string_view text,
                         const ImportOptions& options) {
  const std::vector<std::string> games = split_documents(text);
  const std::string name = std::filesystem::absolute(path).lexically_normal();
  if (!std::filesystem::is_regular_file(path))  // A pipe: it has no size.
    return import_games(library, name, games, 0, options, [](std::int64_t) {});
  const auto changed = std::filesystem::last_write_time(path).time_since_epoch().count();
  const Library::FileState state = {static_cast<std::int64_t>(std::filesystem::file_size(path)), changed};
  const std::string source = options.ruleset.empty() ? name : name + " as " + options.ruleset;
  return import_games(library, name, games, library->imported(source, state), options,
                      [&](std::int64_t done) { library->set_imported(source, state, done); });
}

std::vector<std::string> game_files(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    const std::string extension = entry.path().extension();
    const bool holds_games = extension == ".pgn" || extension == ".txt" || extension == ".json";
    if (entry.is_regular_file() && holds_games) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw models::Error(path, "the folder holds no file of games: .pgn, .txt or .json");
  return files;
}

}  // namespace makzero::play
