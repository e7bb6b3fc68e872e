// Mak-yek and the games that share its rules: men slide like rooks and capture by custodian and intervention.
//
// Sources: the Wikipedia article on Mak-yek; J. Low, "On Siamese Literature", 1839, for lines. Where they are
// silent: White begins, a side without a legal move loses, and the third occurrence of a position, 100 plies
// without a capture, one man against one, and 400 plies are draws. Every such choice is an option.
//
//   8  m m m m m m m m      "a3a5": the man on a3 slides to a5; captures follow by themselves.
//   7  . . . . . . . .      "f5f3:e3": with custodian_total=one, the man taken where there is a choice.
//   6  m m m m m m m m      "--": a pass, with no_move=pass.
//   5  . . . . . . . .
//   4  . . . . . . . .
//   3  M M M M M M M M
//   2  . . . . . . . .
//   1  M M M M M M M M
//      a b c d e f g h
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/options.h"
#include "game/parsed.h"

namespace makzero::game {

// The named rulesets of this file, the game itself first.
std::vector<std::string> makyek_rulesets();

// The game of a named ruleset with options on top. REQUIRES: the ruleset is one of makyek_rulesets().
Parsed<GamePtr> make_makyek(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
