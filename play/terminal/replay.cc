#include "play/terminal/replay.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>
#include <vector>

#include "game/notation.h"
#include "play/terminal/outcome_sentence.h"
#include "play/views.h"

namespace makzero::play {
namespace {

constexpr const char* kHelp = later("next (or an empty line), back, to N, end, board, moves, flip, quit");

PlayedGame start_of(const PlayedGame& game) { return {game.rules_pointer(), game.start()}; }

std::int64_t count_of(const PlayedGame& game) { return static_cast<std::int64_t>(game.actions().size()); }

}  // namespace

std::string Replay::t(const char* english, const MessageValues& values) const {
  return style_.language.text(message(english, values));
}

Replay::Replay(std::istream& in, std::ostream& out, const PlayedGame& game, const BoardStyle& style)
    : in_(in), out_(out), game_(game), shown_(start_of(game)), style_(style) {}

void Replay::run() {
  out_ << t("{game}, {count} moves. Commands: {commands}",
            {{"game", game_.rules().info().ruleset}, {"count", count_of(game_)}, {"commands", kHelp}})
       << "\n";
  show();
  while (!quit_) {
    out_ << t("{count} of {all}", {{"count", count_of(shown_)}, {"all", count_of(game_)}}) << " > "
         << std::flush;
    std::string line;
    if (!std::getline(in_, line)) break;
    handle(line);
  }
  out_ << "\n";
}

void Replay::show_all() {
  for (int i = 0; i <= static_cast<int>(game_.actions().size()); ++i) go_to(i);
}

void Replay::handle(const std::string& line) {
  const int here = static_cast<int>(shown_.actions().size()), last = static_cast<int>(game_.actions().size());
  std::istringstream words(line);
  std::string name;
  words >> name;
  if (name.empty() || name == "next" || name == "n") {
    if (here == last) out_ << t("the game ends here") << "\n";
    if (here < last) go_to(here + 1);
  } else if (name == "back" || name == "b") {
    if (here == 0) out_ << t("the game begins here") << "\n";
    if (here > 0) go_to(here - 1);
  } else if (name == "to") {
    int number = 0;
    if (!(words >> number) || number < 0 || number > last) {
      out_ << t("write 'to N' with a number of moves from 0 to {last}", {{"last", last}}) << "\n";
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
    out_ << (near.empty()
                 ? t("unknown command '{name}'", {{"name", name}})
                 : t("unknown command '{name}': did you mean '{near}'?", {{"name", name}, {"near", near}}))
         << "\n"
         << t(kHelp) << "\n";
  }
}

void Replay::go_to(int action) {
  if (action < static_cast<int>(shown_.actions().size())) shown_ = start_of(game_);
  while (static_cast<int>(shown_.actions().size()) < action) {
    shown_.repeat(game_.actions()[shown_.actions().size()]);
  }
  const bool at_end = shown_.actions().size() == game_.actions().size();
  if (at_end && game_.ended()) shown_.end(*game_.ended());
  show();
}

void Replay::show() {
  const int last = static_cast<int>(shown_.actions().size()) - 1;
  out_ << "\n";
  if (last >= 0) {
    const Captured captured = captured_by(shown_, last);
    const MessageValues values = {{"side", side_name(shown_.position_before(last).to_move)},
                                  {"move", written_action(shown_, last, style_.notation)},
                                  {"pieces", captured.letters}};
    const Message sentence = shown_.actions()[last].declaration ? message("{side} declares {move}", values)
                             : captured.squares ? message("{side} plays {move} and takes {pieces}", values)
                                                : message("{side} plays {move}", values);
    out_ << last + 1 << ". " << style_.language.text(sentence) << "\n";
  }
  out_ << draw_board(shown_, style_) << describe_state(shown_, style_.language);
  const game::Outcome outcome = shown_.outcome();
  if (outcome.over()) {
    out_ << outcome_sentence(shown_, outcome, std::nullopt, style_.language) << "\n";
  }
}

void Replay::list_moves() {
  for (int i = 0; i < static_cast<int>(game_.actions().size()); ++i) {
    out_ << i + 1 << "." << written_action(game_, i, style_.notation) << (i % 10 == 9 ? "\n" : " ");
  }
  out_ << "\n";
}

}  // namespace makzero::play
