// Ka Ok, also Ka Ouk, Kar Ouk: Ok in which the first check wins.
//
// Source: Wikipedia "Makruk", section on Cambodian chess; Fairy-Stockfish ("karouk") where it is
// silent:
//  - A move that exposes the own king stays illegal, even if it would give check, so nobody is in check
//    on his turn. A position in which the side to move is in check is over.
//  - A side without a legal move has drawn. Nothing but two bare kings is dead, since any piece can
//    give check.
//  - A counter who gives check while counting wins: the check ends the game before the count is looked
//    at.
//  - Leaps and counting are those of Ok with the same options; `karouk` has those of `cambodian`.
//
// Position: that of Ok; the checks left that Fairy-Stockfish writes behind the limit of the count
// ("1+1") may stand there. Moves: as in Ok.
#pragma once

#include <string_view>
#include <vector>

#include "game/rules/ok.h"

namespace makzero::game {

class KaOk final : public Ok {
 public:
  // `ruleset` is what make_game() reads back.
  KaOk(std::string ruleset, const OkRules& rules);

  void legal_moves(const Position& position, MoveList* moves) const override;
  int count_moves(const Position& position) const override;
  Outcome outcome(const Position& position, bool can_move, int occurrences) const override;
  void read_fields(std::span<const std::string_view> fields, Position* position,
                   std::vector<std::string>* reasons) const override;
};

// "kaok", "karouk".
const std::vector<std::string>& kaok_rulesets();

// One of kaok_rulesets() with options.
Parsed<GamePtr> make_kaok(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
