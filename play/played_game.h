// A game as it is being played: the start, the moves and declarations so far, and how it stands.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/history.h"
#include "game/parsed.h"

namespace makzero::play {

// What a player did: a move, or a declaration that leaves him to move.
struct Action {
  game::Move move;
  std::optional<game::Declaration> declaration;  // If set there is no move.

  bool operator==(const Action&) const = default;
};

// The games with pawns; the men of the others are all alike, beside a king or hunter.
bool is_chess(const game::GameInfo& info);

// "pawn", "man", of a kind by its letter: a text of the catalogues.
const char* kind_name(const game::GameInfo& info, char letter);

// "count", "stop": the words of commands and saved games.
const char* declaration_word(game::Declaration declaration);

// A value: copies are independent and share the rules.
class PlayedGame {
 public:
  explicit PlayedGame(game::GamePtr rules);
  PlayedGame(game::GamePtr rules, const game::Position& start);

  const game::Game& rules() const { return *rules_; }
  const game::GamePtr& rules_pointer() const { return rules_; }
  const game::Position& start() const { return positions_.front(); }
  const game::Position& position() const { return positions_.back(); }
  const game::History& history() const { return history_; }  // Ends with position().
  const std::vector<Action>& actions() const { return actions_; }
  const game::MoveList& legal() const { return legal_; }
  const game::Outcome& outcome() const { return outcome_; }

  // Whether moves may follow: the game goes on, or what ended it is an end that players may overlook and
  // their record goes on past it: a count, a repetition, insufficient material or a limit of length.
  bool may_go_on() const;

  // REQUIRES: the move is legal, may_go_on(). A count that ran out and was overlooked begins anew.
  void play(game::Move move);

  // Whether the side to move may declare it now.
  bool offers(game::Declaration declaration) const;

  // REQUIRES: the declaration is offered.
  void declare(game::Declaration declaration);

  // Plays or declares what another game had. REQUIRES: as of play() and declare().
  void repeat(const Action& action);

  // Ends the game as the rules do not: by resignation, on time, by agreement. REQUIRES: it is not over, the
  // outcome is.
  void end(const game::Outcome& outcome);
  const std::optional<game::Outcome>& ended() const { return ended_; }

  // Where the rules ended the game first although the record goes on.
  struct PassedEnd {
    int actions = 0;  // Played before it.
    game::Outcome outcome = {};
  };
  std::optional<PassedEnd> passed_end() const;

  // Takes back the last action, and an end() after it. REQUIRES: there is one.
  void take_back();

  // Takes back the last move and what was declared after it and for it. False when no move was played.
  bool undo();

  // The position before each action, for those who replay: [actions().size()] is the current one.
  const game::Position& position_before(int action) const { return positions_[action]; }

  // How the game stood there by the rules.
  const game::Outcome& outcome_before(int action) const { return outcomes_[action]; }

 private:
  void refresh();

  game::GamePtr rules_;
  std::vector<game::Position> positions_;  // [actions + 1]
  std::vector<game::Outcome> outcomes_;    // [actions + 1], by the rules.
  std::vector<Action> actions_;
  game::History history_;
  game::MoveList legal_;
  game::Outcome outcome_;
  std::optional<game::Outcome> ended_;  // Not by the rules.
};

// Plays a move, as written_move.h reads it, or one of the words "count" and "stop". The reason if it cannot
// be played, also where no move may follow; the game is unchanged then.
std::optional<std::string> play_word(const std::string& word, PlayedGame* game);

// Ends a game as a text says, "0-1 resignation", where the rules leave it open or end it in a way that the
// players overlooked; an ongoing game stays so.
void end_as_stated(std::string_view text, PlayedGame* game);

// The word of an action that was played: a move's text, "count" or "stop".
std::string action_text(const PlayedGame& game, int action);

}  // namespace makzero::play
