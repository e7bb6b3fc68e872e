// Mak-yek: sixteen men a side slide like rooks and capture by custodian and intervention.
//
// Sources: the Wikipedia article on Mak-yek; J. Low, "On Siamese Literature", 1839, for lines. Decisions:
//  - One custodian capture in each direction; "not more than one" of a shorter text is custodian_total=one.
//  - Lines, corners and jumps are variations: makyek-line, makyek-low, makyek-corner, makyek-jump.
//  - Ends and moves as in custodial_men.h.
//
//   8  m m m m m m m m      The start; White begins.
//   7  . . . . . . . .
//   6  m m m m m m m m
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
