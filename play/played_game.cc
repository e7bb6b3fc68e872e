#include "play/played_game.h"

#include <algorithm>
#include <utility>

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

bool PlayedGame::may_go_on() const {
  if (!outcome_.over()) return true;
  if (ended_ || legal_.empty()) return false;
  switch (outcome_.reason) {
    case game::Reason::kRepetition:
    case game::Reason::kNoProgress:
    case game::Reason::kInsufficientMaterial:
    case game::Reason::kCountExceeded:
    case game::Reason::kPlyLimit:
      return true;
    default:
      return false;
  }
}

void PlayedGame::play(game::Move move) {
  Position next = position();
  if (outcome_.reason == game::Reason::kCountExceeded) rules_->declare(Declaration::kStopCount, &next);
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

std::optional<PlayedGame::PassedEnd> PlayedGame::passed_end() const {
  for (int i = 0; i < static_cast<int>(actions_.size()); ++i) {
    if (outcomes_[i].over()) return PassedEnd{i, outcomes_[i]};
  }
  return std::nullopt;
}

void PlayedGame::repeat(const Action& action) {
  action.declaration ? declare(*action.declaration) : play(action.move);
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
  outcomes_.resize(actions_.size());
  outcomes_.push_back(outcome_);
}

std::optional<std::string> play_word(const std::string& word, PlayedGame* game) {
  if (!game->may_go_on()) return "'" + word + "' follows the end of the game: remove it";
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
  if (!result || *result == game::Result::kOngoing || !game->may_go_on()) return;
  if (*result == game->outcome().result) return;
  text.remove_prefix(std::min(space + 1, text.size()));
  game->end(game::stated_outcome(*result, text));
}

std::string action_text(const PlayedGame& game, int action) {
  const Action& played = game.actions()[action];
  if (played.declaration) return declaration_word(*played.declaration);
  return game::move_text(game.rules(), game.position_before(action), played.move);
}

}  // namespace makzero::play
