// Library of games: documents in one SQLite file, found by players, date, game, result and position.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "game/parsed.h"
#include "play/library/database.h"
#include "play/notation/game_document.h"

namespace makzero::play {

// Which games are wanted; what is empty is not asked.
struct LibraryFilter {
  std::vector<std::int64_t> ids = {};
  std::string player = {}, ruleset = {}, result = {};  // Parts of White's or Black's name; "makruk"; "1-0".
  std::string from = {}, to = {};                      // Dates, "2025.01.31".
  std::string text = {};                               // In event, site, players or file.
  std::optional<game::Position> position = {};         // That occurs in the game.
  std::string sort = "added";                          // Or "date", "white", "black", "result", "plies".
  std::int64_t offset = 0, limit = 50;
};

struct LibraryGame {
  std::int64_t id = 0;
  std::string ruleset, white, black, date, event, result, file;
  std::int64_t plies = 0;
  bool reviewed = false;
  int accuracy[2] = {0, 0};  // Of White and Black, in percent, of a reviewed game.
};

struct LibraryPage {
  std::int64_t total = 0;
  std::vector<LibraryGame> games = {};
};

// A move of a position with the results of its games.
struct ExploredMove {
  game::Move move = game::Move::pass();
  std::int64_t white = 0, draws = 0, black = 0, open = 0;  // Games by result; `open`: without one.

  std::int64_t count() const { return white + draws + black + open; }
};

// Thread-safe. Failures of the file throw models::Error.
class Library {
 public:
  // Opens FOLDER/library.sqlite; both are created where they are missing.
  explicit Library(const std::filesystem::path& folder);
  static bool is_at(const std::filesystem::path& folder);  // True if the folder holds one.

  // The id of a game that was added; none of one that is there already: the same moves, players and date.
  std::optional<std::int64_t> add(const GameDocument& document, const std::string& file);

  LibraryPage list(const LibraryFilter& filter);

  // The document of a game; none where there is none of that id.
  std::optional<GameDocument> game(std::int64_t id);

  // Replaces the document of a game that was reviewed.
  void set_review(std::int64_t id, const GameDocument& document, int white_accuracy, int black_accuracy);

  // The number of games that were removed.
  std::int64_t remove(const std::vector<std::int64_t>& ids);

  // The moves that were played from a position under a ruleset, most often first.
  std::vector<ExploredMove> moves(const std::string& ruleset, const game::Position& position);

  // How many games of a file are imported, as it was then; 0 where it has changed since.
  struct FileState {
    std::int64_t size = 0, changed = 0;  // Bytes; time of the last change.

    bool operator==(const FileState&) const = default;
  };
  std::int64_t imported(const std::string& file, const FileState& state);
  void set_imported(const std::string& file, const FileState& state, std::int64_t games);

  // Runs changes as one, which is faster and keeps all of them or none.
  template <class Changes>
  void together(Changes changes) {
    const std::lock_guard lock(mutex_);
    Transaction transaction(&database_);
    changes();
    transaction.commit();
  }

 private:
  std::recursive_mutex mutex_;
  Database database_;
};

}  // namespace makzero::play
