// The UCI protocol on a pair of streams: lets chess clients and match runners use the engine for every
// ruleset.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"
#include "play/engine.h"
#include "play/played_game.h"

namespace makzero::play {

// One session. Writes protocol lines only; whatever it does not understand is answered by an "info string".
class Uci {
 public:
  // `player` as in EngineOptions; the network is loaded at "isready" or "go", and told as "info string" if it
  // cannot be. REQUIRES: the ruleset exists.
  Uci(std::istream& in, std::ostream& out, const std::string& ruleset, const std::string& player);
  ~Uci();

  // Serves commands until "quit" or the end of the input. A search with a limit is finished before the next
  // one and at the end of the input, so that scripts get every answer.
  void run();

 private:
  using Words = std::vector<std::string>;

  // One spin option: its range and what it sets.
  struct Spin {
    std::int64_t value, minimum, maximum;
  };

  // What "go" asks for.
  struct Go {
    Limits limits;
    std::optional<int> perft;
    bool hold = false;  // "infinite".
  };

  bool obey(const std::string& line);  // False at "quit".
  void introduce();
  void set_option(const Words& words);
  void set_variant(const std::string& ruleset);
  void set_position(const Words& words);
  void go(const Words& words);
  void describe();

  std::optional<Go> read_go(const Words& words);
  void answer_without_search();
  void print_perft(int depth);
  void print_thought(const PlayedGame& game, const Thought& thought);

  Engine* engine();      // Makes it when options have changed; falls back to no network, saying why.
  void finish_search();  // Waits for a search that has a limit, stops one that has none.
  void drop_engine();    // After finish_search(); the next engine() has the new options.
  void say(const std::string& line);
  void inform(const std::string& text) { say("info string " + text); }

  std::istream& in_;
  std::ostream& out_;
  std::mutex out_mutex_;  // The search thread writes too.

  game::GamePtr rules_;
  std::string weights_file_;
  std::map<std::string, Spin> spins_;
  std::optional<PlayedGame> game_;  // None after an illegal position.
  std::unique_ptr<Engine> engine_;
  bool unlimited_ = false;        // The last search ends only by "stop".
  std::uint64_t told_nodes_ = 0;  // Of the search's last info line; only its thread uses it.
};

}  // namespace makzero::play
