// A network with random weights, as small as they come.
#pragma once

#include <string>

#include "game/catalog.h"
#include "models/model.h"
#include "nn/encoder.h"
#include "nn/learner.h"

namespace makzero::models {

inline Model tiny_network(const std::string& ruleset, std::uint64_t seed = 1) {
  const game::GamePtr game = *game::make_game(ruleset);
  const nn::NetworkArchitecture shape{
      .planes = nn::default_planes(game->info()), .blocks = 1, .channels = 8, .attention = 8, .hidden = 8};
  return make_model(*game, nn::Learner(shape, {}, seed).network());
}

}  // namespace makzero::models
