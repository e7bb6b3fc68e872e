#include "play/terminal/terminal.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/plain_text.h"
#include "game/rules_guide.h"
#include "models/error.h"
#include "models/file_io.h"
#include "play/declaration.h"
#include "play/notation/document_writer.h"
#include "play/terminal/outcome_sentence.h"
#include "play/terminal/rules_view.h"
#include "play/views.h"

namespace makzero::play {

using game::Color;
using game::Declaration;

const Terminal::Command Terminal::kCommands[] = {
    {"help", "", later("this list"), &Terminal::help},
    {"rules", later("[PART]"),
     later("the rules that are played, or the part whose heading begins so: 'rules capturing'"),
     &Terminal::show_rules},
    {"hint", "", later("what the engine would play, and exact values of moves where endings know them"),
     &Terminal::hint},
    {"undo", "", later("take back your last move"), &Terminal::undo},
    {"moves", later("[SQUARE]"), later("the legal moves"), &Terminal::list_moves},
    {"board", "", later("draw the board again"), &Terminal::show_board},
    {"flip", "", later("turn the board"), &Terminal::flip},
    {"count", "", later("count for a draw, before your move, where the rules leave it to the players"),
     &Terminal::start_count},
    {"stop", "", later("stop counting, before your move"), &Terminal::stop_count},
    {"go", "", later("let the engine think again that Ctrl-C has stopped"), &Terminal::go},
    {"save", later("FILE"), later("write the game as text; `makzero play --load FILE` goes on with it"),
     &Terminal::save},
    {"resign", "", later("give up"), &Terminal::resign},
    {"quit", "", later("leave"), &Terminal::quit},
};

namespace {

// True where the answer is yes.
bool is_yes(const std::optional<std::string>& answer) {
  return answer && (answer->starts_with('y') || answer->starts_with('Y'));
}

}  // namespace

Terminal::Terminal(LineReader* lines, std::ostream& out, Engine* engine, PlayedGame game,
                   const TerminalOptions& options)
    : lines_(lines), out_(out), engine_(engine), game_(std::move(game)), options_(options) {}

std::string Terminal::t(const char* english, const MessageValues& values) const {
  return options_.style.language.text(message(english, values));
}

std::string Terminal::side() const { return t(side_name(game_.position().to_move)); }

void Terminal::run() {
  const std::string move = game_.legal().empty() ? "a3a5" : written(game_, game_.legal()[0]);
  const std::string& opponent = options_.opponent.empty() ? engine_->description() : options_.opponent;
  out_ << t("Opponent: {opponent}. Moves like '{move}'; 'help' lists the commands.",
            {{"opponent", opponent}, {"move", move}})
       << "\n";
  show();
  while (!quit_) {
    if (!outcome().over() && !human_moves() && !waiting_) {
      play_engine_move();
      continue;
    }
    const std::string prompt = (outcome().over() ? t("(over)") : side()) + " > ";
    const std::optional<std::string> line = read_line({prompt, [this] { return first_words(); }});
    if (!line) break;
    handle(*line);
  }
  out_ << "\n";
}

// The next line; none at the end of the input. An interrupt while it is waited for is answered with advice.
std::optional<std::string> Terminal::read_line(LineQuestion question) {
  out_ << std::flush;
  TypedLine line;
  while ((line = lines_->read(question)).interrupted) {
    out_ << "\n" << t("'quit' leaves, 'save FILE' keeps the game") << std::endl;
    question.prompt = "> ";
  }
  return line.text;
}

// The commands, and while the game goes on its legal moves.
std::vector<std::string> Terminal::first_words() const {
  std::vector<std::string> words;
  for (const Command& command : kCommands) words.emplace_back(command.name);
  if (outcome().over()) return words;
  for (const game::Move move : game_.legal()) words.push_back(written(game_, move));
  return words;
}

bool Terminal::ask(const std::string& question) {
  return is_yes(read_line({question + " " + t("(y/n)") + " "}));
}

// The engine's search; none when it was interrupted.
std::optional<SearchInfo> Terminal::think(const PlayedGame& game) {
  static constexpr std::chrono::milliseconds kLook{50};
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<SearchInfo> answer;
  std::optional<std::string> failure;
  const auto tell = [&](const auto& set) {
    const std::lock_guard lock(mutex);
    set();
    changed.notify_one();
  };
  engine_->start(game, options_.limits, false,
                 {.info = [](const SearchInfo&) {},
                  .finished = [&](const SearchInfo& info) { tell([&] { answer = info; }); },
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

void Terminal::handle(const std::string& line) {
  std::istringstream words(line);
  std::string name, argument;
  if (!(words >> name)) return;
  std::getline(words, argument);
  argument = std::string(game::trimmed(argument));  // "save my game.txt".
  if (name == "?") name = "help";
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
  out_ << (near.empty()
               ? t("unknown command '{name}': 'help' lists them", {{"name", name}})
               : t("unknown command '{name}': did you mean '{near}'?", {{"name", name}, {"near", near}}))
       << "\n";
}

void Terminal::play_text(const std::string& text) {
  if (outcome().over()) {
    out_ << t("the game is over: 'undo' takes a move back, 'quit' leaves") << "\n";
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
  const std::optional<SearchInfo> info = think(game_);
  if (!info) {
    waiting_ = true;
    out_ << "\n"
         << t("stopped: 'go' lets {side} think again, 'undo' takes your move back, 'save FILE' keeps the "
              "game, "
              "'quit' leaves",
              {{"side", side()}})
         << "\n";
    return;
  }
  expectation_ = mcts::to_white(info->lines.front().value, game_.position().to_move);
  game_.play(info->best());
  show();
}

void Terminal::declare_for_engine() {
  const std::optional<Declaration> declaration = sensible_declaration(game_);
  if (!declaration) return;
  out_ << (*declaration == Declaration::kStartCount ? t("{side} starts to count", {{"side", side()}})
                                                    : t("{side} stops counting", {{"side", side()}}))
       << "\n";
  game_.declare(*declaration);
}

// The game as it stands, for another day; a place that cannot be written to is no reason to stop.
void Terminal::keep() const {
  if (options_.keep.empty() || game_.actions().empty()) return;
  try {
    std::error_code there;
    std::filesystem::create_directories(options_.keep.parent_path(), there);
    models::write_text_file(options_.keep, game_text(GameDocument(game_)));
  } catch (const models::Error&) {
  }
}

void Terminal::show() {
  keep();
  out_ << "\n";
  for (int i = static_cast<int>(game_.actions().size()) - 1; i >= 0; --i) {
    if (game_.actions()[i].declaration) continue;
    show_move(i);
    break;
  }
  out_ << draw_board(game_, options_.style) << describe_state(game_, options_.style.language);
  if (expectation_) out_ << draw_expectation(*expectation_, options_.style) << "\n";
  const game::Outcome now = outcome();
  if (now.over()) {
    out_ << outcome_sentence(game_, now, person(), options_.style.language) << "\n";
  } else if (human_moves()) {
    if (game_.offers(Declaration::kStartCount))
      out_ << t("'count' before your move counts for a draw") << "\n";
    if (game_.offers(Declaration::kStopCount)) out_ << t("'stop' before your move ends your count") << "\n";
  }
}

void Terminal::show_move(int action) {
  const Captured captured = captured_by(game_, action);
  const MessageValues values = {{"side", side_name(game_.position_before(action).to_move)},
                                {"move", written_action(game_, action, options_.style.notation)},
                                {"pieces", captured.letters}};
  out_ << (captured.squares ? t("{side} plays {move} and takes {pieces}", values)
                            : t("{side} plays {move}", values))
       << "\n";
}

void Terminal::help(const std::string&) {
  static constexpr int kHelpColumn = 20;
  out_ << t("A move is written as 'moves' lists them, or by its squares (a3a5). Commands:") << "\n";
  for (const Command& command : kCommands) {
    const std::string call = std::string("  ") + command.name + " " + t(command.argument);
    out_ << padded(call, kHelpColumn) << t(command.help) << "\n";
  }
}

// The text without the lists of rulesets and options, and what the ruleset that is played changes in it.
void Terminal::show_rules(const std::string& argument) {
  const game::GameInfo& info = game_.rules().info();
  const game::RulesGuide guide = game::rules_guide(info.ruleset);
  const std::string text = rules_view(info.ruleset, argument, options_.style.language);
  if (text.empty()) {
    out_ << t("no part of the rules begins with '{part}':", {{"part", argument}});
    const char* separator = " ";
    for (const game::GuideSection& section : guide.sections) {
      if (section.heading.empty()) continue;
      out_ << separator << t(section.heading.c_str());
      separator = ", ";
    }
    out_ << "\n";
    return;
  }
  out_ << text;
  const std::vector<game::RuleChange> changes = game::rule_changes(guide, info);
  if (!changes.empty()) out_ << t("Changed by the options of {game}:", {{"game", info.ruleset}}) << "\n";
  for (const game::RuleChange& change : changes)
    out_ << "  " << t(change.title.c_str()) << ": " << t(change.words.c_str()) << "\n";
}

void Terminal::hint(const std::string&) {
  if (outcome().over()) {
    out_ << t("the game is over") << "\n";
    return;
  }
  PlayedGame advised = game_;
  out_ << t("hint:") << " ";
  if (const std::optional<Declaration> declaration = sensible_declaration(game_)) {
    advised.declare(*declaration);
    out_ << (*declaration == Declaration::kStartCount ? t("'count', then") : t("'stop', then")) << " ";
  }
  const std::optional<SearchInfo> info = think(advised);
  if (!info) {
    out_ << t("stopped") << "\n";
    return;
  }
  out_ << written(advised, info->best()) << "\n"
       << draw_expectation(mcts::to_white(info->lines.front().value, advised.position().to_move),
                           options_.style)
       << "\n";
  for (const EndingGroup& group : ending_view(advised, *info)) {
    out_ << options_.style.language.text(group.text) << ":";
    for (const game::Move move : group.moves) out_ << " " << written(advised, move);
    out_ << "\n";
  }
}

void Terminal::undo(const std::string&) {
  expectation_.reset();
  waiting_ = false;
  bool any = game_.undo();
  // Back to a position in which a person moves.
  while (any && !human_moves() && game_.undo()) {
  }
  if (!any) out_ << t("no move to take back") << "\n";
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
  out_ << (moves.empty() ? " " + t("none") : moves) << "\n";
}

std::string Terminal::written(const PlayedGame& game, game::Move move) const {
  return written_move(game.rules(), game.position(), move, options_.style.notation);
}

void Terminal::show_board(const std::string&) { show(); }

void Terminal::start_count(const std::string&) { declare(Declaration::kStartCount); }

void Terminal::stop_count(const std::string&) { declare(Declaration::kStopCount); }

void Terminal::declare(Declaration declaration) {
  if (outcome().over() || !game_.offers(declaration)) {
    out_ << (declaration == Declaration::kStopCount
                 ? t("'stop' cannot be declared now: you are not counting")
                 : t("'count' cannot be declared now: `makzero games GAME` tells when a player may count"))
         << "\n";
    return;
  }
  game_.declare(declaration);
  show();
}

void Terminal::save(const std::string& argument) {
  if (argument.empty()) {
    out_ << t("write 'save FILE'") << "\n";
    return;
  }
  if (std::filesystem::exists(argument) &&
      !ask(t("'{file}' is there already: write over it?", {{"file", argument}}))) {
    out_ << t("not saved: choose another name") << "\n";
    return;
  }
  try {
    models::write_text_file(argument, game_text(GameDocument(game_)));
    out_ << t("saved to {file}", {{"file", argument}}) << "\n";
  } catch (const models::Error& error) {
    out_ << error.what() << "\n";
  }
}

void Terminal::resign(const std::string&) {
  if (outcome().over()) {
    out_ << t("the game is over") << "\n";
    return;
  }
  const Color loser = person().value_or(game_.position().to_move);  // Also while a stopped engine is to move.
  game_.end({game::win_of(game::other(loser)), game::Reason::kResignation});
  show();
}

void Terminal::go(const std::string&) {
  if (!waiting_) out_ << t("nobody waits for that: it is your move") << "\n";
  waiting_ = false;
}

void Terminal::quit(const std::string&) { quit_ = true; }

game::GamePtr ask_who_counts(const game::GamePtr& rules, const std::string& spec, LineReader* lines,
                             const Language& language) {
  static constexpr std::string_view kMode = "count.mode=";
  if (!game::find_option(rules->info(), "count.mode") || spec.find(kMode) != std::string::npos) return rules;
  const std::string question = language.text(later(
      "Without pawns, shall the side with less material say when it counts for a draw, as Wikipedia has "
      "it? Else counts start by themselves."));
  if (!is_yes(lines->read({question + " " + language.text("(y/n)") + " "}).text)) return rules;
  return *game::make_game(game::with_option(rules->info().ruleset, std::string(kMode) + "manual"));
}

}  // namespace makzero::play
