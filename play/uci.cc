#include "play/uci.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <istream>
#include <ostream>
#include <sstream>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/perft.h"
#include "models/error.h"
#include "play/clock.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

constexpr const char* kNoMove = "bestmove 0000";

const std::vector<std::string>& commands() {
  static const std::vector<std::string> kCommands = {"uci", "isready", "ucinewgame", "setoption", "position",
                                                     "go",  "stop",    "d",          "quit"};
  return kCommands;
}

std::vector<std::string> split(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string join(const std::vector<std::string>& words, size_t first, size_t last) {
  std::string text;
  for (size_t i = first; i < last; ++i) text += (i == first ? "" : " ") + words[i];
  return text;
}

std::optional<std::int64_t> to_number(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Option names are compared without regard to case.
bool same_name(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// The rulesets in one line, the one in use first, which may have options.
std::string variants(const std::string& used) {
  std::string text = "default " + used + " var " + used;
  for (const std::string& name : game::ruleset_names()) {
    if (name != used) text += " var " + name;
  }
  return text;
}

}  // namespace

Uci::Uci(std::istream& in, std::ostream& out, const std::string& ruleset, const std::string& player)
    : in_(in),
      out_(out),
      rules_(*game::make_game(ruleset)),
      weights_file_(player),
      spins_{{"Threads", {1, 1, 512}},
             {"Seed", {1, 0, INT64_MAX}},
             {"MultiPV", {1, 1, 256}},
             {"Move Overhead", {30, 0, 10'000}}},
      game_(rules_) {}

Uci::~Uci() = default;

void Uci::run() {
  for (std::string line; std::getline(in_, line);) {
    if (!obey(line)) break;
  }
  if (in_.eof()) finish_search();
  engine_.reset();
}

bool Uci::obey(const std::string& line) {
  const Words words = split(line);
  if (words.empty()) return true;
  const std::string& command = words[0];
  if (command == "quit") return false;
  if (command == "uci") {
    introduce();
  } else if (command == "isready") {
    if (!engine_) engine();
    say("readyok");
  } else if (command == "ucinewgame") {
    finish_search();
    if (engine_) engine_->new_game();
    game_.emplace(rules_);
  } else if (command == "setoption") {
    set_option(words);
  } else if (command == "position") {
    set_position(words);
  } else if (command == "go") {
    go(words);
  } else if (command == "stop") {
    if (engine_) engine_->stop();
  } else if (command == "d") {
    describe();
  } else {
    const std::string near = game::nearest_name(command, commands());
    inform("unknown command '" + command + "'" + (near.empty() ? "" : ": did you mean '" + near + "'?"));
  }
  return true;
}

void Uci::introduce() {
  say("id name MakZero");
  say("id author the MakZero authors");
  say("option name UCI_Variant type combo " + variants(rules_->info().ruleset));
  say("option name WeightsFile type string default <empty>");
  for (const auto& [name, spin] : spins_) {
    say("option name " + name + " type spin default " + std::to_string(spin.value) + " min " +
        std::to_string(spin.minimum) + " max " + std::to_string(spin.maximum));
  }
  say("uciok");
}

// setoption name NAME [value VALUE]; names may hold spaces.
void Uci::set_option(const Words& words) {
  const size_t value_at = std::find(words.begin(), words.end(), "value") - words.begin();
  if (words.size() < 3 || words[1] != "name") return inform("write: setoption name NAME value VALUE");
  const std::string name = join(words, 2, value_at);
  const std::string value = value_at < words.size() ? join(words, value_at + 1, words.size()) : "";
  if (same_name(name, "UCI_Variant")) return set_variant(value);
  if (same_name(name, "WeightsFile")) {
    drop_engine();
    weights_file_ = value == "<empty>" ? "" : value;
    return;
  }
  const auto spin = std::find_if(spins_.begin(), spins_.end(),
                                 [&](const auto& entry) { return same_name(entry.first, name); });
  if (spin == spins_.end()) {
    std::vector<std::string> names = {"UCI_Variant", "WeightsFile"};
    for (const auto& [known, unused] : spins_) names.push_back(known);
    const std::string near = game::nearest_name(name, names);
    return inform("unknown option '" + name + "'" + (near.empty() ? "" : ": did you mean '" + near + "'?"));
  }
  const std::optional<std::int64_t> number = to_number(value);
  if (!number || *number < spin->second.minimum || *number > spin->second.maximum) {
    return inform("option " + spin->first + " is '" + value + "': give a number from " +
                  std::to_string(spin->second.minimum) + " to " + std::to_string(spin->second.maximum));
  }
  drop_engine();
  spin->second.value = *number;
}

void Uci::set_variant(const std::string& ruleset) {
  const game::Parsed<game::GamePtr> parsed = game::make_game(ruleset);
  if (!parsed) return inform(parsed.why());
  drop_engine();
  rules_ = *parsed;
  game_.emplace(rules_);
}

// position startpos|fen TEXT [moves MOVE ...]
void Uci::set_position(const Words& words) {
  const size_t moves_at = std::find(words.begin(), words.end(), "moves") - words.begin();
  game_.reset();
  if (words.size() > 1 && words[1] == "startpos") {
    game_.emplace(rules_);
  } else if (words.size() > 1 && words[1] == "fen") {
    const auto position = game::parse_position(*rules_, join(words, 2, moves_at));
    if (!position) return inform("illegal position: " + position.why());
    game_.emplace(rules_, *position);
  } else {
    return inform("write: position startpos|fen TEXT [moves MOVE ...]");
  }
  for (size_t i = moves_at + 1; i < words.size(); ++i) {
    const game::Parsed<game::Move> move = game::parse_move(*rules_, game_->position(), words[i]);
    if (!move) {
      game_.reset();
      return inform("illegal position: " + move.why());
    }
    game_->play(*move);
  }
}

std::optional<Uci::Go> Uci::read_go(const Words& words) {
  Go go;
  std::map<std::string, std::int64_t> numbers;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "infinite") {
      go.hold = true;
      continue;
    }
    static const std::vector<std::string> kNumbers = {"nodes", "depth", "movetime",  "wtime", "btime",
                                                      "winc",  "binc",  "movestogo", "perft"};
    if (std::find(kNumbers.begin(), kNumbers.end(), word) == kNumbers.end()) {
      const std::string near = game::nearest_name(word, kNumbers);
      inform("go: unknown word '" + word + "'" + (near.empty() ? "" : ": did you mean '" + near + "'?"));
      return std::nullopt;
    }
    const std::optional<std::int64_t> number = i + 1 < words.size() ? to_number(words[i + 1]) : std::nullopt;
    const bool at_least_one = word == "nodes" || word == "depth" || word == "movetime";
    const bool clock = word == "wtime" || word == "btime";  // Some clients send a negative rest.
    if (!number || *number > INT32_MAX || (!clock && *number < (at_least_one ? 1 : 0))) {
      inform("go: '" + word + "' needs a number from " + (at_least_one ? "1" : "0") + " after it");
      return std::nullopt;
    }
    numbers[word] = *number;
    ++i;
  }
  const auto number = [&](const char* name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional<int>(static_cast<int>(found->second));
  };
  go.limits.simulations = number("nodes");
  go.limits.depth = number("depth");
  go.perft = number("perft");
  if (const auto time = number("movetime")) go.limits.time = milliseconds(*time);
  const bool white = !game_ || game_->position().to_move == game::Color::kWhite;
  if (const auto remaining = number(white ? "wtime" : "btime"); remaining && !go.limits.time) {
    const ClockTimes clock{milliseconds(*remaining),
                           milliseconds(number(white ? "winc" : "binc").value_or(0)),
                           number("movestogo").value_or(0)};
    go.limits.time = time_for_move(clock, milliseconds(spins_.at("Move Overhead").value));
  }
  return go;
}

void Uci::go(const Words& words) {
  finish_search();
  const std::optional<Go> go = read_go(words);
  if (!go) return say(kNoMove);
  if (!game_) {
    inform("the position is illegal: send a legal one first");
    return say(kNoMove);
  }
  if (go->perft) return print_perft(*go->perft);
  if (game_->outcome().over()) return answer_without_search();
  const PlayedGame game = *game_;
  const Limits& limits = go->limits;
  unlimited_ = go->hold || (!limits.simulations && !limits.depth && !limits.time);
  told_nodes_ = 0;
  EngineHandlers handlers;
  handlers.thought = [this, game](const Thought& thought) { print_thought(game, thought); };
  handlers.finished = [this, game](const Thought& thought) {
    if (thought.nodes != told_nodes_) print_thought(game, thought);
    say("bestmove " + game::move_text(game.rules(), game.position(), thought.best()));
  };
  handlers.failed = [this](const std::string& why) {
    inform(why);
    say(kNoMove);
  };
  engine()->start(game, limits, unlimited_, std::move(handlers));
}

// The rules have ended the game. A client that plays on after a draw still gets a legal move.
void Uci::answer_without_search() {
  inform("the game is over: " + std::string(game::reason_text(game_->outcome().reason)));
  if (game_->outcome().result != game::Result::kDraw || game_->legal().empty()) return say(kNoMove);
  say("bestmove " + game::move_text(*rules_, game_->position(), game_->legal()[0]));
}

void Uci::print_perft(int depth) {
  std::uint64_t nodes = depth == 0 ? 1 : 0;
  if (depth > 0) {
    for (const auto& [move, leaves] : game::perft_divide(*rules_, game_->position(), depth)) {
      say(game::move_text(*rules_, game_->position(), move) + ": " + std::to_string(leaves));
      nodes += leaves;
    }
  }
  say("nodes " + std::to_string(nodes));
}

void Uci::print_thought(const PlayedGame& game, const Thought& thought) {
  told_nodes_ = thought.nodes;
  const auto time = thought.elapsed.count();
  const auto rate = thought.nodes * 1000 / std::max<std::int64_t>(1, time);
  for (size_t i = 0; i < thought.lines.size(); ++i) {
    const Line& line = thought.lines[i];
    std::ostringstream text;
    text << "info depth " << thought.depth;
    if (spins_.at("MultiPV").value > 1) text << " multipv " << i + 1;
    if (line.end_in_plies) {
      const int moves = (*line.end_in_plies + 1) / 2;
      text << " score mate " << (line.centipawns < 0 ? -moves : moves);
    } else {
      text << " score cp " << line.centipawns;
    }
    const int win = static_cast<int>(std::lround(1000 * line.value.win));
    const int loss = std::min(1000 - win, static_cast<int>(std::lround(1000 * line.value.loss)));
    text << " wdl " << win << " " << 1000 - win - loss << " " << loss;
    text << " nodes " << thought.nodes << " nps " << rate << " time " << time << " pv";
    game::Position position = game.position();
    for (const game::Move move : line.moves) {
      text << " " << game::move_text(*rules_, position, move);
      rules_->apply(move, &position);
    }
    say(text.str());
  }
}

void Uci::describe() {
  if (!game_) return inform("the position is illegal: send a legal one first");
  std::istringstream board(game::board_text(*rules_, game_->position()));
  for (std::string line; std::getline(board, line);) say(line);
  say("ruleset " + rules_->info().ruleset);
  say("fen " + game::position_text(*rules_, game_->position()));
  say("moves " + std::to_string(game_->legal().size()) + " legal, " +
      std::to_string(game_->history().occurrences()) + " times here");
  const game::Outcome outcome = game_->outcome();
  if (outcome.over()) {
    say("result " + std::string(game::result_text(outcome.result)) + " " +
        std::string(game::reason_text(outcome.reason)));
  }
}

Engine* Uci::engine() {
  if (engine_) return engine_.get();
  EngineOptions options;
  options.player = weights_file_;
  options.threads = static_cast<int>(spins_.at("Threads").value);
  options.lines = static_cast<int>(spins_.at("MultiPV").value);
  options.seed = static_cast<std::uint64_t>(spins_.at("Seed").value);
  try {
    engine_ = std::make_unique<Engine>(rules_, options);
  } catch (const std::exception& error) {
    inform(error.what());
    options.player = "";
    engine_ = std::make_unique<Engine>(rules_, options);
  }
  inform("player: " + engine_->description());
  if (options.player.empty())
    inform("set WeightsFile to a checkpoint or a run folder to play with a network");
  return engine_.get();
}

void Uci::finish_search() {
  if (!engine_) return;
  if (unlimited_) engine_->stop();
  engine_->wait();
}

void Uci::drop_engine() {
  finish_search();
  engine_.reset();
}

void Uci::say(const std::string& line) {
  const std::scoped_lock lock(out_mutex_);
  out_ << line << std::endl;
}

}  // namespace makzero::play
