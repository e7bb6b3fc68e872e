#include "play/played_game.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/notation/written_move.h"

namespace makzero::play {

using game::Declaration;
using game::Parsed;
using game::Position;

bool is_chess(const game::GameInfo& info) { return info.family == "chess"; }

const char* kind_name(const game::GameInfo& info, char letter) {
  static constexpr std::pair<char, const char*> kNames[] = {{'K', "king"},   {'H', "hunter"}, {'S', "bishop"},
                                                            {'N', "knight"}, {'R', "rook"},   {'P', "pawn"}};
  if (letter == 'M') return is_chess(info) ? "queen" : "man";
  for (const auto& [kind, name] : kNames)
    if (kind == letter) return name;
  return "?";
}

const char* declaration_word(Declaration declaration) {
  return declaration == Declaration::kStartCount ? "count" : "stop";
}

PlayedGame::PlayedGame(game::GamePtr rules) : rules_(std::move(rules)), positions_{rules_->initial()} {
  history_.push(position());
  refresh();
}

PlayedGame::PlayedGame(game::GamePtr rules, const Position& start)
    : rules_(std::move(rules)), positions_{start} {
  history_.push(position());
  refresh();
}

void PlayedGame::play(game::Move move) {
  Position next = position();
  rules_->apply(move, &next);
  positions_.push_back(next);
  actions_.push_back({move, std::nullopt});
  history_.push(next);
  refresh();
}

bool PlayedGame::offers(Declaration declaration) const {
  const std::vector<Declaration> offered = rules_->declarations(position());
  return std::find(offered.begin(), offered.end(), declaration) != offered.end();
}

void PlayedGame::declare(Declaration declaration) {
  Position next = position();
  rules_->declare(declaration, &next);
  positions_.push_back(next);
  actions_.push_back({game::Move::pass(), declaration});
  refresh();
}

bool PlayedGame::undo() {
  const bool any_move =
      std::any_of(actions_.begin(), actions_.end(), [](const Action& action) { return !action.declaration; });
  if (!any_move) return false;
  while (actions_.back().declaration) take_back();
  take_back();
  while (!actions_.empty() && actions_.back().declaration) take_back();
  return true;
}

void PlayedGame::end(const game::Outcome& outcome) {
  ended_ = outcome;
  outcome_ = outcome;
}

void PlayedGame::take_back() {
  if (!actions_.back().declaration) history_.pop();
  actions_.pop_back();
  positions_.pop_back();
  refresh();
}

void PlayedGame::refresh() {
  ended_.reset();
  rules_->legal_moves(position(), &legal_);
  outcome_ = rules_->outcome(position(), !legal_.empty(), history_.occurrences());
}

std::optional<std::string> play_word(const std::string& word, PlayedGame* game) {
  if (game->outcome().over()) return "'" + word + "' follows the end of the game: remove it";
  for (const Declaration declaration : {Declaration::kStartCount, Declaration::kStopCount}) {
    if (word != declaration_word(declaration)) continue;
    if (!game->offers(declaration)) return "'" + word + "' cannot be declared here";
    game->declare(declaration);
    return std::nullopt;
  }
  const Parsed<game::Move> move = parse_written_move(game->rules(), game->position(), word);
  if (!move) return move.why();
  game->play(*move);
  return std::nullopt;
}

void end_as_stated(std::string_view text, PlayedGame* game) {
  const size_t space = std::min(text.find(' '), text.size());
  const auto result = game::parse_result(text.substr(0, space));
  if (!result || *result == game::Result::kOngoing || game->outcome().over()) return;
  text.remove_prefix(std::min(space + 1, text.size()));
  game->end(game::stated_outcome(*result, text));
}

std::string action_text(const PlayedGame& game, int action) {
  const Action& played = game.actions()[action];
  if (played.declaration) return declaration_word(*played.declaration);
  return game::move_text(game.rules(), game.position_before(action), played.move);
}

std::string game_text(const PlayedGame& game) {
  const game::Outcome& outcome = game.outcome();
  std::ostringstream text;
  text << "ruleset " << game.rules().info().ruleset << "\n";
  text << "start " << game::position_text(game.rules(), game.start()) << "\n";
  text << "moves";
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) {
    text << " " << action_text(game, i);
  }
  text << "\nresult " << game::result_text(outcome.result);
  if (outcome.reason != game::Reason::kNone) text << " " << game::reason_text(outcome.reason);
  text << "\n";
  return text.str();
}

Parsed<PlayedGame> read_game_text(std::string_view text) {
  using Result = Parsed<PlayedGame>;
  std::istringstream lines{std::string(text)};
  std::string line, start, result;
  game::GamePtr rules;
  std::optional<std::string> moves;
  for (int number = 1; std::getline(lines, line); ++number) {
    const size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    const auto failure = [number](const std::string& why) {
      return Result::failure({"line " + std::to_string(number) + ": " + why});
    };
    if (key == "ruleset") {
      const Parsed<game::GamePtr> parsed = game::make_game(value);
      if (!parsed) return failure(parsed.why());
      rules = *parsed;
    } else if (key == "start") {
      start = value;
    } else if (key == "moves") {
      moves = value;
    } else if (key == "result") {
      result = value;
    } else if (!key.empty()) {
      return failure("unknown word '" + key + "': a game has the lines ruleset, start, moves and result");
    }
  }
  if (!rules) return Result::failure({"no line 'ruleset NAME': the file is not a saved game"});
  if (!moves) return Result::failure({"no line 'moves': the file is not a saved game or is cut off"});

  PlayedGame game(rules);
  if (!start.empty()) {
    const Parsed<Position> position = game::parse_position(*rules, start);
    if (!position) return Result::failure({"start: " + position.why()});
    game = PlayedGame(rules, *position);
  }
  std::istringstream words(*moves);
  std::string word;
  for (int number = 1; words >> word; ++number) {
    if (const auto why = play_word(word, &game)) {
      return Result::failure({"moves: word " + std::to_string(number) + ": " + *why});
    }
  }
  end_as_stated(result, &game);
  return game;
}

}  // namespace makzero::play
