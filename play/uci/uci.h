// The UCI protocol on a pair of streams: lets chess clients and match runners use the engine for every
// ruleset.
#pragma once

#include <atomic>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"
#include "nn/backend.h"
#include "play/engine/engine.h"
#include "play/played_game.h"
#include "play/uci/uci_go.h"
#include "play/uci/uci_options.h"

namespace makzero::play {

// What a session begins with.
struct UciSetup {
  std::string ruleset = "makruk";  // REQUIRES: it exists.
  // As models::parse_player() reads it; empty: auto; "none": no network. It is
  // loaded at "isready" or "go"; where it cannot be, an "info string" says why and "go" is answered by no
  // move.
  std::string player = {};
  nn::Backend backend = {};  // What Device and Precision start with.
  // UCI_Variant names the games and what chess clients know by name, not every ruleset: uci2wb misreads lines
  // from 256 characters on.
  bool short_variants = false;
};

// One session. Writes protocol lines only. A word that it does not know is named by an "info string" and left
// out, and so is a number out of range, for which the nearest stands: what is left of the line counts.
class Uci {
 public:
  Uci(std::istream& in, std::ostream& out, const UciSetup& setup);
  ~Uci();

  // Serves commands until "quit" or the end of the input. A search with a limit is finished before the next
  // one and at the end of the input, so that scripts get every answer.
  void run();

 private:
  struct Command {
    const char* name;
    void (Uci::*run)(const std::string& line);  // From the command's word on.
  };
  static const Command kCommands[];

  bool handle(const std::string& line);  // False at "quit".
  void on_uci(const std::string& line);
  void on_isready(const std::string& line);
  void begin_game(const std::string& line);
  void set_option(const std::string& line);
  void set_position(const std::string& line);
  void go(const std::string& line);
  void stop(const std::string& line);
  void on_ponderhit(const std::string& line);
  void describe(const std::string& line);
  void bench(const std::string& line);
  void ignore(const std::string&) {}  // What asks nothing of this program: debug, register.

  void set_variant(const std::string& ruleset);
  void start(const PlayedGame& game, const UciGo& go);
  void limit_strength(Limits* limits);
  void print_perft(int depth);
  void print_info(const PlayedGame& game, const SearchInfo& info);
  void print_answer(const PlayedGame& game, const SearchInfo& info);

  Engine* engine();  // Makes it when options have changed; none where WeightsFile cannot be loaded.
  models::PlayerSpec player() const;  // Of WeightsFile. Throws models::Error where there is none.
  std::vector<models::PlayerLevel> levels() const;
  void finish_search();  // Waits for a search that has a limit, stops one that has none.
  void drop_engine();    // After finish_search(); the next engine() has the new options.
  void send(const std::string& line);
  void info_string(const std::string& text);

  std::istream& in_;
  std::ostream& out_;
  std::mutex out_mutex_;  // The search thread writes too.

  game::GamePtr rules_;
  bool short_variants_;
  UciOptions options_;
  std::optional<PlayedGame> game_;  // None after an illegal position.
  std::unique_ptr<Engine> engine_;
  bool endless_ = false;         // The last search ends only by "stop" or "ponderhit".
  std::optional<UciGo> ponder_;  // What "ponderhit" makes of the search.
  std::optional<PlayedGame> pondered_;
  std::atomic<bool> mute_{false};  // The search that ends was a ponder hit: its answer is not told.
  std::uint64_t told_nodes_ = 0;   // Of the search's last info line; only its thread uses it.
};

}  // namespace makzero::play
