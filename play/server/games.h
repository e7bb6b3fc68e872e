// Rules over HTTP: the games, how a game stands, games as text, what a network sees.
#pragma once

#include "play/server/networks.h"
#include "play/server/router.h"

namespace makzero::play {

// The networks must outlive the router.
void add_game_routes(Router* router, const NetworkFolder& networks);

}  // namespace makzero::play
