#include "play/terminal.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <istream>
#include <mutex>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/rules_guide.h"
#include "models/error.h"
#include "models/file_io.h"
#include "play/declaration.h"
#include "play/outcome_view.h"

namespace makzero::play {

using game::Claim;
using game::Color;

namespace {

// The sections of a text whose headings begin with `part`, in any case; without a part all that concerns
// players. Empty where there is none.
std::string rules_part(const std::string& text, const std::string& part) {
  const auto begins = [&](const std::string& heading) {
    return heading.size() >= part.size() &&
           std::equal(part.begin(), part.end(), heading.begin(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  };
  std::istringstream lines(text);
  std::string chosen;
  bool inside = part.empty();
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) {
      const std::string heading = line.substr(3);
      const bool listing = heading == "Rulesets" || heading == "Options" || heading == "Sources";
      inside = part.empty() ? !listing : begins(heading);
    }
    if (inside) chosen += line + "\n";
  }
  return chosen;
}

}  // namespace

const Terminal::Command Terminal::kCommands[] = {
    {"help", "", "this list", &Terminal::help},
    {"rules", "[PART]", "the rules that are played, or the part whose heading begins so: 'rules capturing'",
     &Terminal::show_rules},
    {"hint", "", "what the engine would play", &Terminal::hint},
    {"undo", "", "take back your last move", &Terminal::undo},
    {"moves", "[SQUARE]", "the legal moves", &Terminal::list_moves},
    {"board", "", "draw the board again", &Terminal::show_board},
    {"flip", "", "turn the board", &Terminal::flip},
    {"count", "", "count for a draw, before your move, where the rules leave it to the players",
     &Terminal::start_count},
    {"stop", "", "stop counting, before your move", &Terminal::stop_count},
    {"go", "", "let the engine think again that Ctrl-C has stopped", &Terminal::go},
    {"save", "FILE", "write the game as text; `makzero play --load FILE` goes on with it", &Terminal::save},
    {"resign", "", "give up", &Terminal::resign},
    {"quit", "", "leave", &Terminal::quit},
};

Terminal::Terminal(std::istream& in, std::ostream& out, Engine* engine, PlayedGame game,
                   const TerminalOptions& options)
    : in_(in), out_(out), engine_(engine), game_(std::move(game)), options_(options) {}

void Terminal::run() {
  out_ << "Opponent: " << (options_.opponent.empty() ? engine_->description() : options_.opponent)
       << ". Moves like '" << (game_.legal().empty() ? "a3a5" : written(game_, game_.legal()[0]))
       << "'; 'help' lists the commands.\n";
  show();
  while (!quit_) {
    if (!outcome().over() && !human_moves() && !waiting_) {
      play_engine_move();
      continue;
    }
    out_ << (outcome().over() ? "(over) " : std::string(side_name(game_.position().to_move)) + " ") << "> "
         << std::flush;
    const std::optional<std::string> line = read_line();
    if (!line) break;
    obey(*line);
  }
  out_ << "\n";
}

// The next line; none at the end of the input. An interrupt while it is waited for is answered with advice.
std::optional<std::string> Terminal::read_line() {
  std::string line;
  while (!std::getline(in_, line)) {
    if (!interrupted()) return std::nullopt;
    in_.clear();
    out_ << "\n'quit' leaves, 'save FILE' keeps the game\n> " << std::flush;
  }
  return line;
}

// Whether the person says yes.
bool Terminal::ask(const std::string& question) {
  out_ << question << " (y/n) " << std::flush;
  const std::optional<std::string> answer = read_line();
  return answer && (answer->starts_with('y') || answer->starts_with('Y'));
}

// The engine's thought; none when it was interrupted.
std::optional<Thought> Terminal::think(const PlayedGame& game) {
  static constexpr std::chrono::milliseconds kLook{50};
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Thought> answer;
  std::optional<std::string> failure;
  const auto tell = [&](const auto& set) {
    const std::lock_guard lock(mutex);
    set();
    changed.notify_one();
  };
  engine_->start(game, options_.limits, false,
                 {.thought = [](const Thought&) {},
                  .finished = [&](const Thought& thought) { tell([&] { answer = thought; }); },
                  .failed = [&](const std::string& why) { tell([&] { failure = why; }); }});
  bool stopped = false;
  {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kLook, [&] { return answer || failure; })) {
      if (!interrupted()) continue;
      stopped = true;
      engine_->stop();
    }
  }
  engine_->wait();
  if (failure) throw models::Error(*failure);
  return stopped ? std::nullopt : answer;
}

void Terminal::obey(const std::string& line) {
  std::istringstream words(line);
  std::string name, argument;
  if (!(words >> name)) return;
  words >> argument;
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    names.emplace_back(command.name);
    if (name == command.name) return (this->*command.run)(argument);
  }
  // Squares have digits, in Thai or others, commands have none.
  const bool like_move =
      std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) || c >= 0x80; });
  if (like_move || name == "--" || name == "pass") return play_text(name);
  const std::string near = game::nearest_name(name, names);
  out_ << "unknown command '" << name << "'"
       << (near.empty() ? ": 'help' lists them" : ": did you mean '" + near + "'?") << "\n";
}

void Terminal::play_text(const std::string& text) {
  if (outcome().over()) {
    out_ << "the game is over: 'undo' takes a move back, 'quit' leaves\n";
    return;
  }
  const game::Parsed<game::Move> move = parse_written_move(game_.rules(), game_.position(), text);
  if (!move) {
    out_ << move.why() << "\n";
    return;
  }
  expectation_.reset();
  waiting_ = false;
  game_.play(*move);
  show();
}

// The side that a single person plays.
std::optional<Color> Terminal::person() const {
  if (options_.human[0] == options_.human[1]) return std::nullopt;
  return options_.human[0] ? Color::kWhite : Color::kBlack;
}

void Terminal::play_engine_move() {
  declare_for_engine();
  const std::optional<Thought> thought = think(game_);
  if (!thought) {
    waiting_ = true;
    out_ << "\nstopped: 'go' lets " << side_name(game_.position().to_move)
         << " think again, 'undo' takes your move back, 'save FILE' keeps the game, 'quit' leaves\n";
    return;
  }
  expectation_ = mcts::to_white(thought->lines.front().value, game_.position().to_move);
  game_.play(thought->best());
  show();
}

void Terminal::declare_for_engine() {
  const std::optional<Claim> claim = sensible_claim(game_);
  if (!claim) return;
  out_ << side_name(game_.position().to_move)
       << (*claim == Claim::kStartCount ? " starts to count\n" : " stops counting\n");
  game_.make_claim(*claim);
}

// The game as it stands, for another day; a place that cannot be written to is no reason to stop.
void Terminal::keep() const {
  if (options_.keep.empty() || game_.actions().empty()) return;
  try {
    std::error_code there;
    std::filesystem::create_directories(options_.keep.parent_path(), there);
    models::write_text_file(options_.keep, game_text(game_));
  } catch (const models::Error&) {
  }
}

void Terminal::show() {
  keep();
  out_ << "\n";
  for (int i = static_cast<int>(game_.actions().size()) - 1; i >= 0; --i) {
    if (game_.actions()[i].claim) continue;
    show_move(i);
    break;
  }
  out_ << draw_board(game_, options_.style) << describe_state(game_);
  if (expectation_) out_ << draw_expectation(*expectation_, options_.style) << "\n";
  const game::Outcome now = outcome();
  if (now.over()) {
    out_ << outcome_sentence(game_, now, person()) << "\n";
  } else if (human_moves()) {
    if (game_.offers(Claim::kStartCount)) out_ << "'count' before your move counts for a draw\n";
    if (game_.offers(Claim::kStopCount)) out_ << "'stop' before your move ends your count\n";
  }
}

void Terminal::show_move(int action) {
  out_ << side_name(game_.position_before(action).to_move) << " plays "
       << written_action(game_, action, options_.style.notation);
  const Captured captured = captured_by(game_, action);
  if (captured.squares) out_ << " and takes " << captured.letters;
  out_ << "\n";
}

void Terminal::help(const std::string&) {
  out_ << "A move is written as 'moves' lists them, or by its squares (a3a5). Commands:\n";
  for (const Command& command : kCommands) {
    std::string call = std::string("  ") + command.name + " " + command.argument;
    call.resize(std::max<size_t>(call.size() + 1, 20), ' ');
    out_ << call << command.help << "\n";
  }
}

// The text without the lists of rulesets and options, and what the ruleset that is played changes in it.
void Terminal::show_rules(const std::string& argument) {
  const game::GameInfo& info = game_.rules().info();
  const game::RulesGuide guide = game::rules_guide(info.ruleset);
  const std::string text = rules_part(std::string(game::rules_text(info.ruleset)), argument);
  if (text.empty()) {
    out_ << "no part of the rules begins with '" << argument << "':";
    const char* separator = " ";
    for (const game::GuideSection& section : guide.sections) {
      if (section.heading.empty()) continue;
      out_ << separator << section.heading;
      separator = ", ";
    }
    out_ << "\n";
    return;
  }
  out_ << text;
  const std::vector<game::RuleChange> changes = game::rule_changes(guide, info);
  if (!changes.empty()) out_ << "Changed by the options of " << info.ruleset << ":\n";
  for (const game::RuleChange& change : changes) out_ << "  " << change.title << ": " << change.words << "\n";
}

void Terminal::hint(const std::string&) {
  if (outcome().over()) {
    out_ << "the game is over\n";
    return;
  }
  PlayedGame advised = game_;
  out_ << "hint: ";
  if (const std::optional<Claim> claim = sensible_claim(game_)) {
    advised.make_claim(*claim);
    out_ << "'" << claim_word(*claim) << "', then ";
  }
  const std::optional<Thought> thought = think(advised);
  if (!thought) {
    out_ << "stopped\n";
    return;
  }
  out_ << written(advised, thought->best()) << "\n"
       << draw_expectation(mcts::to_white(thought->lines.front().value, advised.position().to_move),
                           options_.style)
       << "\n";
}

void Terminal::undo(const std::string&) {
  expectation_.reset();
  waiting_ = false;
  bool any = game_.undo();
  // Back to a position in which a person moves.
  while (any && !human_moves() && game_.undo()) {
  }
  if (!any) out_ << "no move to take back\n";
  if (any) show();
}

void Terminal::flip(const std::string&) {
  options_.style.flipped = !options_.style.flipped;
  show();
}

void Terminal::list_moves(const std::string& argument) {
  std::string moves;
  for (const game::Move move : game_.legal()) {
    const std::string squares = game::move_text(game_.rules(), game_.position(), move);
    if (squares.starts_with(argument)) moves += " " + written(game_, move);
  }
  out_ << (moves.empty() ? " none" : moves) << "\n";
}

std::string Terminal::written(const PlayedGame& game, game::Move move) const {
  return written_move(game.rules(), game.position(), move, options_.style.notation);
}

void Terminal::show_board(const std::string&) { show(); }

void Terminal::start_count(const std::string&) { declare(Claim::kStartCount); }

void Terminal::stop_count(const std::string&) { declare(Claim::kStopCount); }

void Terminal::declare(Claim claim) {
  if (outcome().over() || !game_.offers(claim)) {
    out_ << "'" << claim_word(claim) << "' cannot be declared now: "
         << (claim == Claim::kStopCount ? "you are not counting"
                                        : "`makzero games GAME` tells when a player may count")
         << "\n";
    return;
  }
  game_.make_claim(claim);
  show();
}

void Terminal::save(const std::string& argument) {
  if (argument.empty()) {
    out_ << "write 'save FILE'\n";
    return;
  }
  if (std::filesystem::exists(argument) && !ask("'" + argument + "' is there already: write over it?")) {
    out_ << "not saved: choose another name\n";
    return;
  }
  try {
    models::write_text_file(argument, game_text(game_));
    out_ << "saved to " << argument << "\n";
  } catch (const models::Error& error) {
    out_ << error.what() << "\n";
  }
}

void Terminal::resign(const std::string&) {
  if (outcome().over()) {
    out_ << "the game is over\n";
    return;
  }
  game_.end({game::win_of(game::other(game_.position().to_move)), game::Reason::kResignation});
  show();
}

void Terminal::go(const std::string&) {
  if (!waiting_) out_ << "nobody waits for that: it is your move\n";
  waiting_ = false;
}

void Terminal::quit(const std::string&) { quit_ = true; }

}  // namespace makzero::play
