// File of reviewed games that grows game by game, so that an interruption loses the game in work alone.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/file_io.h"
#include "play/notation/game_document.h"

namespace makzero::play {

// Where a reviewed game is from.
struct ReviewSource {
  std::string file;
  int number = 1;  // In the file, from 1.

  std::string text() const { return file + " #" + std::to_string(number); }  // The tag "ReviewOf".
};

// Games are appended to OUTPUT.partial (of a link beside what it leads to), each with the tags Annotator and
// ReviewOf; what is there at the beginning is gone on with, but for a last game that was cut off. finish()
// gives it its name. Throws models::Error where files fail.
class ReviewJournal {
 public:
  // `output` may be empty: nothing is kept.
  explicit ReviewJournal(const std::filesystem::path& output);

  // Throws Error where it holds a game of another file than these.
  void require_of(const std::vector<std::string>& files) const;

  // True if it held that game at the beginning. Throws Error where its moves or its annotator are others.
  bool holds(const ReviewSource& source, const std::string& annotator, const GameDocument& document) const;

  // The game is on disk when this returns. `document`: with its review, and its tags as they were.
  void append(const ReviewSource& source, const std::string& annotator, GameDocument document);

  void finish();

 private:
  struct Kept {
    std::string annotator;
    std::size_t moves = 0;  // A hash of them.
  };

  void resume();
  [[noreturn]] void refuse(const std::string& what) const;

  std::filesystem::path output_, partial_;
  std::map<std::string, Kept> kept_;  // Of earlier calls, by the text of its source.
};

}  // namespace makzero::play
