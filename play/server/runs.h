// The runs on this machine over HTTP: their figures while they train, their checkpoints, exports.
#pragma once

#include "play/server/networks.h"
#include "play/server/router.h"

namespace makzero::play {

// The networks must outlive the router.
void add_run_routes(Router* router, const NetworkFolder& runs);

}  // namespace makzero::play
