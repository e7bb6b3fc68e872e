// makzero library: imports, lists and exports games, and shows the moves of a position.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/printable.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/json/document_json.h"
#include "play/language.h"
#include "play/library/import.h"
#include "play/library/library.h"
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"
#include "train/replay/game_replay.h"
#include "train/replay/shard_index.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

constexpr int kFailed = 1;
constexpr std::size_t kShownFaults = 20;
constexpr const char* kSelfPlayTags = "[Event \"self-play\"]\n[White \"makzero\"]\n[Black \"makzero\"]\n";

struct Options {
  std::string folder;
  std::vector<std::string> import;
  LibraryFilter filter;
  std::string game, position, output, to = "pgn";
  bool moves = false;
  Notation notation = Notation::kLetters;
};

void print_faults(const std::string& file, const std::vector<ImportFault>& faults, const char* what) {
  for (std::size_t i = 0; i < std::min(faults.size(), kShownFaults); ++i)
    std::cout << file << " #" << faults[i].number << ": " << what << ": "
              << models::printable_excerpt(faults[i].why) << "\n";
  if (faults.size() > kShownFaults) std::cout << "... and " << faults.size() - kShownFaults << " more\n";
}

// A file of games, or a shard of a run.
struct Source {
  std::string file;
  bool is_shard = false;
};

// Sources that a path names: the shards of a run, the files of a folder, or a file.
std::vector<Source> sources_of(const std::string& path) {
  const std::filesystem::path run = path;
  std::vector<Source> sources;
  if (!std::filesystem::exists(run / "config.textproto")) {
    for (const std::string& file : game_files(path)) sources.push_back({file});
    return sources;
  }
  for (const char* games : {"replay", "small"}) {  // Of the tower, and of the small networks.
    if (!std::filesystem::exists(run / games)) continue;
    for (const train::Shard& shard : train::list_shards(run / games)) sources.push_back({shard.path, true});
  }
  return sources;
}

// The games of a shard of self-play as files have them.
std::string shard_text(const std::filesystem::path& shard) {
  models::Recovery recovery;
  std::string text;
  for (const auto& record : train::read_shard(shard, &recovery)) {
    const auto rules = game::make_game(record->ruleset());
    if (rules) text += kSelfPlayTags + train::game_text(**rules, *record);
  }
  return text;
}

// Its games as files have them. Throws models::Error where it cannot be read.
std::string text_of(const Source& source) {
  if (source.is_shard) return shard_text(source.file);
  return document_text(models::read_given_text(source.file));
}

// Imports a source, and says what of it cannot be read. False where something was skipped.
bool import_source(const Source& source, const ImportOptions& options, Library* library, ImportResult* all) {
  std::string text;
  try {
    text = text_of(source);
  } catch (const models::Error& error) {
    std::cout << "skipped: " << models::printable_excerpt(error.what()) << "\n";
    return false;
  }
  const ImportResult result = import_file(library, source.file, text, options);
  all->read += result.read;
  all->added += result.added;
  all->duplicates += result.duplicates;
  all->before += result.before;
  print_faults(source.file, result.skipped, "skipped");
  print_faults(source.file, result.cut_short, "read up to a fault");
  return result.skipped.empty();
}

// False where something was skipped, or it was stopped.
bool import(const Options& options, Library* library) {
  const std::stop_token stop = stop_on_interrupt("\nstopping: the same command goes on\n");
  ImportResult all;
  bool whole = true;
  for (const std::string& path : options.import) {
    for (const Source& source : sources_of(path)) {
      train::ProgressLine line;
      const auto show = [&](std::int64_t done, std::int64_t of) {
        line.show(source.file + ": " + std::to_string(done) + " of " + std::to_string(of) + " games");
      };
      const ImportOptions import = {.ruleset = options.game, .progress = show, .stop = stop};
      whole = import_source(source, import, library, &all) && whole;
    }
  }
  std::cout << all.read << " games read, " << all.added << " added, " << all.duplicates
            << " were there already";
  if (all.before > 0)
    std::cout << "; " << all.before << " were imported before, their files are as they were";
  std::cout << "\n";
  return whole && !stop.stop_requested();
}

// --position under --game; the start of the game where it is "start".
game::Position asked_position(const Options& options) {
  if (options.game.empty()) throw UsageError("--position and --moves need --game GAME");
  const game::GamePtr rules = game_or_usage_error(options.game);
  if (options.position.empty() || options.position == "start") return rules->initial();
  return value_or_usage_error(game::parse_position(*rules, options.position), "--position: ");
}

void print_moves(const Options& options, Library* library) {
  const game::Position& position = *options.filter.position;
  const game::GamePtr rules = game_or_usage_error(options.game);
  const std::vector<ExploredMove> moves = library->moves(rules->info().ruleset, position);
  std::cout << "move        games   White   draws   Black\n";
  for (const ExploredMove& move : moves) {
    print(std::cout, "%-9s %7lld %7lld %7lld %7lld\n",
          written_move(*rules, position, move.move, options.notation).c_str(),
          static_cast<long long>(move.count()), static_cast<long long>(move.white),
          static_cast<long long>(move.draws), static_cast<long long>(move.black));
  }
}

void print_list(const LibraryPage& page) {
  for (const LibraryGame& game : page.games) {
    const std::string line = padded(game.date, 11) + " " + padded(game.ruleset, 15) + " " +
                             padded(game.white, 25) + " " + padded(game.black, 25) + " " +
                             padded(game.result, 8);
    print(std::cout, "%6lld  %s %4lld plies%s\n", static_cast<long long>(game.id), line.c_str(),
          static_cast<long long>(game.plies), game.reviewed ? "  reviewed" : "");
  }
  std::cout << page.games.size() << " of " << page.total << " games\n";
}

void write_games(const Options& options, Library* library) {
  const LibraryPage page = library->list(options.filter);
  std::string text;
  nlohmann::json list = nlohmann::json::array();
  for (const LibraryGame& game : page.games) {
    const std::optional<GameDocument> document = library->game(game.id);
    if (!document) continue;
    if (options.to == "json") list.push_back(document_json(*document));
    if (options.to == "pgn") text += (text.empty() ? "" : "\n") + game_pgn(*document, options.notation);
  }
  if (options.to == "json") text = list.dump(1) + "\n";
  models::write_text_file(options.output, text);
  std::cout << page.games.size() << " games written to " << options.output << "\n";
}

// A year, month or day, with full stops or hyphens.
bool is_date(const std::string& text) {
  static const std::regex kForm(R"(\d{4}([.-](0[1-9]|1[0-2])([.-](0[1-9]|[12]\d|3[01]))?)?)");
  return std::regex_match(text, kForm);
}

int run_library(const Options& given) {
  Options options = given;
  if (options.moves && !options.output.empty())
    throw UsageError("--moves prints a table; --output writes games: give one of them");
  options.filter.ruleset = options.game.empty() ? "" : game_or_usage_error(options.game)->info().ruleset;
  if (options.moves || !options.position.empty()) options.filter.position = asked_position(options);
  if (!options.output.empty()) {
    models::require_place(options.output);
    options.filter.limit = INT64_MAX;
  }
  if (options.import.empty() && !Library::is_at(options.folder))
    throw models::Error(options.folder, "holds no library of games; --import PATH makes one");
  Library library(options.folder);
  const bool whole = options.import.empty() || import(options, &library);
  if (options.moves)
    print_moves(options, &library);
  else if (!options.output.empty())
    write_games(options, &library);
  else if (options.import.empty())
    print_list(library.list(options.filter));
  return whole ? 0 : kFailed;
}

}  // namespace

Run add_library(CLI::App* app) {
  auto options = std::make_shared<Options>();
  LibraryFilter& filter = options->filter;
  app->add_option("DIR", options->folder, "Folder of the library; --import makes it")
      ->required()
      ->type_name("");
  app->add_option("--import", options->import, "Files or folders of games to add: PGN, text, JSON; or runs")
      ->type_name("PATH");
  app->add_option("--player", filter.player, "Part of White's or Black's name")->type_name("NAME");
  app->add_option("--game", options->game, "Ruleset; of imported files that do not name it, too")
      ->type_name("GAME");
  app->add_option("--result", filter.result, "1-0, 0-1, 1/2-1/2 or *")
      ->type_name("RESULT")
      ->check(one_of({"1-0", "0-1", "1/2-1/2", "*"}));
  const CLI::Validator date = wanted("a date: 2025, 2025.01 or 2025.01.31", is_date);
  app->add_option("--from", filter.from, "First date: 2025, 2025.01 or 2025.01.31")
      ->type_name("DATE")
      ->check(date);
  app->add_option("--until", filter.to, "Last date")->type_name("DATE")->check(date);
  app->add_option("--text", filter.text, "Part of event, site, players or file")->type_name("TEXT");
  app->add_option("--position", options->position, "Position that occurs in the game, or: start")
      ->type_name("FEN");
  app->add_option("--sort", filter.sort, "added, date, white, black, result or plies (added)")
      ->type_name("KEY")
      ->check(one_of({"added", "date", "white", "black", "result", "plies"}));
  add_number(app, "--limit", &filter.limit, "Most games that are listed (50)", std::int64_t{1},
             std::int64_t{1} << 40);
  app->add_flag("--moves", options->moves,
                "Moves of the position with how often and results instead of games");
  app->add_option("--output", options->output, "Write the games to a file")->type_name("FILE");
  app->add_option("--to", options->to, "Form of that file: pgn, in --notation, or json (pgn)")
      ->type_name("FORM")
      ->check(one_of({"pgn", "json"}));
  add_notation(app, &options->notation);
  app->footer(
      "An import that was interrupted goes on; games that are there already are not added again.\n\n"
      "Examples:\n"
      "  makzero library games --import downloads/ runs/makruk\n"
      "  makzero library games --player somchai --output somchai.pgn\n"
      "  makzero library games --game makruk --moves");
  return [options] { return run_library(*options); };
}

}  // namespace makzero::play
