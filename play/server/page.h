// The files of the page, out of the program.
#pragma once

#include "play/server/server.h"

namespace makzero::play {

void add_page_routes(Server* server);

}  // namespace makzero::play
