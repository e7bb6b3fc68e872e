#include "play/replay.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>
#include <vector>

#include "game/notation.h"
#include "play/outcome_view.h"

namespace makzero::play {
namespace {

constexpr const char* kHelp = "next (or an empty line), back, to N, end, board, moves, flip, quit\n";

PlayedGame start_of(const PlayedGame& game) { return {game.rules_pointer(), game.start()}; }

}  // namespace

Replay::Replay(std::istream& in, std::ostream& out, const PlayedGame& game, const BoardStyle& style)
    : in_(in), out_(out), game_(game), shown_(start_of(game)), style_(style) {}

void Replay::run() {
  out_ << game_.rules().info().ruleset << ", " << game_.actions().size() << " moves. Commands: " << kHelp;
  show();
  while (!quit_) {
    out_ << shown_.actions().size() << " of " << game_.actions().size() << " > " << std::flush;
    std::string line;
    if (!std::getline(in_, line)) break;
    obey(line);
  }
  out_ << "\n";
}

void Replay::show_all() {
  for (int i = 0; i <= static_cast<int>(game_.actions().size()); ++i) go_to(i);
}

void Replay::obey(const std::string& line) {
  const int here = static_cast<int>(shown_.actions().size()), last = static_cast<int>(game_.actions().size());
  std::istringstream words(line);
  std::string name;
  words >> name;
  if (name.empty() || name == "next" || name == "n") {
    if (here == last) out_ << "the game ends here\n";
    if (here < last) go_to(here + 1);
  } else if (name == "back" || name == "b") {
    if (here == 0) out_ << "the game begins here\n";
    if (here > 0) go_to(here - 1);
  } else if (name == "to") {
    int number = 0;
    if (!(words >> number) || number < 0 || number > last) {
      out_ << "write 'to N' with a number of moves from 0 to " << last << "\n";
    } else {
      go_to(number);
    }
  } else if (name == "end") {
    go_to(last);
  } else if (name == "board") {
    show();
  } else if (name == "moves") {
    list_moves();
  } else if (name == "flip") {
    style_.flipped = !style_.flipped;
    show();
  } else if (name == "quit" || name == "q") {
    quit_ = true;
  } else {
    const std::string near =
        game::nearest_name(name, {"next", "back", "to", "end", "board", "moves", "flip", "quit"});
    out_ << "unknown command '" << name << "'" << (near.empty() ? "" : ": did you mean '" + near + "'?")
         << "\n"
         << kHelp;
  }
}

void Replay::go_to(int action) {
  if (action < static_cast<int>(shown_.actions().size())) shown_ = start_of(game_);
  while (static_cast<int>(shown_.actions().size()) < action) {
    const Action& next = game_.actions()[shown_.actions().size()];
    if (next.claim) {
      shown_.make_claim(*next.claim);
    } else {
      shown_.play(next.move);
    }
  }
  const bool at_end = shown_.actions().size() == game_.actions().size();
  if (at_end && game_.ended()) shown_.end(*game_.ended());
  show();
}

void Replay::show() {
  const int last = static_cast<int>(shown_.actions().size()) - 1;
  out_ << "\n";
  if (last >= 0) {
    out_ << last + 1 << ". " << side_name(shown_.position_before(last).to_move) << " "
         << (shown_.actions()[last].claim ? "declares " : "plays ")
         << written_action(shown_, last, style_.notation);
    const Captured captured = captured_by(shown_, last);
    if (captured.squares) out_ << " and takes " << captured.letters;
    out_ << "\n";
  }
  out_ << draw_board(shown_, style_) << describe_state(shown_);
  const game::Outcome outcome = shown_.outcome();
  if (outcome.over()) {
    out_ << outcome_sentence(shown_, outcome, std::nullopt) << "\n";
  }
}

void Replay::list_moves() {
  for (int i = 0; i < static_cast<int>(game_.actions().size()); ++i) {
    out_ << i + 1 << "." << written_action(game_, i, style_.notation) << (i % 10 == 9 ? "\n" : " ");
  }
  out_ << "\n";
}

}  // namespace makzero::play
