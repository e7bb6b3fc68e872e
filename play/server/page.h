// The files of the page, out of the program.
#pragma once

#include "play/server/server.h"

namespace makzero::play {

// Also the site of all games in the zoo (play/export/site.h) at /offline/: what `makzero export --to web`
// writes.
void add_page_routes(Server* server);

}  // namespace makzero::play
