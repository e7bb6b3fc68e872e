// File of reviewed games that grows game by game, so that an interruption loses the game in work alone.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "models/file_io.h"
#include "play/notation/game_document.h"

namespace makzero::play {

// Where a reviewed game is from.
struct ReviewSource {
  std::string file;
  int number = 1;  // In the file, from 1.

  std::string text() const { return file + " #" + std::to_string(number); }  // The tag "ReviewOf".
};

// Games are appended to OUTPUT.partial, each with the tags Annotator and ReviewOf; what is there at the
// beginning is gone on with, but for a last game that was cut off. finish() gives it its name. Throws
// models::Error where files fail.
class ReviewJournal {
 public:
  // `output` may be empty: nothing is kept.
  explicit ReviewJournal(std::filesystem::path output);

  bool holds(const ReviewSource& source) const { return sources_.contains(source.text()); }

  // The game is on disk when this returns.
  void append(const ReviewSource& source, const std::string& annotator, GameDocument document);

  void finish();

 private:
  void resume();

  std::filesystem::path output_, partial_;
  std::set<std::string> sources_;
};

}  // namespace makzero::play
