// All games and named rulesets: the one table that says what exists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/parsed.h"

namespace makzero::game {

// The game that a text names: a ruleset, optionally with options: "makyek", "makyek:custodian=line,jump=on".
// Titles and usual spellings name rulesets too, "Thai chess" or "ok-chaktrang"; case, blanks, hyphens and
// underscores do not matter. A failure lists unknown names with the nearest one that exists, and the allowed
// values of an option.
Parsed<GamePtr> make_game(std::string_view spec);

// The games that a list names: "makyek,apit,rek:limit_result=material". What has a '=' and no ':' is another
// option of the game before it. The name of a family, "custodial" or "chess", stands for all its games. A
// failure also names a game that stands there twice.
Parsed<std::vector<GamePtr>> make_games(std::string_view specs);

// Their rulesets, as make_games() reads them back: "makyek,apit,rek:limit_result=material".
std::string game_list(const std::vector<GamePtr>& games);

// Every named ruleset, games first: "makyek", "makyek-line", ..., "makruk".
const std::vector<std::string>& ruleset_names();

// The ruleset that a text names, without options: "makyek-line" of "makyek-line:jump=on", "makruk" of "Thai
// chess"; what stands before the options where there is none of that name.
std::string_view ruleset_name(std::string_view spec);

// The game whose ruleset a text names, "makyek" for "makyek-line:jump=on"; empty where there is none.
std::string_view game_of(std::string_view spec);

// The games of a family (GameInfo::family), by the names of their default rulesets.
std::vector<std::string> family_games(std::string_view family);

// The rulesets of a game, the default first.
std::vector<std::string> rulesets_of(std::string_view game);

// The full rules of that game with all its rulesets and options, for people. REQUIRES: the game exists.
std::string_view rules_text(std::string_view spec);

// What the rules of that game were compared with, and how they are recognised; its first line sums it up.
// Empty where a game is not certified.
std::string_view certificate(std::string_view spec);

// The ruleset with "NAME=VALUE" behind it.
std::string with_option(std::string_view ruleset, std::string_view option);

// The ruleset under which material decides what a limit would draw (limit_result=material); empty where the
// game has no such choice or has made it, and where the sides begin with unequal men (Gala), so that the
// start would decide.
std::string material_result_ruleset(const GameInfo& info);

// Whether two rulesets of one name are equal but for the limits that draw a game: repetition, no_progress and
// max_plies.
bool differ_in_limits_alone(const GameInfo& a, const GameInfo& b);

}  // namespace makzero::game
