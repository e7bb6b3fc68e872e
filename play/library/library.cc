#include "play/library/library.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/position.h"
#include "models/error.h"
#include "models/file_io.h"
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"

namespace makzero::play {
namespace {

constexpr std::int64_t kVersion = 1;

// `moves`: the move of each position of the main line, -1 behind the last; a row of a position that a game
// repeats stands once for each time.
constexpr const char* kSchema = R"(
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
CREATE TABLE IF NOT EXISTS games (
  id INTEGER PRIMARY KEY, ruleset TEXT NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL, date TEXT NOT NULL,
  event TEXT NOT NULL, site TEXT NOT NULL, result TEXT NOT NULL, plies INTEGER NOT NULL, file TEXT NOT NULL,
  reviewed INTEGER NOT NULL DEFAULT 0, accuracy_white INTEGER NOT NULL DEFAULT 0,
  accuracy_black INTEGER NOT NULL DEFAULT 0, identity INTEGER NOT NULL UNIQUE, document TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS games_by_date ON games (date);
CREATE TABLE IF NOT EXISTS positions (
  position INTEGER NOT NULL, game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, ply INTEGER NOT NULL,
  move INTEGER NOT NULL, PRIMARY KEY (position, game, ply)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS positions_by_game ON positions (game);
CREATE TABLE IF NOT EXISTS files (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL, games INTEGER NOT NULL) WITHOUT ROWID;
)";

// FNV-1a, 64 bits: what the file says must not depend on a library's version.
class Hash {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    value_ = (value_ ^ 0xFF) * 0x100000001B3u;  // The end of a part.
  }
  std::int64_t value() const { return static_cast<std::int64_t>(value_); }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

std::int64_t identity_of(const GameDocument& document) {
  const PlayedGame& game = document.game;
  Hash hash;
  hash.add(game.rules().info().ruleset);
  hash.add(game::position_text(game.rules(), game.start()));
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) hash.add(action_text(game, i));
  for (const char* tag : {"White", "Black", "Date"}) hash.add(document.tags.value(tag, "?"));
  return hash.value();
}

std::int64_t position_key(const game::Position& position) {
  return static_cast<std::int64_t>(game::repetition_key(position));
}

// A date with full stops, as PGN has it; many files have hyphens.
std::string dotted(std::string date) {
  std::ranges::replace(date, '-', '.');
  return date;
}

// The text with '%' and '_' as they are, within any other.
std::string like(const std::string& text) {
  std::string pattern = "%";
  for (const char c : text) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

// The condition of a filter and its values.
struct Where {
  std::string sql = "1";
  std::vector<SqlValue> values = {};

  void add(const std::string& condition, std::vector<SqlValue> more) {
    sql += " AND " + condition;
    values.insert(values.end(), more.begin(), more.end());
  }
};

Where condition_of(const LibraryFilter& filter) {
  Where where;
  if (!filter.ids.empty()) {
    std::string places;
    for (size_t i = 0; i < filter.ids.size(); ++i) places += i == 0 ? "?" : ",?";
    where.add("id IN (" + places + ")", {filter.ids.begin(), filter.ids.end()});
  }
  if (!filter.player.empty()) {
    const std::string pattern = like(filter.player);
    where.add("(white LIKE ? ESCAPE '\\' OR black LIKE ? ESCAPE '\\')", {pattern, pattern});
  }
  if (!filter.ruleset.empty()) {  // With its options too.
    where.add("(ruleset = ? OR ruleset LIKE ? ESCAPE '\\')",
              {filter.ruleset, like(filter.ruleset + ":").substr(1)});
  }
  if (!filter.result.empty()) where.add("result = ?", {filter.result});
  if (!filter.from.empty())  // Where the date is known.
    where.add("replace(date, '-', '.') >= ? AND date NOT LIKE '?%'", {dotted(filter.from)});
  if (!filter.to.empty())  // The whole of a year or month.
    where.add("replace(date, '-', '.') <= ?", {dotted(filter.to) + "~"});
  if (!filter.text.empty()) {
    const std::string pattern = like(filter.text);
    where.add("(event || ' ' || site || ' ' || white || ' ' || black || ' ' || file) LIKE ? ESCAPE '\\'",
              {pattern});
  }
  if (filter.position)
    where.add("id IN (SELECT game FROM positions WHERE position = ?)", {position_key(*filter.position)});
  return where;
}

const char* order_of(const std::string& sort) {
  static constexpr std::pair<std::string_view, const char*> kOrders[] = {
      {"date", "date DESC, id DESC"},
      {"white", "white COLLATE NOCASE, id"},
      {"black", "black COLLATE NOCASE, id"},
      {"result", "result, id"},
      {"plies", "plies DESC, id"}};
  for (const auto& [name, order] : kOrders) {
    if (name == sort) return order;
  }
  return "id DESC";
}

std::int64_t version_of(Database* database) {
  Statement version = database->query("PRAGMA user_version");
  return version.step() ? version.number(0) : 0;
}

std::filesystem::path file_in(const std::filesystem::path& folder) { return folder / "library.sqlite"; }

std::filesystem::path file_in_made(const std::filesystem::path& folder) {
  models::make_folder(folder);
  return file_in(folder);
}

}  // namespace

Library::Library(const std::filesystem::path& folder) : database_(file_in_made(folder)) {
  if (version_of(&database_) > kVersion)
    throw models::Error(file_in(folder), "the library was made by a newer version: update makzero");
  database_.run_script(kSchema);
  database_.run_script(("PRAGMA user_version = " + std::to_string(kVersion)).c_str());
}

bool Library::is_at(const std::filesystem::path& folder) { return std::filesystem::exists(file_in(folder)); }

std::optional<std::int64_t> Library::add(const GameDocument& document, const std::string& file) {
  const std::lock_guard lock(mutex_);
  const PlayedGame& game = document.game;
  const Tags& tags = document.tags;
  database_.run(
      "INSERT OR IGNORE INTO games (ruleset, white, black, date, event, site, result, plies, file, identity, "
      "document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      {game.rules().info().ruleset, tags.value("White", "?"), tags.value("Black", "?"),
       tags.value("Date", "?"), tags.value("Event", "?"), tags.value("Site", "?"),
       std::string(game::result_text(game.outcome().result)),
       static_cast<std::int64_t>(game.actions().size()), file, identity_of(document), game_text(document)});
  if (database_.changes() == 0) return std::nullopt;
  const std::int64_t id = database_.last_id();
  const int last = static_cast<int>(game.actions().size());
  for (int i = 0; i <= last; ++i) {
    if (i < last && game.actions()[i].declaration) continue;
    const std::int64_t move = i < last ? game.actions()[i].move.bits() : -1;
    database_.run("INSERT INTO positions VALUES (?, ?, ?, ?)",
                  {position_key(game.position_before(i)), id, std::int64_t{i}, move});
  }
  return id;
}

LibraryPage Library::list(const LibraryFilter& filter) {
  const std::lock_guard lock(mutex_);
  Where where = condition_of(filter);
  LibraryPage page;
  Statement total = database_.query("SELECT count(*) FROM games WHERE " + where.sql, where.values);
  if (total.step()) page.total = total.number(0);
  where.values.insert(where.values.end(), {filter.limit, filter.offset});
  Statement rows = database_.query(
      "SELECT id, ruleset, white, black, date, event, result, file, plies, reviewed, accuracy_white, "
      "accuracy_black FROM games WHERE " +
          where.sql + " ORDER BY " + order_of(filter.sort) + " LIMIT ? OFFSET ?",
      where.values);
  while (rows.step()) {
    page.games.push_back(
        {.id = rows.number(0),
         .ruleset = rows.text(1),
         .white = rows.text(2),
         .black = rows.text(3),
         .date = rows.text(4),
         .event = rows.text(5),
         .result = rows.text(6),
         .file = rows.text(7),
         .plies = rows.number(8),
         .reviewed = rows.number(9) != 0,
         .accuracy = {static_cast<int>(rows.number(10)), static_cast<int>(rows.number(11))}});
  }
  return page;
}

std::optional<GameDocument> Library::game(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  Statement row = database_.query("SELECT document FROM games WHERE id = ?", {id});
  if (!row.step()) return std::nullopt;
  const game::Parsed<GameDocument> document = read_document(row.text(0));
  if (!document) throw models::Error("library", "game " + std::to_string(id) + ": " + document.why());
  return *document;
}

void Library::set_review(std::int64_t id, const GameDocument& document, int white_accuracy,
                         int black_accuracy) {
  const std::lock_guard lock(mutex_);
  database_.run(
      "UPDATE games SET document = ?, reviewed = 1, accuracy_white = ?, accuracy_black = ? WHERE id = ?",
      {game_text(document), std::int64_t{white_accuracy}, std::int64_t{black_accuracy}, id});
}

std::int64_t Library::remove(const std::vector<std::int64_t>& ids) {
  const std::lock_guard lock(mutex_);
  if (ids.empty()) return 0;
  const Where where = condition_of({.ids = ids});
  database_.run("DELETE FROM games WHERE " + where.sql, where.values);
  return database_.changes();
}

std::vector<ExploredMove> Library::moves(const std::string& ruleset, const game::Position& position) {
  const std::lock_guard lock(mutex_);
  Statement rows = database_.query(
      "SELECT move, sum(result = '1-0'), sum(result = '1/2-1/2'), sum(result = '0-1'), sum(result = '*'), "
      "count(*) AS played FROM positions JOIN games ON games.id = positions.game "
      "WHERE position = ? AND ruleset = ? AND move >= 0 GROUP BY move ORDER BY played DESC, move",
      {position_key(position), ruleset});
  std::vector<ExploredMove> moves;
  while (rows.step()) {
    moves.push_back({.move = game::Move::from_bits(static_cast<std::uint32_t>(rows.number(0))),
                     .white = rows.number(1),
                     .draws = rows.number(2),
                     .black = rows.number(3),
                     .open = rows.number(4)});
  }
  return moves;
}

std::int64_t Library::imported(const std::string& file, const FileState& state) {
  const std::lock_guard lock(mutex_);
  Statement row = database_.query("SELECT games FROM files WHERE path = ? AND size = ? AND changed = ?",
                                  {file, state.size, state.changed});
  return row.step() ? row.number(0) : 0;
}

void Library::set_imported(const std::string& file, const FileState& state, std::int64_t games) {
  const std::lock_guard lock(mutex_);
  database_.run("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", {file, state.size, state.changed, games});
}

}  // namespace makzero::play
