// A finished or unfinished game, looked at move by move on the terminal.
#pragma once

#include <iosfwd>
#include <string>

#include "play/played_game.h"
#include "play/terminal/board_view.h"

namespace makzero::play {

class Replay {
 public:
  // Streams must outlive it.
  Replay(std::istream& in, std::ostream& out, const PlayedGame& game, const BoardStyle& style);

  // Reads commands until "quit" or the end of the input: next, back, to N, end, board, moves, flip.
  void run();

  // Every position from the start to the end, without questions.
  void show_all();

 private:
  void handle(const std::string& line);
  void go_to(int action);
  void show();
  void list_moves();
  std::string t(const char* english, const MessageValues& values = {}) const;  // In the style's language.

  std::istream& in_;
  std::ostream& out_;
  PlayedGame game_;
  PlayedGame shown_;  // The game up to the action that is looked at.
  BoardStyle style_;
  bool quit_ = false;
};

}  // namespace makzero::play
