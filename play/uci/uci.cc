#include "play/uci/uci.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <istream>
#include <ostream>
#include <sstream>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/perft.h"
#include "game/plain_text.h"
#include "mcts/rng.h"
#include "models/error.h"
#include "models/player/auto_player.h"
#include "models/player/measured_levels.h"
#include "models/printable.h"
#include "play/plain_lines.h"
#include "play/uci/uci_words.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

constexpr const char* kNoMove = "bestmove 0000";
constexpr const char* kNoNetwork = "none";  // As WeightsFile.
constexpr size_t kMostShown = 800;          // Bytes of an info string.

// The bench: positions of a random game so many plies apart.
constexpr int kBenchPositions = 5, kBenchPlies = 8, kBenchNodes = 400;

// Whether the short list has it: the games, and the rulesets that chess clients know by name.
bool in_short_list(const std::string& name) {
  return name == game::game_of(name) || name == "cambodian" || name == "karouk";
}

// The rulesets, the one in use first, which may have options.
std::string variants(const std::string& used, bool short_list) {
  std::string text = "default " + used + " var " + used;
  for (const std::string& name : game::ruleset_names()) {
    if (name != used && (!short_list || in_short_list(name))) text += " var " + name;
  }
  return text;
}

std::string wdl_text(const mcts::MoverValue& value) {
  const int win = static_cast<int>(std::lround(1000 * value.win));
  const int loss = std::min(1000 - win, static_cast<int>(std::lround(1000 * value.loss)));
  return std::to_string(win) + " " + std::to_string(1000 - win - loss) + " " + std::to_string(loss);
}

std::string score_text(const Line& line) {
  if (!line.end_in_plies) return "cp " + std::to_string(line.centipawns);
  const int moves = (*line.end_in_plies + 1) / 2;
  return "mate " + std::to_string(line.centipawns < 0 ? -moves : moves);
}

}  // namespace

const Uci::Command Uci::kCommands[] = {
    {"uci", &Uci::on_uci},
    {"isready", &Uci::on_isready},
    {"ucinewgame", &Uci::begin_game},
    {"setoption", &Uci::set_option},
    {"position", &Uci::set_position},
    {"go", &Uci::go},
    {"stop", &Uci::stop},
    {"ponderhit", &Uci::on_ponderhit},
    {"d", &Uci::describe},
    {"bench", &Uci::bench},
    {"debug", &Uci::ignore},
    {"register", &Uci::ignore},
};

Uci::Uci(std::istream& in, std::ostream& out, const UciSetup& setup)
    : in_(in),
      out_(out),
      rules_(*game::make_game(setup.ruleset)),
      short_variants_(setup.short_variants),
      options_(setup.player, setup.backend),
      game_(rules_) {}

Uci::~Uci() = default;

void Uci::run() {
  PlainLines lines(in_);
  for (std::string line; lines.next(&line);) {
    if (!handle(line)) break;
  }
  if (in_.eof()) finish_search();
  engine_.reset();
}

bool Uci::handle(const std::string& line) {
  bool named = false;
  for (size_t at = 0; (at = line.find_first_not_of(kBlanks, at)) != std::string::npos;) {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    const std::string word = line.substr(at, end - at);
    if (word == "quit") return false;
    for (const Command& command : kCommands) {
      if (word != command.name) continue;
      (this->*command.run)(line.substr(at));
      return true;
    }
    if (!std::exchange(named, true)) {
      std::vector<std::string> names = {"quit"};
      for (const Command& command : kCommands) names.emplace_back(command.name);
      info_string("unknown command '" + word + "'" + game::did_you_mean(word, names));
    }
    at = end;
  }
  return true;
}

void Uci::on_uci(const std::string&) {
  send("id name MakZero");
  send("id author the MakZero authors");
  send("option name UCI_Variant type combo " + variants(rules_->info().ruleset, short_variants_));
  for (const std::string& line : options_.lines(levels())) send(line);
  send("uciok");
}

void Uci::on_isready(const std::string&) {
  if (!engine_) engine();
  send("readyok");
}

void Uci::begin_game(const std::string&) {
  finish_search();
  if (engine_) engine_->new_game();
  game_.emplace(rules_);
}

void Uci::set_option(const std::string& line) {
  const std::optional<OptionText> option = read_option(line);
  if (!option) return info_string("write: setoption name NAME value VALUE");
  if (option->name == "UCI_Variant" || option->name == "uci_variant")
    return set_variant(std::string(game::trimmed(option->value)));
  finish_search();
  const UciOptions::Change change = options_.set(option->name, option->value);
  if (!change.why.empty()) info_string(change.why);
  if (change.effect == UciOptions::Effect::kEngine) drop_engine();
  if (change.effect == UciOptions::Effect::kClearHash && engine_) engine_->new_game();
}

void Uci::set_variant(const std::string& ruleset) {
  const game::Parsed<game::GamePtr> parsed = game::make_game(ruleset);
  if (!parsed) return info_string(parsed.why());
  drop_engine();
  rules_ = *parsed;
  game_.emplace(rules_);
}

// position startpos|fen TEXT [moves MOVE ...]
void Uci::set_position(const std::string& line) {
  const std::vector<std::string> words = split_words(line);
  const size_t moves_at = std::find(words.begin(), words.end(), "moves") - words.begin();
  game_.reset();
  if (words.size() > 1 && words[1] == "startpos") {
    game_.emplace(rules_);
  } else if (words.size() > 1 && words[1] == "fen") {
    const auto position = game::parse_position(*rules_, join_words(words, 2, moves_at));
    if (!position) return info_string("illegal position: " + position.why());
    game_.emplace(rules_, *position);
  } else {
    return info_string("write: position startpos|fen TEXT [moves MOVE ...]");
  }
  for (size_t i = moves_at + 1; i < words.size(); ++i) {
    const game::Parsed<game::Move> move = game::parse_move(*rules_, game_->position(), words[i]);
    if (!move) {
      game_.reset();
      return info_string("illegal position: " + move.why());
    }
    game_->play(*move);
  }
}

void Uci::go(const std::string& line) {
  finish_search();
  if (!game_) {
    info_string("the position is illegal: send a legal one first");
    return send(kNoMove);
  }
  const UciGo go = read_go(split_words(line), *game_, milliseconds(options_.number("Move Overhead")));
  for (const std::string& fault : go.faults) info_string(fault);
  if (go.perft) return print_perft(*go.perft);
  if (const game::Outcome outcome = game_->outcome(); outcome.over()) {
    const std::string reason(game::reason_text(outcome.reason));
    if (outcome.result != game::Result::kDraw || game_->legal().empty()) {
      info_string("the game is over: " + reason);
      return send(kNoMove);
    }
    info_string("the rules draw this game: " + reason);  // The client may not have claimed it.
  }
  if (!engine()) return send(kNoMove);
  if (!go.ponder) return start(*game_, go);
  ponder_ = go;
  ponder_->ponder = false;
  pondered_ = game_;
  UciGo pondering;
  pondering.limits.search_moves = go.limits.search_moves;
  start(*game_, pondering);
}

void Uci::start(const PlayedGame& game, const UciGo& go) {
  Limits limits = go.limits;
  limits.contempt = static_cast<int>(options_.number("Contempt"));
  endless_ = go.infinite || limits.endless();
  if (!endless_) limit_strength(&limits);
  told_nodes_ = 0;
  SearchHandlers handlers;
  handlers.info = [this, game](const SearchInfo& info) { print_info(game, info); };
  handlers.finished = [this, game](const SearchInfo& info) {
    if (!mute_) print_answer(game, info);
  };
  handlers.failed = [this](const std::string& why) {
    info_string(why);
    send(kNoMove);
  };
  engine()->start(game, limits, endless_, std::move(handlers));
}

void Uci::limit_strength(Limits* limits) {
  const int wished = static_cast<int>(options_.number("Level"));
  if (wished == 0 && !options_.flag("UCI_LimitStrength")) return;
  const std::string option = wished != 0 ? "Level" : "UCI_LimitStrength";
  const std::vector<models::PlayerLevel>& levels = engine()->levels();
  if (levels.empty())
    return info_string(option + ": no strengths were measured for this player: it plays at its best");
  const models::PlayerLevel* level =
      wished != 0 ? models::find_level(levels, wished)
                  : models::nearest_level(levels, static_cast<double>(options_.number("UCI_Elo")));
  if (!level) {
    return info_string("Level: there is no level " + std::to_string(wished) + ", give one from 1 to " +
                       std::to_string(levels.size()) + ": it plays at its best");
  }
  limits->nodes = std::min(level->nodes, limits->nodes.value_or(level->nodes));
  limits->temperature = level->temperature;
  std::ostringstream text;
  text << "strength limited: level " << level->level << ", Elo " << std::lround(level->elo) << ", "
       << level->nodes << " nodes, temperature " << level->temperature;
  info_string(text.str());
}

void Uci::stop(const std::string&) {
  ponder_.reset();
  if (engine_) engine_->stop();
}

// The opponent played the expected move: the search goes on, by the clock now. The tree is kept.
void Uci::on_ponderhit(const std::string&) {
  if (!ponder_) return;
  const UciGo go = *std::exchange(ponder_, std::nullopt);
  mute_ = true;
  engine_->stop();
  engine_->wait();
  mute_ = false;
  start(*pondered_, go);
}

void Uci::print_perft(int depth) {
  std::uint64_t nodes = depth == 0 ? 1 : 0;
  if (depth > 0) {
    for (const auto& [move, leaves] : game::perft_divide(*rules_, game_->position(), depth)) {
      send(game::move_text(*rules_, game_->position(), move) + ": " + std::to_string(leaves));
      nodes += leaves;
    }
  }
  send("nodes " + std::to_string(nodes));
}

void Uci::print_info(const PlayedGame& game, const SearchInfo& info) {
  told_nodes_ = info.nodes;
  const auto time = std::chrono::duration_cast<milliseconds>(info.elapsed).count();
  const auto rate = info.nodes * 1000 / std::max<std::int64_t>(1, time);
  for (size_t i = 0; i < info.lines.size(); ++i) {
    const Line& line = info.lines[i];
    std::ostringstream text;
    text << "info depth " << info.depth << " seldepth " << info.seldepth << " multipv " << i + 1 << " score "
         << score_text(line);
    if (options_.flag("UCI_ShowWDL")) text << " wdl " << wdl_text(line.value);
    text << " nodes " << info.nodes << " nps " << rate << " hashfull " << info.hashfull << " time " << time
         << " pv";
    game::Position position = game.position();
    for (const game::Move move : line.moves) {
      text << " " << game::move_text(game.rules(), position, move);
      game.rules().apply(move, &position);
    }
    send(text.str());
  }
}

void Uci::print_answer(const PlayedGame& game, const SearchInfo& info) {
  if (info.nodes != told_nodes_) print_info(game, info);
  std::string answer = "bestmove " + game::move_text(game.rules(), game.position(), info.best());
  const std::vector<game::Move>& line = info.lines.front().moves;
  if (line.size() > 1 && line.front() == info.best()) {
    game::Position after = game.position();
    game.rules().apply(line.front(), &after);
    answer += " ponder " + game::move_text(game.rules(), after, line[1]);
  }
  send(answer);
}

void Uci::describe(const std::string&) {
  if (!game_) return info_string("the position is illegal: send a legal one first");
  std::istringstream board(game::board_text(*rules_, game_->position()));
  for (std::string line; std::getline(board, line);) send(line);
  send("ruleset " + rules_->info().ruleset);
  send("fen " + game::position_text(*rules_, game_->position()));
  send("moves " + std::to_string(game_->legal().size()) + " legal, " +
       std::to_string(game_->history().occurrences()) + " times here");
  const game::Outcome outcome = game_->outcome();
  if (outcome.over()) {
    send("result " + std::string(game::result_text(outcome.result)) + " " +
         std::string(game::reason_text(outcome.reason)));
  }
}

// bench [NODES]: searches the same positions each time and tells the speed.
void Uci::bench(const std::string& line) {
  finish_search();
  const std::vector<std::string> words = split_words(line);
  const std::optional<std::int64_t> nodes =
      words.size() > 1 ? game::parse_number<std::int64_t>(words[1]) : kBenchNodes;
  if (!nodes || *nodes < 1 || *nodes > INT32_MAX) return info_string("write: bench [NODES], a number from 1");
  if (!engine()) return;
  PlayedGame game(rules_);
  mcts::Rng rng(1);
  std::uint64_t searched = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kBenchPositions && !game.outcome().over(); ++i) {
    engine()->new_game();
    searched += engine()->search(game, {.nodes = nodes}).nodes;
    for (int ply = 0; ply < kBenchPlies && !game.outcome().over(); ++ply) {
      game.play(game.legal()[static_cast<int>(rng.below(game.legal().size()))]);
    }
  }
  const auto elapsed =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start).count();
  send("Total time (ms) : " + std::to_string(elapsed));
  send("Nodes searched  : " + std::to_string(searched));
  send("Nodes/second    : " + std::to_string(searched * 1000 / std::max<std::int64_t>(1, elapsed)));
}

Engine* Uci::engine() {
  if (engine_) return engine_.get();
  EngineOptions options = options_.engine();
  try {
    options.player = player();
    auto made = std::make_unique<Engine>(rules_, options);
    made->warm_up();
    engine_ = std::move(made);
  } catch (const std::exception& error) {
    info_string(models::explain(error));
    if (!options_.text("WeightsFile").empty()) return nullptr;
    options.player = {};
    engine_ = std::make_unique<Engine>(rules_, options);
  }
  info_string("player: " + engine_->description());
  if (options_.text("WeightsFile").empty()) {
    if (const std::string note = models::auto_note(rules_->info().ruleset); !note.empty()) info_string(note);
  }
  return engine_.get();
}

models::PlayerSpec Uci::player() const {
  const std::string& named = options_.text("WeightsFile");
  if (named == kNoNetwork) return {};
  return models::choose_player(named, {.ruleset = rules_->info().ruleset, .device = options_.text("Device")});
}

// Without any where the player cannot be found: loading it tells why.
std::vector<models::PlayerLevel> Uci::levels() const try {
  return models::measured_levels(player(), rules_->info().ruleset);
} catch (const models::Error&) {
  return {};
}

void Uci::finish_search() {
  ponder_.reset();
  if (!engine_) return;
  if (endless_) engine_->stop();
  engine_->wait();
}

void Uci::drop_engine() {
  finish_search();
  engine_.reset();
}

void Uci::info_string(const std::string& text) {
  send("info string " + models::printable_excerpt(text, kMostShown));
}

void Uci::send(const std::string& line) {
  const std::scoped_lock lock(out_mutex_);
  out_ << line << std::endl;
}

}  // namespace makzero::play
