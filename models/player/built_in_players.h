// Built-in players: the opponents that need no network, no file and no program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/player/player.h"

namespace makzero::models {

// To add a player: a row in built_in_players.cc, with its searcher.
struct BuiltInPlayer {
  std::string_view name, description;  // Both for people.
  PlayerSpec::Search search;
  std::unique_ptr<mcts::Searcher> (*make_searcher)(const game::Game& rules,
                                                   const SearcherResources& resources);
  std::vector<std::string> rungs = {};  // Players on the ladder of ratings, from weak to strong.
  std::unique_ptr<mcts::Evaluator> (*make_evaluator)() = nullptr;  // Shared by its searches; null: none.
  int match_depth = 3;  // Plies of alpha-beta in matches where nobody says how many.
};

// From weak to strong, as far as they are on the ladder.
const std::vector<BuiltInPlayer>& built_in_players();

// The player with that name; null where there is none.
const BuiltInPlayer* find_built_in(std::string_view name);

}  // namespace makzero::models
