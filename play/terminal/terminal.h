// A game on the terminal: a person, or two, against the engine. Commands and moves are lines of text.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "play/engine/engine.h"
#include "play/played_game.h"
#include "play/terminal/board_view.h"
#include "play/terminal/line_reader.h"

namespace makzero::play {

struct TerminalOptions {
  bool human[2] = {true, false};    // Who moves for White and for Black.
  Limits limits = {};               // Of the engine per move.
  std::string opponent = {};        // For people; empty: the engine's own description.
  std::filesystem::path keep = {};  // Where the game is kept after every move; empty: nowhere.
  Interrupt interrupt = {};         // Stops a thought of the engine.
  BoardStyle style = {};
};

// Reads until "quit" or the end of the input: a script can be piped in.
class Terminal {
 public:
  // Reader, stream and engine must outlive it.
  Terminal(LineReader* lines, std::ostream& out, Engine* engine, PlayedGame game,
           const TerminalOptions& options);

  void run();

 private:
  struct Command {
    const char* name;
    const char* argument;
    const char* help;
    void (Terminal::*run)(const std::string& argument);
  };
  static const Command kCommands[];

  bool human_moves() const { return options_.human[game::index(game_.position().to_move)]; }
  std::optional<game::Color> person() const;
  const game::Outcome& outcome() const { return game_.outcome(); }

  std::string t(const char* english, const MessageValues& values = {}) const;  // In the style's language.
  std::string side() const;                                                    // That is to move.
  void handle(const std::string& line);
  void play_text(const std::string& text);
  void play_engine_move();
  std::optional<SearchInfo> think(const PlayedGame& game);
  bool interrupted() const { return options_.interrupt && options_.interrupt(); }
  std::optional<std::string> read_line(LineQuestion question);
  std::vector<std::string> first_words() const;
  bool ask(const std::string& question);
  void declare(game::Declaration declaration);
  void declare_for_engine();
  void keep() const;
  void show();
  void show_move(int action);
  std::string written(const PlayedGame& game, game::Move move) const;

  void help(const std::string& argument);
  void show_rules(const std::string& argument);
  void hint(const std::string& argument);
  void undo(const std::string& argument);
  void flip(const std::string& argument);
  void list_moves(const std::string& argument);
  void show_board(const std::string& argument);
  void start_count(const std::string& argument);
  void stop_count(const std::string& argument);
  void save(const std::string& argument);
  void resign(const std::string& argument);
  void go(const std::string& argument);
  void quit(const std::string& argument);

  LineReader* lines_;
  std::ostream& out_;
  Engine* engine_;
  PlayedGame game_;
  TerminalOptions options_;
  std::optional<mcts::WhiteValue> expectation_;  // Of the engine's last move.
  bool waiting_ = false;  // The engine is to move and has been stopped: "go" lets it think.
  bool quit_ = false;
};

// The rules with declared counts where the person who is asked wants them so. The rules as they are where
// nothing is counted before a bare king, or where `spec`, which made them, says how it is.
game::GamePtr ask_who_counts(const game::GamePtr& rules, const std::string& spec, LineReader* lines,
                             const Language& language);

}  // namespace makzero::play
