// Ok, also Ouk Chaktrang: Cambodian chess. Makruk, and two leaps that a king and a met have as their
// first move.
//
// Source: Wikipedia "Makruk", section on Cambodian chess. Where it is silent, the choice follows
// Fairy-Stockfish:
//  - As long as no piece of either side has been captured, an unmoved king may leap like a knight, and
//    an unmoved met may go two squares straight ahead.
//  - The king leaps to the row before it alone, b2 or f2 (`ok.king_leap=any`: also c3, e3), to an empty
//    square and not out of check.
//  - The met leaps over whatever stands before it, also out of check, and does not capture
//    (`ok.met_leap_captures=on`: it does, so that it gives check and guards; as a capture ends all
//    leaps, any capture answers that check).
//  - `ok.rook_aim=on`: a king's leap is lost for good when a rook moves to the king's rank or file.
//    `ok.leaps_after_captures=on`: captures do not end the leaps.
//  - Counting as in Makruk, or as in the SEA Games of 2023 (`ok.counting=seagames`); see counting.h.
// `cambodian` is what Fairy-Stockfish plays, `ok-cutechess` the moves of cutechess (its count is not
// here).
//
// Position: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1"; D, E are the first-move rights
// of White's king and met, e, d those of Black's. Moves: "d1b2" a king's leap, "e1e3" a met's.
#pragma once

#include <string_view>
#include <vector>

#include "game/rules/chess_game.h"

namespace makzero::game {

enum class KingLeap : std::uint8_t { kLateral, kAny };

struct OkRules : ChessRules {
  KingLeap king_leap = KingLeap::kLateral;
  bool met_leap_captures = false;
  bool rook_aim = false;              // A rook on the king's rank or file ends the king's leap.
  bool leaps_after_captures = false;  // A capture does not end all leaps.
};

const std::vector<Option<OkRules>>& ok_options();

// The rules of the ruleset `cambodian`.
OkRules cambodian_rules();

// The features of Ok and of games with its leaps and counting.
void add_ok_features(std::string_view game, const OkRules& rules, GameInfo* info);

class Ok : public ChessGame {
 public:
  // `ruleset` is what make_game() reads back.
  Ok(std::string ruleset, const OkRules& rules);

  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  void apply(Move move, Position* position) const override;
  Threats threats(const Position& position, Color side) const override;

 protected:
  // For a game that differs in how it ends; `info` is its own.
  Ok(GameInfo info, const OkRules& rules);

  const OkRules& leap_rules() const { return rules_; }

 private:
  OkRules rules_;
};

// "ok", "cambodian", "ok-cutechess".
const std::vector<std::string>& ok_rulesets();

// One of ok_rulesets() with options.
Parsed<GamePtr> make_ok(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
