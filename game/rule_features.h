// The rules of a game as a vector of named numbers in [0, 1]: what a network that plays many rulesets sees of
// the one in use.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "game/game.h"

namespace makzero::game {

// The features of a family ("custodial" or "chess"), none for any other. "NAME=VALUE" is 1 where a rule has
// that value, "NAME" where it holds; "repetition", "no_progress" and "min_men" are numbers. A rule that games
// share has one name, and a game in which it is fixed states it too.
//
// Append-only: a new option of the rules appends its names. Networks store the names that they were trained
// with, so a name that is renamed, moved or deleted breaks them.
std::span<const std::string_view> rule_feature_names(std::string_view family);

// "custodial" and "chess".
std::span<const std::string_view> rule_families();

// The value of a feature in a ruleset; 0 where it is absent.
float rule_feature(const GameInfo& info, std::string_view name);

// --- For the games, which state their features. ---

// Sets the family of a game, and its feature "game=NAME". Comes before every other feature.
void set_family(std::string_view family, std::string_view game, GameInfo* info);

// Adds a feature unless its value is 0. REQUIRES: the family has a feature of that name, the game has not
// stated it yet, and the value is in [0, 1].
void add_feature(std::string_view name, float value, GameInfo* info);

// Adds the feature of a choice: `names` in the order of its values, empty for a value without a feature.
template <class Choice>
void add_choice_feature(Choice choice, std::initializer_list<std::string_view> names, GameInfo* info) {
  const std::string_view name = names.begin()[static_cast<int>(choice)];
  if (!name.empty()) add_feature(name, 1, info);
}

}  // namespace makzero::game
