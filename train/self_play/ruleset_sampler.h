// Sampled rulesets for self-play: a network that learns the rules of a family sees more of them than have
// names.
#pragma once

#include <string>
#include <string_view>

#include "mcts/rng.h"

namespace makzero::train {

// A ruleset of a game for one game of self-play, as GameInfo::ruleset has it: half the time the default, a
// quarter another named one (the default where there is none), a quarter a named one in which every option
// changes with probability 1/4, at least one, limits log-uniformly within their usual range. Never one that
// make_game() refuses, that has no captures or neither a repetition nor a no-progress limit, or that is held
// out. REQUIRES: `game` is one of game::family_games().
std::string sample_ruleset(std::string_view game, mcts::Rng* rng);

// Whether self-play leaves a ruleset out, so that it shows how a network does on rules that it was not
// trained on. A hash of the options that differ from the game's default decides, about 1 in 64; limits and
// start positions do not matter, so that no near copy is trained on. REQUIRES: make_game() makes the ruleset.
bool held_out(std::string_view ruleset);

}  // namespace makzero::train
