// Routes of games, of runs and of the page; searches and the library have theirs beside their services.
#pragma once

#include "play/server/networks.h"
#include "play/server/server.h"

namespace makzero::play {

// Rules: the games, how a game stands, games as text, what a network sees. The networks must outlive the
// router.
void add_game_routes(Router* router, const NetworkFolder& networks);

// The runs on this machine: their figures while they train, their checkpoints, exports. The networks must
// outlive the router.
void add_run_routes(Router* router, const NetworkFolder& runs);

// The files of the page, out of the program, and the site of all games in the zoo (play/export/site.h) at
// /offline/: what `makzero export --to web` writes.
void add_page_routes(Server* server);

}  // namespace makzero::play
