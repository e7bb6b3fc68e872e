// Apit-sodok, the Malay cousin of Mak-yek: another start, and whole rows fall to a custodian capture.
//
// Source: the Wikipedia article on Mak-yek, section Apit-sodok, whose set-up is a "possible" reconstruction.
// Apit ("squeezed") is its custodian capture, sodok ("shovel") its intervention. Decisions:
//  - Only the man that moves captures: a row that walks between two enemies is safe, and so is a man in a
//    corner, except as one of a pair.
//  - Where one arrival captures in both ways on the same axis, all fall; apit-intfirst and apit-custfirst
//    read the source's open case (h5b5 in its diagram) the other two ways.
//  - Ends and moves as in custodial_men.h.
//
//   8  m m m m m m m m      The start; White begins.
//   7  m m m m m m m m
//   6  . . . . . . . .
//   5  . . . . . . . .
//   4  . . . . . . . .
//   3  . . . . . . . .
//   2  M M M M M M M M
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
std::vector<std::string> apit_rulesets();

// The game of a named ruleset with options on top. REQUIRES: the ruleset is one of apit_rulesets().
Parsed<GamePtr> make_apit(std::string_view ruleset, const OptionTexts& options);

}  // namespace makzero::game
