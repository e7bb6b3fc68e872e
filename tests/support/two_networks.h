// Model with a tower, which cannot play, and a random small network of the same game.
#pragma once

#include <string>

#include "game/catalog.h"
#include "models/model.h"
#include "models/small_network_file.h"
#include "nn/encoder.h"
#include "tests/support/small_network.h"

namespace makzero::models {

inline Model stub_tower(const std::string& ruleset) {
  const game::GamePtr game = *game::make_game(ruleset);
  const nn::NetworkArchitecture shape{
      .planes = nn::default_planes(game->info()), .blocks = 1, .channels = 8, .attention = 8, .hidden = 8};
  return make_model(*game, {shape, {{.name = "weight", .shape = {1}, .data = {0.5f}}}});
}

inline Model both_networks(const std::string& ruleset) {
  Model model = stub_tower(ruleset);
  model.small_networks = {makzero::testing::random_small_network((*game::make_game(ruleset))->info(), 1)};
  return model;
}

}  // namespace makzero::models
